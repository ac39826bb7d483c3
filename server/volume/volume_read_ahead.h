// The volume's read-ahead: a thread that has the store bring blocks from disc into memory while the
// disc process works on others.
//
// Nothing it brings is kept or handed over: the disc process alone touches the cache (R-D18) and
// reads every block from the store itself, as of its own snapshot, so there is nothing that could
// be older than a control point (R-D3, R-D4), of a purged file, or bad without having been asked
// for. deploy/decisions has the figures on which this was chosen.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_READ_AHEAD_H_
#define QUIRE_SERVER_VOLUME_VOLUME_READ_AHEAD_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "server/btree/read_ahead.h"
#include "server/store/ahead_reader.h"

namespace quire {

enum class ReadAheadMode : uint8_t {
  kNone,
  kFixed,     // one window, for ever
  kAdaptive,  // it grows while it is used, and stops where it brings nothing
};

class VolumeReadAhead final : public ReadAhead {
 public:
  // The reader's store outlives this. `cache_bytes`: an eighth of it bounds the window.
  VolumeReadAhead(std::unique_ptr<AheadReader> reader, ReadAheadMode mode, uint64_t cache_bytes);
  // Waits for what is being brought; what waits to be is dropped.
  ~VolumeReadAhead() override;

  const ReadAheadRules& rules() const override { return rules_; }
  std::shared_ptr<ReadAheadWorth> NewWorth() override;
  void Bring(FileId file, std::vector<BlockNumber> blocks,
             std::shared_ptr<ReadAheadWorth> worth) override ABSL_LOCKS_EXCLUDED(mutex_);

  const ReadAheadTotals& totals() const { return *totals_; }
  // Tests: until nothing waits and nothing is being brought.
  void WaitUntilIdle() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Work {
    FileId file = 0;
    std::vector<BlockNumber> blocks;
    std::shared_ptr<ReadAheadWorth> worth;
  };

  void Run() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::unique_ptr<AheadReader> reader_;
  const ReadAheadRules rules_;
  const std::shared_ptr<ReadAheadTotals> totals_ = std::make_shared<ReadAheadTotals>();

  Mutex mutex_;
  CondVar wakes_;
  CondVar idle_;
  std::deque<Work> waiting_ ABSL_GUARDED_BY(mutex_);
  bool working_ ABSL_GUARDED_BY(mutex_) = false;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // made at the first Bring: volumes that nobody scans have none
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_READ_AHEAD_H_
