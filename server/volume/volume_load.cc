#include "server/volume/volume_load.h"

#include <utility>

#include "quire/limits.h"
#include "server/volume/errors.h"
#include "server/volume/execute_operation.h"
#include "server/volume/ordered_events.h"
#include "server/volume/resolve.h"

namespace quire {
namespace {

struct LoadState {
  std::shared_ptr<VolumeCore> core;
  LoadRequest request;
  uint64_t order_key = 0;
  OrderedEvents order;
  bool stopped = false;  // disc process role
};

// The lengths must cover the data exactly: nothing is dropped without a word.
bool IsWellFormed(const RecordChunk& chunk) {
  uint64_t total = 0;
  for (uint32_t length : chunk.lengths) total += length;
  return total == chunk.data.size();
}

class LoadChunkRequest : public Request {
 public:
  LoadChunkRequest(std::shared_ptr<LoadState> load, uint64_t number, RecordChunk chunk,
                   Done<LoadAnswer> done)
      : load_(std::move(load)),
        place_(load_->order.Reserve()),
        chunk_(std::move(chunk)),
        done_(std::move(done)) {
    answer_.chunk = number;
  }

  FileEntry* Target(VolumeState& state) override {
    return FindFile(state, load_->request.file.name);
  }
  bool changes() const override { return true; }
  bool bulk() const override { return true; }
  uint64_t order_key() const override { return load_->order_key; }

  void Execute(VolumeState& state, DiscProcess& process) override {
    status_ = Check();
    if (!status_.ok()) return;
    const absl::StatusOr<OpenEntry*> open = ResolveOpen(state, load_->request.file);
    status_ = open.status();
    if (!status_.ok()) return;
    WriteRecords(state, process, **open);
    (*open)->last_use_us = state.NowMicros();
    process.WaitForFile(*(*open)->entry, *this);
  }

  void Reply(const absl::Status& volume, bool) override {
    if (!volume.ok()) status_ = volume;
    load_->order.Complete(place_, [done = std::move(done_), status = std::move(status_),
                                   answer = std::move(answer_)]() mutable {
      if (status.ok()) {
        std::move(done)(std::move(answer));
      } else {
        std::move(done)(std::move(status));
      }
    });
  }

 private:
  absl::Status Check() const {
    if (load_->stopped) return volume_error::LoadStopped();
    if (chunk_.data.size() > kMaxMessageBytes) {
      return volume_error::ChunkTooLarge(chunk_.data.size());
    }
    return IsWellFormed(chunk_) ? absl::OkStatus() : volume_error::MalformedChunk();
  }

  void WriteRecords(VolumeState& state, DiscProcess& process, OpenEntry& open) {
    Operation write;
    write.kind = OperationKind::kWrite;
    size_t offset = 0;
    std::string unused;
    const OperationContext context{state, process, *this, open};
    for (uint32_t i = 0; i < chunk_.lengths.size(); ++i) {
      write.record = std::string_view(chunk_.data).substr(offset, chunk_.lengths[i]);
      offset += chunk_.lengths[i];
      OperationResult result;
      ExecuteOperation(context, write, &result, &unused);  // a change never waits for a lock
      process.SealIfLarge();
      absl::Status& status = result.status;
      if (status.ok()) {
        ++answer_.accepted;
        continue;
      }
      answer_.refused.emplace_back(i, std::move(status));
      if (load_->request.continue_on_error) continue;
      load_->stopped = true;
      answer_.stopped = true;
      return;
    }
  }

  std::shared_ptr<LoadState> load_;
  const uint64_t place_;
  RecordChunk chunk_;
  Done<LoadAnswer> done_;
  LoadAnswer answer_;
  absl::Status status_;
};

// Finish has nothing to make durable: it only waits for its turn behind the chunks.
class VolumeLoad : public LoadStream {
 public:
  explicit VolumeLoad(std::shared_ptr<LoadState> state) : state_(std::move(state)) {}

  void Send(RecordChunk chunk, Done<LoadAnswer> done) override {
    state_->core->process.Submit(std::make_unique<LoadChunkRequest>(
        state_, next_number_++, std::move(chunk), std::move(done)));
  }

  void Finish(DoneStatus done) override {
    state_->order.Complete(state_->order.Reserve(), [done = std::move(done)]() mutable {
      std::move(done)(absl::OkStatus());
    });
  }

 private:
  std::shared_ptr<LoadState> state_;
  uint64_t next_number_ = 0;
};

}  // namespace

std::unique_ptr<LoadStream> OpenVolumeLoad(std::shared_ptr<VolumeCore> core, LoadRequest request) {
  auto state = std::make_shared<LoadState>();
  state->order_key = core->next_order_key.fetch_add(1);
  state->core = std::move(core);
  state->request = std::move(request);
  return std::make_unique<VolumeLoad>(std::move(state));
}

}  // namespace quire
