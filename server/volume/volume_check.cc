#include "server/volume/volume_check.h"

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/btree/stored_blocks.h"
#include "server/keyseq/file_check.h"
#include "server/volume/control_point.h"
#include "server/volume/errors.h"
#include "server/volume/resolve.h"

namespace quire {
namespace {

// What a walk needs: the file, and a reader of a control point that came after it was found.
struct CheckStart {
  FileId file = 0;
  std::unique_ptr<BlockReader> reader;
};
using CheckStarted = std::promise<absl::StatusOr<CheckStart>>;

class CheckRequest : public Request {
 public:
  CheckRequest(const FileReference& file, CheckStarted started)
      : file_(file), started_(std::move(started)) {}

  FileEntry* Target(VolumeState& state) override { return FindFile(state, file_.name); }

  void Execute(VolumeState& state, DiscProcess& process) override {
    executed_ = true;
    state.disc.Add(Counter::kRequests);
    const absl::StatusOr<FileEntry*> entry = ResolveNamed(state, file_);
    if (!entry.ok()) {
      started_.set_value(entry.status());
      return;
    }
    // In the role, before another control point can begin: the reader sees this one.
    process.WantControlPoint(
        [] {},
        [id = (*entry)->id(), store = state.store.get(),
         started = std::move(started_)](const absl::StatusOr<ControlPointReport>& report) mutable {
          if (!report.ok()) return started.set_value(report.status());
          absl::StatusOr<std::unique_ptr<BlockReader>> reader = store->OpenReader();
          if (!reader.ok()) return started.set_value(reader.status());
          started.set_value(CheckStart{id, *std::move(reader)});
        });
  }
  void Reply(const absl::Status& volume, bool) override {
    if (!executed_) started_.set_value(volume);
  }

 private:
  const FileReference file_;
  CheckStarted started_;
  bool executed_ = false;
};

// Ends the walk when the volume stops.
class StoppableBlocks : public BlockSource {
 public:
  StoppableBlocks(BlockReader* reader, FileId file, const std::atomic<bool>& stopping,
                  std::string_view volume)
      : blocks_(reader, file), stopping_(stopping), volume_(volume) {}

  absl::Status Read(BlockNumber block, uint32_t level, absl::Span<char> image) override {
    if (stopping_.load(std::memory_order_relaxed)) return volume_error::VolumeStopping(volume_);
    return blocks_.Read(block, level, image);
  }

 private:
  StoredBlocks blocks_;
  const std::atomic<bool>& stopping_;
  const std::string_view volume_;
};

}  // namespace

void VolumeChecker::Check(FileReference file, CheckDone done) {
  {
    MutexLock lock(&mutex_);
    if (!stopping_.load(std::memory_order_relaxed)) {
      wanted_.push_back({std::move(file), std::move(done)});
      if (!thread_.joinable()) thread_ = std::thread([this] { Loop(); });
      wakes_.Signal();
      return;
    }
  }
  std::move(done)(volume_error::VolumeStopping(core_.state.options.name));
}

void VolumeChecker::Stop() {
  std::thread thread;
  {
    MutexLock lock(&mutex_);
    stopping_.store(true, std::memory_order_relaxed);
    thread = std::move(thread_);
    wakes_.Signal();
  }
  if (thread.joinable()) thread.join();
}

void VolumeChecker::Loop() {
  for (;;) {
    std::optional<Wanted> next;
    {
      MutexLock lock(&mutex_);
      while (wanted_.empty() && !stopping_.load(std::memory_order_relaxed)) wakes_.Wait(&mutex_);
      if (wanted_.empty()) return;
      next = std::move(wanted_.front());
      wanted_.pop_front();
    }
    absl::StatusOr<PartitionCheck> check = CheckOne(next->file);
    if (check.ok()) {
      std::move(next->done)(std::vector<PartitionCheck>{*std::move(check)});
    } else {
      std::move(next->done)(check.status());
    }
  }
}

absl::StatusOr<PartitionCheck> VolumeChecker::CheckOne(const FileReference& file) {
  const std::string& volume = core_.state.options.name;
  if (stopping_.load(std::memory_order_relaxed)) return volume_error::VolumeStopping(volume);
  CheckStarted started;
  std::future<absl::StatusOr<CheckStart>> answer = started.get_future();
  core_.process.Submit(std::make_unique<CheckRequest>(file, std::move(started)));
  absl::StatusOr<CheckStart> start = answer.get();
  if (!start.ok()) return start.status();
  BlockReader& reader = *start->reader;

  const absl::StatusOr<std::map<FileId, std::string>> labels = reader.ReadLabels();
  if (!labels.ok()) return labels.status();
  const absl::StatusOr<std::optional<std::string>> meta = reader.ReadMeta(meta_key::kControlPoint);
  if (!meta.ok()) return meta.status();
  const auto found = labels->find(start->file);
  if (found == labels->end()) return volume_error::NoSuchFile(file.name);  // purged meanwhile
  const absl::StatusOr<FileLabel> label = DecodeLabel(found->second);
  if (!label.ok()) return label.status();
  if (label->purged) return volume_error::NoSuchFile(file.name);

  StoppableBlocks blocks(&reader, label->id, stopping_, volume);
  PartitionCheck check = CheckFile(*label, blocks).check;
  if (!check.status.ok() && NumberOf(check.status) != ErrorNumber::kFileBad) return check.status;
  if (meta->has_value()) {
    const absl::StatusOr<ControlPointMeta> control_point = DecodeControlPointMeta(**meta);
    if (!control_point.ok()) return control_point.status();
    check.lsn = control_point->lsn;
  }
  return check;
}

}  // namespace quire
