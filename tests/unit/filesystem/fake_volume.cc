#include "tests/unit/filesystem/fake_volume.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "quire/error.h"
#include "quire/text.h"

namespace quire::testing {
namespace {

absl::Status NotFound(std::string_view what) {
  return MakeError(ErrorNumber::kNotFound, StrCat(what, " is not there"));
}

}  // namespace

std::string FakeVolume::KeyOfName(const FileName& name) {
  return StrCat(name.subvolume, ".", name.file);
}

FakeVolume::~FakeVolume() {
  StopThread();
}

void FakeVolume::StopThread() {
  if (!thread_.joinable()) return;
  {
    MutexLock lock(&queue_->mutex);
    queue_->stopping = true;
    queue_->posted.SignalAll();
  }
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void FakeVolume::UseThread() {
  threaded_ = true;
  thread_ = std::thread([queue = queue_] {
    while (true) {
      Task task;
      {
        MutexLock lock(&queue->mutex);
        while (!queue->stopping && queue->tasks.empty()) queue->posted.Wait(&queue->mutex);
        if (queue->tasks.empty()) return;
        task = std::move(queue->tasks.front());
        queue->tasks.pop_front();
      }
      std::move(task)();
    }
  });
}

void FakeVolume::Run(Task task) {
  {
    MutexLock lock(&queue_->mutex);
    if (threaded_ && !queue_->stopping) {
      queue_->tasks.push_back(std::move(task));
      queue_->posted.Signal();
      return;
    }
  }
  std::move(task)();
}

Failure FakeVolume::Enter(const std::string& call) {
  {
    MutexLock lock(&mutex_);
    calls_.push_back(call);
    if (down_) {
      return {MakeError(ErrorNumber::kVolumeDown, StrCat(name_, " is down"), Retry::kSafe), false};
    }
  }
  return on_call ? on_call(call) : Failure{};
}

void FakeVolume::SetDown(bool down) {
  MutexLock lock(&mutex_);
  down_ = down;
}

void FakeVolume::Hold() {
  MutexLock lock(&mutex_);
  held_ = true;
}

void FakeVolume::Release() {
  std::vector<std::shared_ptr<Open>> opens;
  {
    MutexLock lock(&mutex_);
    held_ = false;
    opens = opens_;
  }
  for (const auto& open : opens) Pump(open);
}

void FakeVolume::BreakSessions(const absl::Status& status) {
  std::vector<std::shared_ptr<Open>> opens;
  {
    MutexLock lock(&mutex_);
    opens.swap(opens_);
    std::erase_if(opens, [](const auto& open) { return open->closed; });
    for (const auto& open : opens) open->closed = true;
  }
  for (const auto& open : opens) open->events->OnClosed(status);
}

bool FakeVolume::HasLabel(const std::string& file) {
  MutexLock lock(&mutex_);
  return files_.contains(file);
}

std::vector<FileInfo> FakeVolume::Labels() {
  MutexLock lock(&mutex_);
  std::vector<FileInfo> labels;
  for (const auto& [name, disc] : files_) labels.push_back(disc.info);
  return labels;
}

std::vector<std::string> FakeVolume::Keys(const std::string& file) {
  MutexLock lock(&mutex_);
  std::vector<std::string> keys;
  for (const auto& [key, record] : files_.at(file).records) keys.push_back(key);
  return keys;
}

void FakeVolume::RemoveLabel(const std::string& file) {
  MutexLock lock(&mutex_);
  files_.erase(file);
}

void FakeVolume::SetOpenCount(const std::string& file, uint32_t count) {
  MutexLock lock(&mutex_);
  files_.at(file).info.open_count = count;
}

size_t FakeVolume::sessions() {
  MutexLock lock(&mutex_);
  return static_cast<size_t>(
      std::count_if(opens_.begin(), opens_.end(), [](const auto& open) { return !open->closed; }));
}

size_t FakeVolume::batches() {
  MutexLock lock(&mutex_);
  return batches_;
}

size_t FakeVolume::highest_outstanding() {
  MutexLock lock(&mutex_);
  return highest_outstanding_;
}

std::vector<OpenRequest> FakeVolume::opens() {
  MutexLock lock(&mutex_);
  return open_requests_;
}

std::vector<ScanRequest> FakeVolume::scans() {
  MutexLock lock(&mutex_);
  return scan_requests_;
}

std::vector<std::string> FakeVolume::calls() {
  MutexLock lock(&mutex_);
  return calls_;
}

absl::StatusOr<FakeVolume::Disc*> FakeVolume::Find(const FileReference& file) {
  const auto found = files_.find(KeyOfName(file.name));
  if (found == files_.end()) return NotFound(file.name.ToString());
  const FileInfo& info = found->second.info;
  if (file.create_id != 0 && file.create_id != info.create_id) {
    return MakeError(ErrorNumber::kReopen, "another file of that name", Retry::kReopen);
  }
  if (file.create_id == 0 && info.pending) return NotFound(file.name.ToString());
  if (file.create_id == 0 && info.partition != 0) {
    return MakeError(ErrorNumber::kPartitionMissing, "a secondary by name");
  }
  return &found->second;
}

// ---- Files ----------------------------------------------------------------------------------

absl::StatusOr<FileInfo> FakeVolume::Make(const CreateRequest& request) {
  const std::string key = KeyOfName(request.name);
  const auto found = files_.find(key);
  if (found != files_.end()) {
    if (found->second.info.create_id == request.create_id) return found->second.info;
    if (!found->second.info.pending) return MakeError(ErrorNumber::kAlreadyExists, "exists");
    files_.erase(found);  // left over by another CREATE
  }
  Disc& disc = files_[key];
  disc.info.name = request.name;
  disc.info.attributes = request.attributes;
  disc.info.partition = request.partition;
  disc.info.primary_volume = request.primary_volume;
  disc.info.create_id = request.create_id;
  disc.info.pending = request.partition != 0;
  disc.info.confirmed = request.partition != 0 || request.attributes.partitions.empty();
  return disc.info;
}

void FakeVolume::Create(CreateRequest request, Done<FileInfo> done) {
  const Failure failure = Enter("Create");
  absl::StatusOr<FileInfo> made;
  if (failure.status.ok() || failure.lost_answer) {
    MutexLock lock(&mutex_);
    made = Make(request);
  }
  if (!failure.status.ok()) made = failure.status;
  Run([made = std::move(made), done = std::move(done)]() mutable {
    std::move(done)(std::move(made));
  });
}

void FakeVolume::Info(FileReference file, Done<FileDescription> done) {
  const Failure failure = Enter("Info");
  absl::StatusOr<FileDescription> description;
  if (!failure.status.ok()) {
    description = failure.status;
  } else {
    MutexLock lock(&mutex_);
    const absl::StatusOr<Disc*> disc = Find(file);
    if (disc.ok()) {
      description = FileDescription{(*disc)->info, {}};
    } else {
      description = disc.status();
    }
  }
  Run([description = std::move(description), done = std::move(done)]() mutable {
    std::move(done)(std::move(description));
  });
}

absl::Status FakeVolume::Change(const AlterRequest& request) {
  const absl::StatusOr<Disc*> disc = Find(request.file);
  if (!disc.ok()) return disc.status();
  FileInfo& info = (*disc)->info;
  if (request.lookaside) info.attributes.lookaside = *request.lookaside;
  if (request.audit) info.attributes.audit = *request.audit;
  if (request.audit || request.buffered) {
    info.attributes.buffered = request.buffered.value_or(info.attributes.audit);
  }
  if (request.max_extents) info.attributes.max_extents = *request.max_extents;
  if (request.step == PartitionStep::kConfirm) info.pending = false;
  if (request.step == PartitionStep::kConfirmed) info.confirmed = true;
  return absl::OkStatus();
}

void FakeVolume::Alter(AlterRequest request, DoneStatus done) {
  const Failure failure = Enter("Alter");
  absl::Status changed = failure.status;
  if (failure.status.ok() || failure.lost_answer) {
    MutexLock lock(&mutex_);
    changed = Change(request);
  }
  if (!failure.status.ok()) changed = failure.status;
  Run([changed, done = std::move(done)]() mutable { std::move(done)(changed); });
}

absl::Status FakeVolume::Remove(const PurgeRequest& request) {
  const absl::StatusOr<Disc*> disc = Find(request.file);
  if (!disc.ok()) return disc.status();
  if ((*disc)->info.open_count > 0) return MakeError(ErrorNumber::kFileInUse, "it is open");
  files_.erase(KeyOfName(request.file.name));
  return absl::OkStatus();
}

void FakeVolume::Purge(PurgeRequest request, DoneStatus done) {
  const Failure failure = Enter("Purge");
  absl::Status removed = failure.status;
  if (failure.status.ok() || failure.lost_answer) {
    MutexLock lock(&mutex_);
    removed = Remove(request);
  }
  if (!failure.status.ok()) removed = failure.status;
  Run([removed, done = std::move(done)]() mutable { std::move(done)(removed); });
}

void FakeVolume::List(ListRequest request, Done<ListPage> done) {
  const Failure failure = Enter("List");
  absl::StatusOr<ListPage> page;
  if (!failure.status.ok()) {
    page = failure.status;
  } else {
    MutexLock lock(&mutex_);
    ListPage listed;
    for (const auto& [key, disc] : files_) {
      if (key <= request.page_token || disc.info.pending != request.pending) continue;
      if (!MatchesFileset(request.fileset, disc.info.name)) continue;
      if (request.page_size > 0 && listed.files.size() == request.page_size) {
        listed.next_page_token = KeyOfName(listed.files.back().name);
        break;
      }
      listed.files.push_back(disc.info);
    }
    page = std::move(listed);
  }
  Run([page = std::move(page), done = std::move(done)]() mutable {
    std::move(done)(std::move(page));
  });
}

void FakeVolume::Volumes(Done<std::vector<std::string>> done) {
  std::move(done)(std::vector<std::string>{name_});
}

void FakeVolume::Refresh(std::string, Done<RefreshAnswer> done) {
  const Failure failure = Enter("Refresh");
  Run([failure, done = std::move(done)]() mutable {
    absl::StatusOr<RefreshAnswer> answer = RefreshAnswer{3, 5};
    if (!failure.status.ok()) answer = failure.status;
    std::move(done)(std::move(answer));
  });
}

void FakeVolume::Check(FileReference file, Done<std::vector<PartitionCheck>> done) {
  const Failure failure = Enter("Check");
  Run([failure, file = std::move(file), done = std::move(done)]() mutable {
    if (!failure.status.ok()) return std::move(done)(failure.status);
    PartitionCheck check;
    check.file = file.name;
    check.levels = {{0, 1, 2, 300}};
    check.lsn = 5;
    std::move(done)(std::vector<PartitionCheck>{std::move(check)});
  });
}

void FakeVolume::Snapshot(SnapshotRequest, Done<MeasureSnapshot> done) {
  const Failure failure = Enter("Snapshot");
  Run([self = shared_from_this(), failure, done = std::move(done)]() mutable {
    MeasureSnapshot snapshot;
    snapshot.volumes.emplace_back().volume = self->name_;
    absl::StatusOr<MeasureSnapshot> answer = std::move(snapshot);
    if (!failure.status.ok()) answer = failure.status;
    std::move(done)(std::move(answer));
  });
}

}  // namespace quire::testing
