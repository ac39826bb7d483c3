#include "tests/unit/bench/fake_file_system.h"

#include <deque>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

class FakeScanner : public Scanner {
 public:
  explicit FakeScanner(const FakeContents& contents) : contents_(contents) {
    next_ = contents_.records.begin();
  }
  absl::StatusOr<std::string_view> Next() override {
    if (next_ == contents_.records.end()) return MakeError(ErrorNumber::kEndOfFile, "end of file");
    return std::string_view((next_++)->second);
  }

 private:
  const FakeContents& contents_;
  std::map<std::string, std::string, std::less<>>::const_iterator next_;
};

class FakeFile : public File {
 public:
  FakeFile(FakeContents* contents, FakeBehaviour* behaviour, uint64_t open_id,
           FileDescription description, uint32_t batch)
      : contents_(*contents),
        behaviour_(*behaviour),
        open_id_(open_id),
        description_(std::move(description)),
        batch_(batch) {}

  const FileDescription& description() const override { return description_; }
  uint64_t open_id() const override { return open_id_; }
  ErrorNumber open_warning() const override { return ErrorNumber::kOk; }

  absl::Status Write(std::string_view record) override {
    const uint64_t number = ++behaviour_.writes;
    if (number == behaviour_.fail_write) {
      return MakeError(ErrorNumber::kNoDiscSpace, "the volume has no room");
    }
    std::string stored(record);
    if (number == behaviour_.spoil_write) stored.back() = '?';
    const FileAttributes& attributes = contents_.attributes;
    std::string key(record.substr(attributes.key_offset, attributes.key_length));
    if (!contents_.records.emplace(std::move(key), std::move(stored)).second) {
      return MakeError(ErrorNumber::kAlreadyExists, "a record with this key exists");
    }
    return absl::OkStatus();
  }
  absl::Status Update(std::string_view) override { return NotHere(); }
  absl::Status Delete(std::string_view) override { return NotHere(); }
  absl::StatusOr<std::string> Read(std::string_view, ReadMode, bool) override { return NotHere(); }

  absl::Status SetPosition(const KeyPosition&) override { return NotHere(); }
  absl::StatusOr<std::string> ReadNext() override { return NotHere(); }
  absl::StatusOr<std::string> ReadNextLock() override { return NotHere(); }
  absl::StatusOr<std::string> ReadUpdate() override { return NotHere(); }
  absl::StatusOr<std::string> ReadUpdateLock() override { return NotHere(); }
  absl::Status WriteUpdate(std::string_view) override { return NotHere(); }
  absl::Status WriteUpdateUnlock(std::string_view) override { return NotHere(); }
  absl::StatusOr<std::string> SavePosition() override { return NotHere(); }
  absl::Status RestorePosition(std::string_view) override { return NotHere(); }
  absl::Status LockRecord() override { return NotHere(); }
  absl::Status UnlockRecord() override { return NotHere(); }
  absl::Status LockFile() override { return NotHere(); }
  absl::Status UnlockFile() override { return NotHere(); }
  absl::Status SetLockMode(LockMode) override { return NotHere(); }
  ErrorNumber last_warning() const override { return ErrorNumber::kOk; }

  uint64_t Nowait(const Operation&, Completion done) override {
    std::move(done)(NotHere(), {});
    return 0;
  }
  void Cancel(uint64_t) override {}
  void CancelWait() override {}

  // Held back until a batch is full, flushed or waited for, as the real one does.
  void WriteNowait(std::string_view record, Completion done) override {
    held_.push_back({std::string(record), std::move(done)});
    behaviour_.most_under_way = std::max<uint64_t>(behaviour_.most_under_way, held_.size());
    if (held_.size() % batch_ == 0 && held_.size() > 2 * batch_) Answer(batch_);
  }
  void UpdateNowait(std::string_view, Completion) override {}
  void DeleteNowait(std::string_view, Completion) override {}
  void ReadNowait(std::string_view, Completion) override {}
  void Flush() override {
    ++behaviour_.flushes;
    Answer(held_.size());
  }
  absl::Status Wait() override {
    Answer(held_.size());
    return absl::OkStatus();
  }

  std::unique_ptr<Scanner> Scan(const ScanOptions&) override {
    return std::make_unique<FakeScanner>(contents_);
  }
  absl::StatusOr<LoadSummary> Load(RecordSource, const LoadOptions&) override { return NotHere(); }
  absl::Status Close() override {
    behaviour_.calls.push_back("close");
    return absl::OkStatus();
  }

 private:
  struct Held {
    std::string record;
    Completion done;
  };

  static absl::Status NotHere() {
    return MakeError(ErrorNumber::kInvalidOperation, "not part of this double");
  }

  void Answer(size_t count) {
    for (; count > 0; --count) {
      Held held = std::move(held_.front());
      held_.pop_front();
      std::move(held.done)(Write(held.record), {});
    }
  }

  FakeContents& contents_;
  FakeBehaviour& behaviour_;
  const uint64_t open_id_;
  const FileDescription description_;
  const uint32_t batch_;
  std::deque<Held> held_;
};

}  // namespace

FileDescription FakeFileSystem::Describe(const FileName& name, const FakeContents& contents) const {
  FileDescription description;
  description.primary.name = name;
  description.primary.attributes = contents.attributes;
  description.primary.eof_bytes = 4096 * contents.records.size();
  description.primary.index_levels = 1;
  for (const PartitionSpec& partition : contents.attributes.partitions) {
    FileInfo info = description.primary;
    info.name = name.OnVolume(partition.volume);
    info.eof_bytes = 8192;
    info.index_levels = 2;
    description.secondaries.push_back(info);
  }
  return description;
}

absl::StatusOr<FileInfo> FakeFileSystem::Create(const FileName& name,
                                                const FileAttributes& attributes) {
  behaviour.calls.push_back("create");
  if (!files.emplace(name, FakeContents{attributes, {}}).second) {
    return MakeError(ErrorNumber::kAlreadyExists, "the file exists");
  }
  return Describe(name, files[name]).primary;
}

absl::StatusOr<FileDescription> FakeFileSystem::Info(const FileName& name) {
  const auto found = files.find(name);
  if (found == files.end()) return MakeError(ErrorNumber::kNotFound, "no such file");
  return Describe(name, found->second);
}

absl::Status FakeFileSystem::Alter(const FileName&, const Changes&) {
  return absl::OkStatus();
}

absl::Status FakeFileSystem::Purge(const FileName& name) {
  behaviour.calls.push_back("purge");
  files.erase(name);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<FileInfo>> FakeFileSystem::List(const FileName&, bool) {
  return std::vector<FileInfo>();
}

absl::StatusOr<std::vector<std::string>> FakeFileSystem::Volumes() {
  return std::vector<std::string>{"$DATA01"};
}

absl::StatusOr<RefreshAnswer> FakeFileSystem::Refresh(const std::string& volume) {
  behaviour.calls.push_back("refresh " + volume);
  return RefreshAnswer{};
}

absl::StatusOr<MeasureSnapshot> FakeFileSystem::Snapshot(const std::string& volume) {
  behaviour.calls.push_back("snapshot " + volume);
  VolumeSnapshot one{.volume = volume, .epoch = 1, .time_us = 1, .records = {}};
  const auto writes = static_cast<int64_t>(behaviour.writes);
  const auto counter = [](const char* name, int64_t value) {
    return CounterValue{name, CounterKind::kIncrementing, "#", value};
  };
  const auto record = [&volume](Entity entity) {
    EntityRecord made;
    made.entity = entity;
    made.volume = volume;
    return made;
  };
  EntityRecord disc = record(Entity::kDisc);
  disc.counters = {counter("TRAIL-SYNCS", writes), counter("TRAIL-BYTES", 4096 * writes),
                   counter("SYNCS", 7)};
  EntityRecord process = record(Entity::kProcess);
  process.opener = "quire-volume 1";
  process.counters = {counter("CPU-BUSY-TIME", 2000000)};
  one.records = {disc, process};
  for (uint64_t id = 101; id <= last_open_id_; ++id) {
    EntityRecord open = record(Entity::kDiscopen);
    open.open_id = id;
    // The first open writes; what a later one does must not show in the load's figures.
    const int64_t own = id == 101 ? writes : 1000000;
    open.counters = {counter("REQUESTS", own + 3), counter("CACHE-HITS", 2 * own),
                     counter("DRIVER-INPUT-CALLS", 2 * own)};
    one.records.push_back(open);
  }
  return MeasureSnapshot{{one}};
}

absl::StatusOr<std::unique_ptr<File>> FakeFileSystem::Open(const FileName& name,
                                                           const FileOpenOptions& options) {
  behaviour.calls.push_back("open");
  const auto found = files.find(name);
  if (found == files.end()) return MakeError(ErrorNumber::kNotFound, "no such file");
  return std::make_unique<FakeFile>(&found->second, &behaviour, ++last_open_id_,
                                    Describe(name, found->second), options.batch_operations);
}

}  // namespace bench
}  // namespace quire
