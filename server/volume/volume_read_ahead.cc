#include "server/volume/volume_read_ahead.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace quire {
namespace {

// What is asked for at once at the start of a run, and for ever in fixed mode; and the most. The
// bench of read-ahead chose them (deploy/decisions).
constexpr uint64_t kFirstBytes = 128 << 10;
constexpr uint64_t kMostBytes = 1 << 20;
constexpr uint64_t kShareOfCache = 8;
// More waiting than this and the thread is so far behind that what it would bring has been read.
constexpr size_t kMostWaiting = 16;

ReadAheadRules RulesOf(ReadAheadMode mode, uint64_t cache_bytes) {
  const uint64_t most = std::min(kMostBytes, cache_bytes / kShareOfCache);
  return {mode == ReadAheadMode::kAdaptive, std::min(kFirstBytes, most), most};
}

}  // namespace

VolumeReadAhead::VolumeReadAhead(std::unique_ptr<AheadReader> reader, ReadAheadMode mode,
                                 uint64_t cache_bytes)
    : reader_(std::move(reader)), rules_(RulesOf(mode, cache_bytes)) {}

VolumeReadAhead::~VolumeReadAhead() {
  {
    MutexLock lock(&mutex_);
    ending_ = true;
    wakes_.Signal();
  }
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<ReadAheadWorth> VolumeReadAhead::NewWorth() {
  return std::make_shared<ReadAheadWorth>(totals_, rules_.adaptive);
}

void VolumeReadAhead::Bring(FileId file, std::vector<BlockNumber> blocks,
                            std::shared_ptr<ReadAheadWorth> worth) {
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { Run(); });
    } catch (const std::system_error&) {
      return;  // no thread to be had now: the readers go on without
    }
  }
  MutexLock lock(&mutex_);
  if (waiting_.size() >= kMostWaiting) waiting_.pop_front();
  waiting_.push_back({file, std::move(blocks), std::move(worth)});
  if (!working_) wakes_.Signal();
}

void VolumeReadAhead::WaitUntilIdle() {
  MutexLock lock(&mutex_);
  while (working_ || !waiting_.empty()) idle_.Wait(&mutex_);
}

void VolumeReadAhead::Run() {
  for (;;) {
    Work work;
    {
      MutexLock lock(&mutex_);
      working_ = false;
      if (waiting_.empty()) idle_.SignalAll();
      while (waiting_.empty() && !ending_) wakes_.Wait(&mutex_);
      if (ending_) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
      working_ = true;
    }
    try {
      const absl::StatusOr<uint32_t> brought = reader_->Bring(work.file, work.blocks);
      // What the store answers here it will answer whoever asks for the blocks, if anybody does.
      if (brought.ok()) {
        work.worth->NoteBrought(static_cast<uint32_t>(work.blocks.size()), *brought);
      }
    } catch (const std::bad_alloc&) {
      // Nobody waits for it.
    }
  }
}

}  // namespace quire
