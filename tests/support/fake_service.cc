#include "tests/support/fake_service.h"

#include <algorithm>
#include <iterator>

#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace {

absl::Status Missing(const std::string& what) {
  return MakeError(ErrorNumber::kNotFound, StrCat(what, " is not there"));
}

OperationResult Failed(ErrorNumber number, std::string_view sentence) {
  OperationResult result;
  result.status = MakeError(number, sentence);
  return result;
}

bool InSet(const Operation& operation, std::string_view key) {
  switch (operation.mode) {
    case ReadMode::kByKey:
      return key == operation.key;
    case ReadMode::kGeneric:
      return key.starts_with(operation.key);
    case ReadMode::kApproximate:
      if (operation.skip_exact && key == operation.key) return false;
      return operation.reverse ? key <= operation.key : key >= operation.key;
  }
  return false;
}

}  // namespace

// ---- Hooks ----------------------------------------------------------------------------------

void FakeService::FailWith(FailHook hook) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fail_ = std::move(hook);
}

void FakeService::HoldAnswers() {
  const std::lock_guard<std::mutex> lock(mutex_);
  holding_ = true;
}

void FakeService::ReleaseAnswers() {
  while (true) {
    std::vector<absl::AnyInvocable<void() &&>> held;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      held.swap(held_);
      // New answers queue up until the last held one is out, so that none overtakes.
      if (held.empty()) {
        holding_ = false;
        return;
      }
    }
    for (auto& answer : held) std::move(answer)();
  }
}

void FakeService::Answer(absl::AnyInvocable<void() &&> answer) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (holding_) return held_.push_back(std::move(answer));
  }
  std::move(answer)();
}

absl::Status FakeService::Fail(const std::string& what) const {
  FailHook hook;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    hook = fail_;
  }
  return hook ? hook(what) : absl::OkStatus();
}

std::map<std::string, std::string> FakeService::Records(const std::string& name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [file_name, file] : files_) {
    if (file_name.ToString() == name) return file.records;
  }
  return {};
}

int FakeService::open_sessions() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return open_sessions_;
}

int FakeService::closed_sessions() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return closed_sessions_;
}

int FakeService::detached_sessions() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return detached_sessions_;
}

FakeService::Requests FakeService::requests() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return requests_;
}

void FakeService::SetListings(std::vector<OpenInfo> opens, std::vector<LockInfo> locks) {
  const std::lock_guard<std::mutex> lock(mutex_);
  opens_ = std::move(opens);
  locks_ = std::move(locks);
}

int FakeService::open_scans() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return open_scans_;
}

uint64_t FakeService::pages_read() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return pages_read_;
}

size_t FakeService::answers_held() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return held_.size();
}

// ---- Records --------------------------------------------------------------------------------

absl::StatusOr<FakeService::FakeFile*> FakeService::Find(const FileName& name) {
  const auto found = files_.find(name);
  if (found == files_.end()) return Missing(name.ToString());
  return &found->second;
}

OperationResult FakeService::ReadOne(FakeFile& file, const Operation& operation,
                                     std::string* data) {
  const auto give = [&](const std::string& record) {
    OperationResult result;
    result.offset = static_cast<uint32_t>(data->size());
    result.length = static_cast<uint32_t>(record.size());
    data->append(record);
    return result;
  };
  if (operation.reverse) {
    for (auto at = file.records.rbegin(); at != file.records.rend(); ++at) {
      if (InSet(operation, at->first)) return give(at->second);
    }
  } else {
    for (const auto& [key, record] : file.records) {
      if (InSet(operation, key)) return give(record);
    }
  }
  return operation.mode == ReadMode::kByKey ? Failed(ErrorNumber::kNotFound, "no such record")
                                            : Failed(ErrorNumber::kEndOfFile, "no record left");
}

OperationResult FakeService::RunOne(FakeFile& file, const Operation& operation, std::string* data) {
  if (operation.kind == OperationKind::kRead) return ReadOne(file, operation, data);
  // No positions, no locks: answered, but without effect.
  if (operation.kind > OperationKind::kDelete) return OperationResult();
  const FileAttributes& attributes = file.info.attributes;
  const bool is_delete = operation.kind == OperationKind::kDelete;
  if (!is_delete && operation.record.size() < attributes.key_offset + attributes.key_length) {
    return Failed(ErrorNumber::kIllegalCount, "the record is shorter than its key");
  }
  if (drop_records_) return OperationResult();
  const std::string key(
      is_delete ? operation.key
                : operation.record.substr(attributes.key_offset, attributes.key_length));
  const bool present = file.records.contains(key);
  if (operation.kind == OperationKind::kWrite && present) {
    return Failed(ErrorNumber::kAlreadyExists, StrCat("key ", key, " exists"));
  }
  if (operation.kind != OperationKind::kWrite && !present) {
    return Failed(ErrorNumber::kNotFound, StrCat("no record has key ", key));
  }
  ++change_sequence_;
  if (is_delete) {
    file.records.erase(key);
  } else {
    file.records[key] = std::string(operation.record);
  }
  return OperationResult();
}

BatchResult FakeService::Run(const FileName& name, const OperationBatch& batch) {
  Keep(&Requests::batches, batch);
  BatchResult result;
  result.first_sequence = batch.first_sequence;
  result.epoch = 1;
  result.results.reserve(batch.size());
  const bool hooked = [this] {
    const std::lock_guard<std::mutex> lock(mutex_);
    return fail_ != nullptr;
  }();
  bool stop = false;
  for (size_t i = 0; i < batch.size(); ++i) {
    absl::Status status = hooked ? Fail("Operation") : absl::OkStatus();
    const std::lock_guard<std::mutex> lock(mutex_);
    absl::StatusOr<FakeFile*> file = Find(name);
    if (status.ok()) status = file.status();
    OperationResult one;
    one.status = status;
    if (stop) one = Failed(ErrorNumber::kBadParameter, "not executed");
    if (!stop && status.ok()) one = RunOne(**file, batch[i], &result.data);
    stop = stop || (batch.stop_on_error && !one.status.ok());
    result.results.push_back(std::move(one));
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  result.change_sequence = change_sequence_;
  return result;
}

void FakeService::Execute(UnaryRequest request, Done<BatchResult> done) {
  absl::StatusOr<BatchResult> result = Run(request.file.name, request.operation);
  if (absl::Status status = Fail("Execute"); !status.ok()) result = status;
  Answer(std::move(done), std::move(result));
}

// ---- Files ----------------------------------------------------------------------------------

void FakeService::Create(CreateRequest request, Done<FileInfo> done) {
  absl::StatusOr<FileAttributes> attributes = Normalize(request.attributes);
  absl::StatusOr<FileInfo> answer = FileInfo();
  if (absl::Status status = Fail("Create"); !status.ok()) {
    answer = status;
  } else if (!attributes.ok()) {
    answer = attributes.status();
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    answer->name = request.name;
    answer->attributes = *std::move(attributes);
    answer->partition = request.partition;
    answer->primary_volume = request.partition_only ? request.primary_volume : request.name.volume;
    answer->create_id = request.create_id != 0 ? request.create_id : next_id_++;
    answer->owner_group = request.owner_group.value_or(10);
    answer->owner_user = request.owner_user.value_or(1);
    answer->security = request.security.empty() ? "GOGO" : request.security;
    if (!files_.emplace(request.name, FakeFile{*answer, {}}).second) {
      answer = MakeError(ErrorNumber::kAlreadyExists, StrCat(request.name.ToString(), " exists"));
    }
  }
  Answer(std::move(done), std::move(answer));
}

void FakeService::Info(FileReference file, Done<FileDescription> done) {
  absl::StatusOr<FileDescription> answer = FileDescription();
  if (absl::Status status = Fail("Info"); !status.ok()) {
    answer = status;
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    const absl::StatusOr<FakeFile*> found = Find(file.name);
    if (found.ok()) {
      answer->primary = (*found)->info;
      answer->primary.record_count = (*found)->records.size();
    } else {
      answer = found.status();
    }
  }
  Answer(std::move(done), std::move(answer));
}

void FakeService::Alter(AlterRequest request, DoneStatus done) {
  absl::Status status = Fail("Alter");
  if (status.ok()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const absl::StatusOr<FakeFile*> found = Find(request.file.name);
    status = found.status();
    if (status.ok()) {
      FileInfo& info = (*found)->info;
      if (request.buffered) info.attributes.buffered = *request.buffered;
      if (request.max_extents) info.attributes.max_extents = *request.max_extents;
      if (request.step == PartitionStep::kConfirm) info.pending = false;
      if (request.step == PartitionStep::kConfirmed) info.confirmed = true;
    }
  }
  Answer(std::move(done), std::move(status));
}

void FakeService::Purge(PurgeRequest request, DoneStatus done) {
  absl::Status status = Fail("Purge");
  if (status.ok()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (files_.erase(request.file.name) == 0) status = Missing(request.file.name.ToString());
  }
  Answer(std::move(done), std::move(status));
}

void FakeService::List(ListRequest request, Done<ListPage> done) {
  absl::StatusOr<ListPage> answer = ListPage();
  if (absl::Status status = Fail("List"); !status.ok()) {
    answer = status;
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    const size_t limit = request.page_size == 0 ? kListPageSize : request.page_size;
    for (const auto& [name, file] : files_) {
      if (!MatchesFileset(request.fileset, name) || file.info.pending != request.pending) continue;
      if (name.ToString() <= request.page_token) continue;
      if (answer->files.size() == limit) {
        answer->next_page_token = answer->files.back().name.ToString();
        break;
      }
      answer->files.push_back(file.info);
    }
  }
  Answer(std::move(done), std::move(answer));
}

void FakeService::ListOpens(ListOpensRequest request, Done<ListOpensPage> done) {
  absl::StatusOr<ListOpensPage> answer = ListOpensPage();
  if (absl::Status status = Fail("ListOpens"); !status.ok()) {
    answer = status;
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    const absl::StatusOr<FakeFile*> found = Find(request.file.name);
    if (found.ok()) {
      answer->opens = opens_;
    } else {
      answer = found.status();
    }
  }
  Answer(std::move(done), std::move(answer));
}

void FakeService::ListLocks(ListLocksRequest request, Done<ListLocksPage> done) {
  Keep(&Requests::lock_lists, request);
  absl::StatusOr<ListLocksPage> answer = ListLocksPage();
  if (absl::Status status = Fail("ListLocks"); !status.ok()) {
    answer = status;
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    answer->locks = locks_;
    answer->next_page_token = "next";
  }
  Answer(std::move(done), std::move(answer));
}

void FakeService::Volumes(Done<std::vector<std::string>> done) {
  absl::StatusOr<std::vector<std::string>> answer = std::vector<std::string>{volume_};
  if (absl::Status status = Fail("Volumes"); !status.ok()) answer = status;
  Answer(std::move(done), std::move(answer));
}

void FakeService::Refresh(std::string volume, Done<RefreshAnswer> done) {
  absl::StatusOr<RefreshAnswer> answer = RefreshAnswer();
  if (absl::Status status = Fail("Refresh"); !status.ok()) {
    answer = status;
  } else if (!volume.empty() && volume != volume_) {
    answer = MakeError(ErrorNumber::kNoSuchVolume, StrCat(volume, " is not in the volume map"));
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    answer = RefreshAnswer{7, change_sequence_};
  }
  Answer(std::move(done), std::move(answer));
}

void FakeService::Check(FileReference file, Done<std::vector<PartitionCheck>> done) {
  const absl::Status failure = Fail("Check");
  Answer(std::move(done),
         failure.ok() ? CheckNow(file.name) : absl::StatusOr<std::vector<PartitionCheck>>(failure));
}

absl::StatusOr<std::vector<PartitionCheck>> FakeService::CheckNow(const FileName& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const absl::StatusOr<FakeFile*> found = Find(name);
  if (!found.ok()) return found.status();
  const uint64_t records = (*found)->records.size();
  return std::vector<PartitionCheck>{
      {name, 0, {}, {{0, 1, records, 100}}, (*found)->info.attributes.block_bytes, 1, 0, 9}};
}

void FakeService::Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) {
  absl::StatusOr<MeasureSnapshot> answer = MeasureSnapshot();
  if (absl::Status status = Fail("Snapshot"); !status.ok()) {
    answer = status;
  } else if (!request.volume.empty() && request.volume != volume_) {
    answer =
        MakeError(ErrorNumber::kNoSuchVolume, StrCat(request.volume, " is not in the volume map"));
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    VolumeSnapshot volume{volume_, 1, 1000000, {}};
    EntityRecord record;
    record.volume = volume_;
    record.counters.push_back(
        {"REQUESTS", CounterKind::kIncrementing, "#", static_cast<int64_t>(change_sequence_)});
    volume.records.push_back(std::move(record));
    answer->volumes.push_back(std::move(volume));
  }
  Answer(std::move(done), std::move(answer));
}

}  // namespace quire
