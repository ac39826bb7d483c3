// What a thread is doing, for the profiler: one byte per thread, set at the borders of the layers
// and read by a sampling signal (activity_sampler.h). Two moves in and one out, always compiled in.
//
//   ActivityScope scope(Activity::kTree);  // until the end of the block, then what it was before
#ifndef QUIRE_SERVER_BASE_ACTIVITY_H_
#define QUIRE_SERVER_BASE_ACTIVITY_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quire {

enum class Activity : uint8_t {
  kOutside = 0,  // what no scope claims: gRPC and its sockets in a server, the program if embedded
  kRpc,          // messages made into requests, answers into messages
  kQueue,        // admission, the queues between the roles, hand-off
  kRequest,      // opens, locks, saved answers and results of a request
  kTree,         // search and structure of the B-tree
  kCache,        // frames found, pinned, marked, replaced
  kCopy,         // records and blocks copied
  kStore,        // blocks read from the store; control points
  kTrail,        // the audit trail: encode, append, sync
};

inline constexpr size_t kActivities = 9;
inline constexpr std::array<std::string_view, kActivities> kActivityNames = {
    "outside", "rpc", "queue", "request", "tree", "cache", "copy", "store", "trail"};

namespace activity_internal {
// Atomic for the signal that reads it on the same thread; relaxed, so a plain move. The model keeps
// the access free of calls, which a signal handler needs.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local std::atomic<Activity> current{
    Activity::kOutside};
}  // namespace activity_internal

inline Activity CurrentActivity() {
  return activity_internal::current.load(std::memory_order_relaxed);
}

class [[nodiscard]] ActivityScope {
 public:
  explicit ActivityScope(Activity activity) : before_(CurrentActivity()) { Set(activity); }
  ~ActivityScope() { Set(before_); }
  ActivityScope(const ActivityScope&) = delete;
  ActivityScope& operator=(const ActivityScope&) = delete;

 private:
  static void Set(Activity activity) {
    activity_internal::current.store(activity, std::memory_order_relaxed);
  }
  const Activity before_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_ACTIVITY_H_
