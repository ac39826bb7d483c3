// Waits for the moment a server program has to end: SIGTERM, SIGINT, or a reason of its own.
#ifndef QUIRE_SERVER_MAIN_STOP_SIGNAL_H_
#define QUIRE_SERVER_MAIN_STOP_SIGNAL_H_

namespace quire {

// Make it before the first thread: it blocks the signals for the thread and all it starts.
class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  // The number of the signal that came, or 0 after a Wake. A Wake that came earlier counts.
  int Wait();
  // Whether Wait would return at once.
  bool Pending() const;
  // Ends a Wait. Any thread.
  void Wake();

 private:
  int signal_descriptor_ = -1;
  int wake_descriptor_ = -1;
};

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_STOP_SIGNAL_H_
