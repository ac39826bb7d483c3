#include "server/store/fault_store.h"

#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "server/base/check.h"

namespace quire {

struct FaultPlan::State {
  mutable Mutex mutex;
  std::map<StoreCall, int> calls ABSL_GUARDED_BY(mutex);
  // Keyed by the number the failing call will have.
  std::map<std::pair<StoreCall, int>, absl::Status> faults ABSL_GUARDED_BY(mutex);
};

FaultPlan::FaultPlan() : state_(std::make_unique<State>()) {}
FaultPlan::~FaultPlan() = default;

void FaultPlan::FailAt(StoreCall kind, int k, absl::Status status) {
  QUIRE_CHECK(k >= 1 && !status.ok());
  MutexLock lock(&state_->mutex);
  state_->faults[{kind, state_->calls[kind] + k}] = std::move(status);
}

int FaultPlan::Calls(StoreCall kind) const {
  MutexLock lock(&state_->mutex);
  const auto found = state_->calls.find(kind);
  return found == state_->calls.end() ? 0 : found->second;
}

absl::Status FaultPlan::OnCall(StoreCall kind) {
  MutexLock lock(&state_->mutex);
  const int number = ++state_->calls[kind];
  auto fault = state_->faults.extract({kind, number});
  return fault.empty() ? absl::OkStatus() : std::move(fault.mapped());
}

namespace {

class FaultReader : public BlockReader {
 public:
  FaultReader(std::unique_ptr<BlockReader> reader, std::shared_ptr<FaultPlan> plan)
      : reader_(std::move(reader)), plan_(std::move(plan)) {}

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    if (absl::Status s = plan_->OnCall(StoreCall::kReadBlock); !s.ok()) return s;
    return reader_->ReadBlock(file, block, image);
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    return reader_->ReadLabels();
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    return reader_->ReadMeta(key);
  }

 private:
  const std::unique_ptr<BlockReader> reader_;
  const std::shared_ptr<FaultPlan> plan_;
};

class FaultAheadReader : public AheadReader {
 public:
  FaultAheadReader(std::unique_ptr<AheadReader> reader, std::shared_ptr<FaultPlan> plan)
      : reader_(std::move(reader)), plan_(std::move(plan)) {}

  absl::StatusOr<uint32_t> Bring(FileId file, absl::Span<const BlockNumber> blocks) override {
    if (absl::Status s = plan_->OnCall(StoreCall::kReadAhead); !s.ok()) return s;
    return reader_->Bring(file, blocks);
  }

 private:
  const std::unique_ptr<AheadReader> reader_;
  const std::shared_ptr<FaultPlan> plan_;
};

class FaultStore : public BlockStore {
 public:
  FaultStore(std::unique_ptr<BlockStore> store, std::shared_ptr<FaultPlan> plan)
      : store_(std::move(store)), plan_(std::move(plan)) {}

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    if (absl::Status s = plan_->OnCall(StoreCall::kReadBlock); !s.ok()) return s;
    return store_->ReadBlock(file, block, image);
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    return store_->ReadLabels();
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    return store_->ReadMeta(key);
  }
  absl::Status RenewSnapshot() override {
    if (absl::Status s = plan_->OnCall(StoreCall::kRenewSnapshot); !s.ok()) return s;
    return store_->RenewSnapshot();
  }
  absl::StatusOr<std::unique_ptr<BlockReader>> OpenReader() override {
    if (absl::Status s = plan_->OnCall(StoreCall::kOpenReader); !s.ok()) return s;
    absl::StatusOr<std::unique_ptr<BlockReader>> reader = store_->OpenReader();
    if (!reader.ok()) return reader.status();
    return std::make_unique<FaultReader>(*std::move(reader), plan_);
  }
  std::unique_ptr<AheadReader> OpenAheadReader() override {
    std::unique_ptr<AheadReader> reader = store_->OpenAheadReader();
    if (reader == nullptr) return nullptr;
    return std::make_unique<FaultAheadReader>(std::move(reader), plan_);
  }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override {
    if (absl::Status s = plan_->OnCall(StoreCall::kCommit); !s.ok()) return s;
    return store_->Commit(control_point);
  }
  absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) override {
    if (absl::Status s = plan_->OnCall(StoreCall::kEnsureRoom); !s.ok()) return s;
    return store_->EnsureRoom(dirty_blocks, dirty_bytes);
  }
  void ReleaseRoom() override { store_->ReleaseRoom(); }
  absl::StatusOr<MetaValues> CopyTo(const std::string& directory) override {
    return store_->CopyTo(directory);
  }
  StoreStatistics Statistics() const override { return store_->Statistics(); }

 private:
  const std::unique_ptr<BlockStore> store_;
  const std::shared_ptr<FaultPlan> plan_;
};

}  // namespace

std::unique_ptr<BlockStore> WrapWithFaults(std::unique_ptr<BlockStore> store,
                                           std::shared_ptr<FaultPlan> plan) {
  return std::make_unique<FaultStore>(std::move(store), std::move(plan));
}

}  // namespace quire
