// The long-lived streams of a server, so that a drain can ask them to end.
#ifndef QUIRE_SERVER_RPC_STREAM_REGISTRY_H_
#define QUIRE_SERVER_RPC_STREAM_REGISTRY_H_

#include <memory>
#include <unordered_set>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

namespace quire {

// A stream that can be asked to finish what it has read and end.
class DrainableStream {
 public:
  virtual ~DrainableStream() = default;
  // Any thread; does not block.
  virtual void Drain() = 0;
};

// Thread safe.
class StreamRegistry {
 public:
  // A stream added after DrainAll is asked to drain at once.
  void Add(const std::shared_ptr<DrainableStream>& stream) {
    {
      MutexLock lock(&mutex_);
      streams_.insert(stream);
      if (!draining_) return;
    }
    stream->Drain();
  }

  void Remove(const std::shared_ptr<DrainableStream>& stream) {
    MutexLock lock(&mutex_);
    streams_.erase(stream);
  }

  void DrainAll() {
    std::unordered_set<std::shared_ptr<DrainableStream>> streams;
    {
      MutexLock lock(&mutex_);
      draining_ = true;
      streams = streams_;
    }
    for (const auto& stream : streams) stream->Drain();
  }

 private:
  Mutex mutex_;
  std::unordered_set<std::shared_ptr<DrainableStream>> streams_ ABSL_GUARDED_BY(mutex_);
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_STREAM_REGISTRY_H_
