#include "client/filesystem/partitioned_load.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "client/filesystem/chunk_split.h"
#include "client/filesystem/errors.h"
#include "quire/error.h"
#include "quire/mutex.h"

namespace quire {
namespace {

// mutex_ is never held while streams or callbacks are called. As in PartitionedOpen, one thread at
// a time sends and one delivers.
class LoadState : public std::enable_shared_from_this<LoadState> {
 public:
  LoadState(std::shared_ptr<Routing> routing, LoadRequest request)
      : routing_(std::move(routing)), request_(std::move(request)) {}

  void Start() {
    if (request_.file.create_id == 0) {
      // A load is long and is not sent again: a fresh label is worth its call.
      if (Label known = routing_->labels().Find(request_.file.name, 0)) {
        routing_->labels().Forget(request_.file.name, known->create_id);
      }
    }
    routing_->FetchLabel(request_.file, [self = shared_from_this()](absl::StatusOr<Label> label) {
      {
        MutexLock lock(&self->mutex_);
        if (label.ok()) {
          self->streams_.resize(PartitionCount((*label)->attributes));
        }
        self->label_ = std::move(label);
      }
      self->Work();
    });
  }

  void Send(RecordChunk chunk, Done<LoadAnswer> done) {
    auto entry = std::make_shared<Entry>();
    entry->chunk = std::move(chunk);
    entry->done = std::move(done);
    {
      MutexLock lock(&mutex_);
      entry->answer.chunk = chunks_++;
      entries_.push_back(entry);
      unsent_.push_back(std::move(entry));
    }
    Work();
  }

  void Finish(DoneStatus done) {
    {
      MutexLock lock(&mutex_);
      finish_ = std::move(done);
    }
    Work();
  }

  void Cancel() {
    std::vector<std::shared_ptr<LoadStream>> streams;  // destroyed outside of the lock
    MutexLock lock(&mutex_);
    cancelled_ = true;
    streams.swap(streams_);
  }

 private:
  struct Entry {
    RecordChunk chunk;
    Done<LoadAnswer> done;
    LoadAnswer answer;
    absl::Status failure;      // of the chunk as a whole
    uint32_t outstanding = 0;  // parts without answer
    bool sent = false;
  };

  void Work() {
    SendChunks();
    Deliver();
  }

  void SendChunks() {
    {
      MutexLock lock(&mutex_);
      if (sending_ || !label_) return;
      sending_ = true;
    }
    while (true) {
      std::shared_ptr<Entry> entry;
      absl::Status refusal;
      Label label;
      {
        MutexLock lock(&mutex_);
        if (unsent_.empty()) {
          sending_ = false;
          return;
        }
        entry = std::move(unsent_.front());
        unsent_.pop_front();
        if (stopped_ || cancelled_) refusal = filesystem_errors::LoadStopped();
        if (!label_->ok()) refusal = label_->status();
        if (refusal.ok()) label = **label_;
      }
      SendChunk(entry, label, refusal);
    }
  }

  void SendChunk(const std::shared_ptr<Entry>& entry, const Label& label, absl::Status refusal) {
    std::vector<ChunkPart> parts;
    if (refusal.ok()) {
      absl::StatusOr<std::vector<ChunkPart>> split =
          SplitChunk(label->attributes, std::move(entry->chunk));
      split.ok() ? static_cast<void>(parts = *std::move(split))
                 : static_cast<void>(refusal = split.status());
    }
    {
      MutexLock lock(&mutex_);
      entry->failure = refusal;
      entry->outstanding = static_cast<uint32_t>(parts.size());
      entry->sent = true;
    }
    for (ChunkPart& part : parts) SendPart(entry, label, std::move(part));
  }

  void SendPart(const std::shared_ptr<Entry>& entry, const Label& label, ChunkPart part) {
    absl::StatusOr<std::shared_ptr<LoadStream>> stream = StreamOf(label, part.partition);
    const size_t records = part.chunk.size();
    RecordChunk chunk = std::move(part.chunk);
    auto answered = [self = shared_from_this(), entry, part = std::move(part),
                     records](absl::StatusOr<LoadAnswer> answer) {
      self->OnAnswer(*entry, part, records, std::move(answer));
    };
    if (stream.ok()) {
      (*stream)->Send(std::move(chunk), std::move(answered));
    } else {
      answered(stream.status());
    }
  }

  // Only the sending thread starts streams.
  absl::StatusOr<std::shared_ptr<LoadStream>> StreamOf(const Label& label, uint32_t partition) {
    {
      MutexLock lock(&mutex_);
      if (cancelled_) return filesystem_errors::LoadStopped();
      if (streams_[partition] != nullptr) return streams_[partition];
    }
    absl::Status down = routing_->opens().Check(request_.file.open_id, partition);
    if (!down.ok()) return down;
    const FileReference address = AddressOf(*label, partition).file;
    absl::StatusOr<std::shared_ptr<Service>> volume = routing_->volumes().Find(address.name.volume);
    if (!volume.ok()) return volume.status();
    LoadRequest request = request_;
    request.file.name = address.name;
    request.file.create_id = address.create_id;
    std::shared_ptr<LoadStream> started = (*volume)->Load(std::move(request));
    MutexLock lock(&mutex_);
    if (!cancelled_) streams_[partition] = started;
    return started;
  }

  void OnAnswer(Entry& entry, const ChunkPart& part, size_t records,
                absl::StatusOr<LoadAnswer> answer) {
    {
      MutexLock lock(&mutex_);
      --entry.outstanding;
      LoadAnswer& merged = entry.answer;
      if (answer.ok()) {
        merged.accepted += answer->accepted;
        for (auto& [index, status] : answer->refused) {
          if (index >= records) continue;  // bytes from the wire
          merged.refused.emplace_back(part.PlaceOf(index), std::move(status));
        }
        merged.stopped = merged.stopped || answer->stopped;
      } else {
        RefusePart(merged, part, records, answer.status());
      }
      stopped_ = stopped_ || merged.stopped;
    }
    Deliver();
  }

  void RefusePart(LoadAnswer& merged, const ChunkPart& part, size_t records,
                  const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (request_.continue_on_error) {
      for (uint32_t i = 0; i < records; ++i) merged.refused.emplace_back(part.PlaceOf(i), status);
      return;
    }
    // A partition that stopped at an earlier chunk says so with 22: that refusal was told.
    const bool told = stopped_ && NumberOf(status) == ErrorNumber::kBadParameter;
    if (!told) merged.refused.emplace_back(part.PlaceOf(0), status);
    merged.stopped = true;
  }

  void Deliver() {
    {
      MutexLock lock(&mutex_);
      if (delivering_) return;
      delivering_ = true;
    }
    while (true) {
      std::shared_ptr<Entry> entry;
      DoneStatus finish;
      {
        MutexLock lock(&mutex_);
        if (!entries_.empty() && entries_.front()->sent && entries_.front()->outstanding == 0) {
          entry = std::move(entries_.front());
          entries_.pop_front();
        } else if (entries_.empty() && label_ && finish_) {
          finish = std::exchange(finish_, nullptr);
        }
        if (!entry && !finish) {
          delivering_ = false;
          return;
        }
      }
      if (entry) {
        DeliverAnswer(*entry);
      } else {
        FinishStreams(std::move(finish));
      }
    }
  }

  static void DeliverAnswer(Entry& entry) {
    if (!entry.failure.ok()) {
      std::move(entry.done)(entry.failure);
      return;
    }
    std::sort(entry.answer.refused.begin(), entry.answer.refused.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::move(entry.done)(std::move(entry.answer));
  }

  void FinishStreams(DoneStatus done) {
    struct Ends {
      Mutex mutex;
      size_t left = 1;
      absl::Status first_failure;
      DoneStatus done;
    };
    auto ends = std::make_shared<Ends>();
    ends->done = std::move(done);
    std::vector<std::shared_ptr<LoadStream>> streams;
    {
      MutexLock lock(&mutex_);
      for (const auto& stream : streams_) {
        if (stream != nullptr) streams.push_back(stream);
      }
      if (!label_->ok()) ends->first_failure = label_->status();
      ends->left += streams.size();
    }
    const auto ended = [ends](const absl::Status& status) {
      {
        MutexLock lock(&ends->mutex);
        ends->first_failure.Update(status);
        if (--ends->left > 0) return;
      }
      std::move(ends->done)(ends->first_failure);
    };
    for (const auto& stream : streams) stream->Finish(ended);
    ended(absl::OkStatus());
  }

  const std::shared_ptr<Routing> routing_;
  const LoadRequest request_;

  Mutex mutex_;
  std::optional<absl::StatusOr<Label>> label_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<LoadStream>> streams_ ABSL_GUARDED_BY(mutex_);  // per partition
  std::deque<std::shared_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);  // without answer, in order
  std::deque<std::shared_ptr<Entry>> unsent_ ABSL_GUARDED_BY(mutex_);
  uint64_t chunks_ ABSL_GUARDED_BY(mutex_) = 0;
  DoneStatus finish_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  bool delivering_ ABSL_GUARDED_BY(mutex_) = false;
};

class PartitionedLoad : public LoadStream {
 public:
  explicit PartitionedLoad(std::shared_ptr<LoadState> state) : state_(std::move(state)) {}
  ~PartitionedLoad() override { state_->Cancel(); }

  void Send(RecordChunk chunk, Done<LoadAnswer> done) override {
    state_->Send(std::move(chunk), std::move(done));
  }
  void Finish(DoneStatus done) override { state_->Finish(std::move(done)); }

 private:
  const std::shared_ptr<LoadState> state_;
};

}  // namespace

std::unique_ptr<LoadStream> LoadPartitions(std::shared_ptr<Routing> routing, LoadRequest request) {
  auto state = std::make_shared<LoadState>(std::move(routing), std::move(request));
  state->Start();
  return std::make_unique<PartitionedLoad>(std::move(state));
}

}  // namespace quire
