#include "client/bench/peers/quire_store.h"

#include <utility>

#include "client/bench/made_file.h"
#include "client/bench/peers/errors.h"
#include "client/bench/process_figures.h"
#include "quire/error.h"
#include "quire/mutex.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr uint32_t kBatchOperations = 64;

// The first failure among operations that complete on other threads.
class FirstFailure {
 public:
  void Note(const absl::Status& status) {
    if (status.ok()) return;
    MutexLock lock(&mutex_);
    first_.Update(status);
  }
  absl::Status status() {
    MutexLock lock(&mutex_);
    return first_;
  }

 private:
  Mutex mutex_;
  absl::Status first_ ABSL_GUARDED_BY(mutex_);
};

absl::Status LoadAll(File* file, const std::vector<RecordView>& records) {
  size_t next = 0;
  const absl::StatusOr<LoadSummary> loaded = file->Load(
      [&](std::string_view* record) {
        if (next == records.size()) return false;
        *record = records[next++];
        return true;
      },
      {});
  if (!loaded.ok()) return loaded.status();
  return loaded->refused.empty() ? absl::OkStatus() : loaded->refused.front().second;
}

}  // namespace

uint64_t VolumeDataBytes(const std::string& directory) {
  const std::string volume = StrCat(directory, "/", std::string_view(kBenchVolume).substr(1));
  return DirectoryBytes(volume) - DirectoryBytes(volume + "/trail");
}

absl::StatusOr<std::unique_ptr<QuireStore>> QuireStore::Make(std::unique_ptr<FileSystem> system,
                                                             const QuireStoreOptions& options) {
  std::unique_ptr<QuireStore> store(new QuireStore(std::move(system), options));
  const bool durable = options.durability != PeerDurability::kNone;
  FileAttributes attributes = MadeFileAttributes();
  attributes.audit = durable && options.durable_mode == DurableMode::kAudit;
  attributes.buffered = !durable || attributes.audit;
  store->name_ = {.node = "", .volume = kBenchVolume, .subvolume = "BENCH", .file = "PEERS"};
  const absl::StatusOr<FileInfo> created = store->system_->Create(store->name_, attributes);
  if (!created.ok()) return created.status();
  FileOpenOptions opening;
  opening.batch_operations = kBatchOperations;
  absl::StatusOr<std::unique_ptr<File>> opened = store->system_->Open(store->name_, opening);
  if (!opened.ok()) return opened.status();
  store->file_ = *std::move(opened);
  opening.access = AccessMode::kRead;
  opened = store->system_->Open(store->name_, opening);
  if (!opened.ok()) return opened.status();
  store->reader_ = *std::move(opened);
  return store;
}

absl::Status QuireStore::Write(RecordView record) {
  return file_->Write(record);
}

absl::Status QuireStore::WriteGroup(const std::vector<RecordView>& records) {
  if (records.size() >= options_.load_from) return LoadAll(file_.get(), records);
  FirstFailure failure;
  for (const RecordView record : records) {
    file_->WriteNowait(
        record, [&failure](const absl::Status& status, std::string_view) { failure.Note(status); });
  }
  const absl::Status waited = file_->Wait();
  return waited.ok() ? failure.status() : waited;
}

absl::Status QuireStore::Update(RecordView record) {
  return file_->Update(record);
}

absl::Status QuireStore::Settle() {
  return system_->Refresh(kBenchVolume).status();
}

absl::Status QuireStore::Read(std::string_view key, std::string* record) {
  return reader_->ReadInto(key, record);
}

absl::Status QuireStore::ReadGroup(const std::vector<std::string>& keys,
                                   absl::FunctionRef<void(RecordView)> visit) {
  FirstFailure failure;
  for (const std::string& key : keys) {
    // Completions of one partition come one after the other, in the order of the calls.
    reader_->ReadNowait(key, [&](const absl::Status& status, std::string_view record) {
      failure.Note(status);
      if (status.ok()) visit(record);
    });
  }
  const absl::Status waited = reader_->Wait();
  return waited.ok() ? failure.status() : waited;
}

absl::Status QuireStore::Scan(std::string_view start, uint64_t limit,
                              absl::FunctionRef<void(RecordView)> visit) {
  ScanOptions options;
  options.range.start = std::string(start);
  options.max_records = limit;
  const std::unique_ptr<Scanner> scanner = reader_->Scan(options);
  for (uint64_t i = 0; i < limit; ++i) {
    const absl::StatusOr<std::string_view> record = scanner->Next();
    if (NumberOf(record.status()) == ErrorNumber::kEndOfFile) break;
    if (!record.ok()) return record.status();
    visit(*record);
  }
  return absl::OkStatus();
}

absl::Status QuireStore::Close() {
  const absl::Status closed = reader_->Close();
  return closed.ok() ? file_->Close() : closed;
}

std::vector<Peer> QuirePeers() {
  std::vector<Peer> peers = QuireEmbeddedPeers();
  for (Peer& peer : QuireNetworkPeers()) peers.push_back(std::move(peer));
  return peers;
}

}  // namespace bench
}  // namespace quire
