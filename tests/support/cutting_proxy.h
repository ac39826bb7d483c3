// A TCP relay on loopback that cuts connections at random moments: in the middle of a message as
// well as between two, with what was under way lost. What cuts is a count of bytes drawn from a
// seed, not a clock, so that every connection has let something through or broken while it was set
// up, however slow the machine is.
#ifndef QUIRE_TESTS_SUPPORT_CUTTING_PROXY_H_
#define QUIRE_TESTS_SUPPORT_CUTTING_PROXY_H_

#include <atomic>
#include <cstdint>
#include <list>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

struct pollfd;

namespace quire {

struct CuttingProxyOptions {
  uint64_t seed = 1;
  // A connection is cut when it has carried a number of bytes in one direction, chosen with the
  // number when it is made; these are the mean numbers. One in eight is cut within its first 500
  // bytes. 0: not cut in that direction.
  uint64_t mean_request_bytes = 0;
  uint64_t mean_reply_bytes = 0;
};

class CuttingProxy {
 public:
  // `target`: "127.0.0.1:port" that connections are relayed to; nobody need listen there.
  CuttingProxy(const std::string& target, const CuttingProxyOptions& options);
  // Cuts what is left.
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  // Where it listens. All members may be called from any thread.
  const std::string& address() const { return address_; }
  // For connections made from now on: the server came back at another port.
  void SetTarget(const std::string& target);
  // Nothing is cut any more.
  void StopCutting() { cutting_ = false; }

  uint64_t connections() const { return connections_; }
  // Those this proxy ended, not those that one of the ends did.
  uint64_t cuts() const { return cuts_; }

 private:
  // One direction of a connection. Reading waits until what was read before is written.
  struct Pump {
    int from = -1;
    int to = -1;
    uint64_t bytes_left = UINT64_MAX;  // until the cut
    std::string pending = {};          // read, not written yet

    bool Read();   // false: the end, or an error
    bool Write();  // false: an error
  };
  struct Link {
    Pump requests;
    Pump replies;
    bool ending = false;  // one end has closed; what is pending still goes out

    bool IsSpent() const { return requests.bytes_left == 0 || replies.bytes_left == 0; }
    bool HasPending() const { return !requests.pending.empty() || !replies.pending.empty(); }
  };

  void Run();
  void Accept();
  void ChooseCut(Link* link);
  // Moves bytes as poll said. False: the connection is over and its sockets are closed.
  bool Work(Link* link, const pollfd& client, const pollfd& server);
  void End(Link* link, bool reset);

  int listener_ = -1;
  int wake_ = -1;
  std::string address_;
  const CuttingProxyOptions options_;
  std::mt19937_64 random_;  // of the thread
  std::list<Link> links_;   // of the thread
  std::atomic<bool> stopping_{false};
  std::atomic<bool> cutting_{true};
  std::atomic<uint64_t> connections_{0};
  std::atomic<uint64_t> cuts_{0};

  Mutex mutex_;
  std::string target_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;  // last: it uses the rest
};

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_CUTTING_PROXY_H_
