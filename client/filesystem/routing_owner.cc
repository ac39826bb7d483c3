#include "client/filesystem/routing_owner.h"

#include <chrono>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

namespace quire {
namespace {

constexpr std::chrono::microseconds kLongestWait = std::chrono::seconds(1);

}  // namespace

struct RoutingOwner::Farewell {
  // Called by whoever let go last.
  void Take(Routing* routing) {
    {
      MutexLock lock(&mutex);
      if (awaited) {
        last.reset(routing);
        arrived.Signal();
        return;
      }
    }
    delete routing;
  }

  std::unique_ptr<Routing> Await() {
    const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
    MutexLock lock(&mutex);
    while (last == nullptr && std::chrono::steady_clock::now() < deadline) {
      arrived.WaitForMicros(&mutex, kLongestWait.count());
    }
    awaited = false;
    return std::move(last);
  }

  Mutex mutex;
  CondVar arrived;
  bool awaited ABSL_GUARDED_BY(mutex) = true;
  std::unique_ptr<Routing> last ABSL_GUARDED_BY(mutex);
};

RoutingOwner::RoutingOwner(std::map<std::string, std::shared_ptr<Service>> volumes,
                           RoutingOptions options)
    : farewell_(std::make_shared<Farewell>()),
      routing_(new Routing(std::move(volumes), std::move(options)),
               [farewell = farewell_](Routing* routing) { farewell->Take(routing); }) {}

RoutingOwner::~RoutingOwner() {
  routing_->workers().Stop();
  routing_.reset();
  // Ended here, outside of the lock, when it has come.
  const std::unique_ptr<Routing> last = farewell_->Await();
}

}  // namespace quire
