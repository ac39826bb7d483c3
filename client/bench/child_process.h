// A program started as a child. It is stopped when its owner goes, and when this whole process
// dies, whatever the way.
#ifndef QUIRE_CLIENT_BENCH_CHILD_PROCESS_H_
#define QUIRE_CLIENT_BENCH_CHILD_PROCESS_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace quire {
namespace bench {

// Movable, not thread safe. The thread that starts a child must outlive it: the kernel's
// parent-death signal belongs to that thread.
class ChildProcess {
 public:
  // Runs `program` with `arguments` (its own name not among them); standard output and error go to
  // `log_path`. The child has its own process group, so that Ctrl-C reaches only this program. 11,
  // 22 when it cannot be started.
  static absl::StatusOr<ChildProcess> Start(const std::string& program,
                                            const std::vector<std::string>& arguments,
                                            const std::string& log_path);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  // Kills (SIGKILL) a child that was not waited for.
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  // Readable when the child has ended; for poll.
  int descriptor() const { return descriptor_; }

  void RequestStop();  // SIGTERM
  // How it ended ("exited with code 3", "was ended by signal 9"; empty: exit code 0); nullopt when
  // it has not by the deadline.
  std::optional<std::string> WaitUntil(absl::Time deadline);
  // SIGKILL and wait.
  void Kill();

 private:
  ChildProcess(pid_t pid, int descriptor) : pid_(pid), descriptor_(descriptor) {}

  pid_t pid_;  // 0 when moved from or waited for
  int descriptor_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_CHILD_PROCESS_H_
