#include "client/bench/profile/profile_work.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "client/bench/errors.h"
#include "client/bench/made_file.h"
#include "quire/mutex.h"

namespace quire {
namespace bench {
namespace {

// Looking at the clock and at the bytes for each record of a scan would show in the profile.
constexpr uint64_t kScanLook = 64;

// How many calls are under way, and the first failure of them.
class Gate {
 public:
  // Waits until fewer than `most` are under way, then counts one more.
  void Begin(uint32_t most) {
    MutexLock lock(&mutex_);
    while (under_way_ >= most) changed_.Wait(&mutex_);
    ++under_way_;
  }
  void End(const absl::Status& status) {
    MutexLock lock(&mutex_);
    --under_way_;
    failure_.Update(status);
    changed_.Signal();
  }
  absl::Status AwaitAll() {
    MutexLock lock(&mutex_);
    while (under_way_ > 0) changed_.Wait(&mutex_);
    return failure_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  uint32_t under_way_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
};

bool Writes(ProfileWork work) {
  return work == ProfileWork::kLoad || work == ProfileWork::kWrite ||
         work == ProfileWork::kWriteAudit;
}

}  // namespace

std::string_view NameOf(ProfileWork work) {
  switch (work) {
    case ProfileWork::kLoad:
      return "load stream";
    case ProfileWork::kWrite:
      return "write BUFFERED";
    case ProfileWork::kWriteAudit:
      return "write AUDIT";
    case ProfileWork::kReadUnary:
      return "read, single calls";
    case ProfileWork::kRead:
      return "read, session";
    case ProfileWork::kScan:
      return "scan";
  }
  return "";
}

ProfileWorker::ProfileWorker(FileSystem* file_system, std::shared_ptr<Service> unary,
                             std::string volume, const MadeRecords* records)
    : file_system_(file_system),
      unary_(std::move(unary)),
      records_(records),
      read_name_{.node = "", .volume = volume, .subvolume = "PROFILE", .file = "READ"},
      write_name_{
          .node = "", .volume = std::move(volume), .subvolume = "PROFILE", .file = "WRITE"} {}

ProfileWorker::~ProfileWorker() = default;

absl::Status ProfileWorker::Make(const FileName& name, bool audit) {
  FileAttributes attributes = MadeFileAttributes();
  attributes.audit = audit;
  return file_system_->Create(name, attributes).status();
}

absl::Status ProfileWorker::Prepare() {
  if (absl::Status s = Make(read_name_, /*audit=*/false); !s.ok()) return s;
  return LoadMadeFile(*file_system_, read_name_, *records_, RecordOrder::kAscending);
}

absl::Status ProfileWorker::Before(ProfileWork work) {
  if (!Writes(work)) return absl::OkStatus();
  return Make(write_name_, work == ProfileWork::kWriteAudit);
}

absl::Status ProfileWorker::After(ProfileWork work) {
  if (!Writes(work)) return absl::OkStatus();
  if (absl::Status s = file_system_->Purge(write_name_); !s.ok()) return s;
  // Purged blocks go with control points: not in the time of the work that comes next.
  absl::Status refreshed = file_system_->Refresh("").status();
  if (refreshed.ok()) refreshed = file_system_->Refresh("").status();
  return refreshed;
}

absl::StatusOr<uint64_t> ProfileWorker::Run(ProfileWork work, uint32_t in_flight,
                                            absl::Duration time) {
  const absl::Time end = absl::Now() + time;
  switch (work) {
    case ProfileWork::kLoad:
      return Load(end);
    case ProfileWork::kWrite:
    case ProfileWork::kWriteAudit:
      return Session(/*writes=*/true, in_flight, end);
    case ProfileWork::kReadUnary:
      return Unary(in_flight, end);
    case ProfileWork::kRead:
      return Session(/*writes=*/false, in_flight, end);
    case ProfileWork::kScan:
      return Scans(in_flight, end);
  }
  return uint64_t{0};
}

absl::StatusOr<uint64_t> ProfileWorker::Load(absl::Time end) {
  absl::StatusOr<std::unique_ptr<File>> file = file_system_->Open(write_name_, FileOpenOptions{});
  if (!file.ok()) return file.status();
  uint64_t next = 0;
  std::string record(MadeRecords::kRecordBytes, ' ');
  const absl::StatusOr<LoadSummary> loaded = (*file)->Load(
      [&](std::string_view* out) {
        if (next == records_->count() || (next % kScanLook == 0 && absl::Now() >= end)) {
          return false;
        }
        records_->Fill(next++, absl::MakeSpan(record));
        *out = record;
        return true;
      },
      {});
  if (!loaded.ok()) return loaded.status();
  if (!loaded->refused.empty()) {
    return RecordRefused("record", loaded->refused[0].first + 1, loaded->refused[0].second);
  }
  if (absl::Status s = file_system_->Refresh("").status(); !s.ok()) return s;
  return loaded->accepted;
}

absl::StatusOr<uint64_t> ProfileWorker::Session(bool writes, uint32_t in_flight, absl::Time end) {
  FileOpenOptions options;
  // Two messages under way, so that neither side waits for the other.
  options.batch_operations = std::max(1U, in_flight / 2);
  absl::StatusOr<std::unique_ptr<File>> file =
      file_system_->Open(writes ? write_name_ : read_name_, options);
  if (!file.ok()) return file.status();
  Gate gate;
  std::string bytes(writes ? MadeRecords::kRecordBytes : MadeRecords::kKeyBytes, ' ');
  uint64_t done = 0;
  for (; absl::Now() < end && !(writes && done == records_->count()); ++done) {
    // A message leaves when it is full, so what is waited for here is on its way.
    gate.Begin(in_flight);
    if (writes) {
      records_->Fill(records_->RankAt(RecordOrder::kShuffled, done), absl::MakeSpan(bytes));
      (*file)->WriteNowait(
          bytes, [&gate](const absl::Status& status, std::string_view) { gate.End(status); });
    } else {
      const uint64_t place = next_read_++ % records_->count();
      const uint64_t rank = records_->RankAt(RecordOrder::kShuffled, place);
      records_->FillKey(rank, absl::MakeSpan(bytes));
      (*file)->ReadNowait(bytes,
                          [this, &gate, rank](const absl::Status& status, std::string_view record) {
                            gate.End(status.ok() ? CheckKey(rank, record) : status);
                          });
    }
  }
  absl::Status streams = (*file)->Wait();
  if (absl::Status s = gate.AwaitAll(); !s.ok()) return s;
  if (!streams.ok()) return streams;
  if (writes) streams = file_system_->Refresh("").status();
  if (!streams.ok()) return streams;
  return done;
}

absl::StatusOr<uint64_t> ProfileWorker::Unary(uint32_t in_flight, absl::Time end) {
  Gate gate;
  uint64_t done = 0;
  for (; absl::Now() < end; ++done) {
    const uint64_t place = next_read_++ % records_->count();
    const uint64_t rank = records_->RankAt(RecordOrder::kShuffled, place);
    const std::string key = records_->Key(rank);
    UnaryRequest request;
    request.file.name = read_name_;
    request.file.client_name = "quire-bench";
    Operation read;
    read.key = key;
    request.operation.Add(read);
    gate.Begin(in_flight);
    unary_->Execute(std::move(request), [this, &gate, rank](absl::StatusOr<BatchResult> result) {
      absl::Status status = result.ok() ? result->results.at(0).status : result.status();
      gate.End(status.ok() ? CheckKey(rank, result->record(0)) : status);
    });
  }
  if (absl::Status s = gate.AwaitAll(); !s.ok()) return s;
  return done;
}

// Comparing whole records would show in the profile.
absl::Status ProfileWorker::CheckKey(uint64_t rank, std::string_view record) const {
  const std::string_view key = record.substr(0, MadeRecords::kKeyBytes);
  const bool same = record.size() == MadeRecords::kRecordBytes && records_->MatchesStart(rank, key);
  return same ? absl::OkStatus() : OtherRecordRead(rank);
}

// To the end of the file, or until `end`.
absl::StatusOr<uint64_t> ProfileWorker::Scan(File& file, absl::Time end) const {
  const std::unique_ptr<Scanner> scanner = file.Scan({});
  for (uint64_t rank = 0;; ++rank) {
    const absl::StatusOr<std::string_view> record = scanner->Next();
    if (NumberOf(record.status()) == ErrorNumber::kEndOfFile) {
      if (rank != records_->count()) {
        return OtherRecordCount(read_name_.ToString(), rank, records_->count());
      }
      return rank;
    }
    if (!record.ok()) return record.status();
    if (rank % kScanLook != 0) continue;
    if (!records_->Matches(rank, *record)) return OtherRecordRead(rank);
    if (absl::Now() >= end) return rank + 1;
  }
}

absl::StatusOr<uint64_t> ProfileWorker::Scans(uint32_t in_flight, absl::Time end) {
  std::atomic<uint64_t> done = 0;
  std::vector<absl::Status> failures(in_flight);
  std::vector<std::thread> threads;
  const auto scan = [&](absl::Status* failure) {
    absl::StatusOr<std::unique_ptr<File>> file =
        file_system_->Open(read_name_, FileOpenOptions{.access = AccessMode::kRead});
    if (!file.ok()) {
      *failure = file.status();
      return;
    }
    uint64_t records = 0;
    while (absl::Now() < end) {
      const absl::StatusOr<uint64_t> scanned = Scan(**file, end);
      if (!scanned.ok()) {
        *failure = scanned.status();
        return;
      }
      records += *scanned;
    }
    done += records;
  };
  for (uint32_t i = 0; i < in_flight; ++i) threads.emplace_back(scan, &failures[i]);
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return done.load();
}

}  // namespace bench
}  // namespace quire
