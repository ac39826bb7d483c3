// H22: the same random history over every way to run a file gives the same answers, which are those
// of a std::map: write-through, BUFFERED and AUDIT, tiny and large caches, 1 and 4 partitions,
// volumes in the process and behind gRPC, with restarts in between.
//
// QUIRE_TEST_SEED repeats a run, QUIRE_LONG=1 makes it longer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "client/transport/grpc_stub.h"
#include "quire/error.h"
#include "quire/filesystem.h"
#include "quire/text.h"
#include "server/rpc/server.h"
#include "tests/support/test_random.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

constexpr int kKeys = 1000;
constexpr char kFile[] = "$DATA01.MODEL.FILE";

// How a file is run; none of it may be seen in an answer.
struct Deployment {
  std::string name;
  FileMode mode = FileMode::kWriteThrough;
  uint64_t cache_bytes = 0;
  uint32_t partitions = 1;
  bool grpc = false;
  Lookaside lookaside = Lookaside::kOff;
  KeepData data_keeping = KeepData::kMeasured;
};

constexpr std::pair<FileMode, const char*> kModes[] = {{FileMode::kWriteThrough, "WriteThrough"},
                                                       {FileMode::kBuffered, "Buffered"},
                                                       {FileMode::kAudit, "Audit"}};

std::vector<Deployment> AllDeployments() {
  std::vector<Deployment> all;
  for (const bool grpc : {false, true}) {
    for (const uint32_t partitions : {1u, 4u}) {
      for (const auto& [mode, mode_name] : kModes) {
        for (const uint64_t cache_bytes : {uint64_t{256} << 10, uint64_t{16} << 20}) {
          all.push_back(
              {StrCat(grpc ? "Grpc" : "Embedded", partitions, mode_name, cache_bytes >> 10, "KiB"),
               mode, cache_bytes, partitions, grpc});
        }
      }
    }
  }
  // Index blocks frozen as far as a small memory goes, data blocks kept by measuring or not at all.
  for (const auto& [mode, mode_name] : kModes) {
    for (const KeepData keeping : {KeepData::kMeasured, KeepData::kNever}) {
      all.push_back({StrCat(keeping == KeepData::kNever ? "FrozenNoData" : "Frozen", mode_name),
                     mode, uint64_t{256} << 10, 1, false, Lookaside::kFreeze, keeping});
    }
  }
  return all;
}

// Volumes as a deployment wants them, with a file system over them.
class Cluster {
 public:
  explicit Cluster(const Deployment& deployment) : deployment_(deployment) {
    for (uint32_t i = 1; i <= deployment.partitions; ++i) {
      VolumeOptions options;
      options.name = StrCat("$DATA0", i);
      options.cache_bytes = deployment.cache_bytes;
      options.control_point_interval_ms = 20;
      options.lookaside_bytes = uint64_t{64} << 10;
      options.data_keeping = deployment.data_keeping;
      volumes_.push_back(std::make_unique<TestVolume>(options));
    }
    Connect();
  }
  ~Cluster() { Disconnect(); }

  FileSystem& files() { return *files_; }

  void Restart() {
    Disconnect();
    for (const std::unique_ptr<TestVolume>& volume : volumes_) volume->Reopen();
    Connect();
  }

 private:
  void Connect() {
    std::map<std::string, std::shared_ptr<Service>> services;
    for (const std::unique_ptr<TestVolume>& volume : volumes_) {
      // The test volume owns it and outlives what is built on it.
      std::shared_ptr<Service> service(&volume->volume(), [](Service*) {});
      if (deployment_.grpc) {
        absl::StatusOr<std::unique_ptr<RpcServer>> server = RpcServer::Start(service, {});
        ASSERT_TRUE(server.ok()) << Describe(server.status());
        service = MakeGrpcStub({.address = StrCat("127.0.0.1:", (*server)->port())});
        servers_.push_back(*std::move(server));
      }
      services[volume->options().name] = std::move(service);
    }
    files_ = FileSystem::Over(std::move(services), "model test");
  }
  void Disconnect() {
    files_.reset();
    for (const std::unique_ptr<RpcServer>& server : servers_) server->Stop(absl::Seconds(5));
    servers_.clear();
  }

  const Deployment deployment_;
  std::vector<std::unique_ptr<TestVolume>> volumes_;
  std::vector<std::unique_ptr<RpcServer>> servers_;
  std::unique_ptr<FileSystem> files_;
};

FileAttributes AttributesOf(const Deployment& deployment) {
  FileAttributes attributes = SmallFile(kFile, deployment.mode).attributes;
  attributes.lookaside = deployment.lookaside;
  for (uint32_t i = 1; i < deployment.partitions; ++i) {
    PartitionSpec part;
    part.volume = StrCat("$DATA0", i + 1);
    part.extents = attributes.extents;
    part.partial_key = SmallKey(static_cast<int>(i * kKeys / deployment.partitions)).substr(0, 2);
    attributes.partitions.push_back(part);
  }
  return attributes;
}

// What a history does: the same calls on a File and on the model, told apart by nothing but this.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string Change(OperationKind kind, const std::string& record) = 0;
  // Several changes under way at once.
  virtual std::vector<std::string> Pipeline(
      const std::vector<std::pair<OperationKind, std::string>>& changes) = 0;
  virtual std::string Read(const std::string& key, ReadMode mode, bool reverse) = 0;
  virtual std::string Scan(const ScanOptions& options) = 0;
  virtual void Restart() = 0;
};

std::string NumberText(ErrorNumber number) {
  return StrCat("error ", static_cast<int>(number));
}

class ModelSubject : public Subject {
 public:
  std::string Change(OperationKind kind, const std::string& record) override {
    const std::string key = record.substr(0, SmallKey(0).size());
    if (kind == OperationKind::kWrite) {
      return NumberText(records_.emplace(key, record).second ? ErrorNumber::kOk
                                                             : ErrorNumber::kAlreadyExists);
    }
    const auto found = records_.find(key);
    if (found == records_.end()) return NumberText(ErrorNumber::kNotFound);
    if (kind == OperationKind::kDelete) {
      records_.erase(found);
    } else {
      found->second = record;
    }
    return NumberText(ErrorNumber::kOk);
  }
  std::vector<std::string> Pipeline(
      const std::vector<std::pair<OperationKind, std::string>>& changes) override {
    std::vector<std::string> answers;
    for (const auto& [kind, record] : changes) answers.push_back(Change(kind, record));
    return answers;
  }
  std::string Read(const std::string& key, ReadMode mode, bool reverse) override {
    if (mode == ReadMode::kByKey) {
      const auto found = records_.find(key);
      return found == records_.end() ? NumberText(ErrorNumber::kNotFound) : found->second;
    }
    KeyRange range = KeyRange::Prefix(key);
    if (mode == ReadMode::kApproximate) {
      range = reverse ? KeyRange{"", key + '\0'} : KeyRange{key, ""};
    }
    const std::string* found = nullptr;
    for (const auto& [candidate, record] : records_) {
      if (!range.Contains(candidate)) continue;
      if (found == nullptr || reverse) found = &record;
    }
    return found == nullptr ? NumberText(ErrorNumber::kEndOfFile) : *found;
  }
  std::string Scan(const ScanOptions& options) override {
    std::vector<std::string> found;
    for (const auto& [key, record] : records_) {
      if (!options.range.Contains(key)) continue;
      if (options.start_exclusive && key == options.range.start) continue;
      found.push_back(record);
    }
    if (options.reverse) std::reverse(found.begin(), found.end());
    if (options.max_records != 0 && found.size() > options.max_records) {
      found.resize(options.max_records);
    }
    std::string text;
    for (const std::string& record : found) StrAppend(&text, record, "\n");
    return text;
  }
  void Restart() override {}

 private:
  std::map<std::string, std::string> records_;
};

class FileSubject : public Subject {
 public:
  explicit FileSubject(const Deployment& deployment) : cluster_(deployment) {
    const absl::StatusOr<FileInfo> info =
        cluster_.files().Create(*ParseFileName(kFile), AttributesOf(deployment));
    EXPECT_TRUE(info.ok()) << Describe(info.status());
    Open();
  }
  ~FileSubject() override {
    const absl::Status closed = file_->Close();
    EXPECT_TRUE(closed.ok()) << Describe(closed);
  }

  std::string Change(OperationKind kind, const std::string& record) override {
    const std::string key = record.substr(0, SmallKey(0).size());
    if (kind == OperationKind::kWrite) return NumberText(NumberOf(file_->Write(record)));
    if (kind == OperationKind::kUpdate) return NumberText(NumberOf(file_->Update(record)));
    return NumberText(NumberOf(file_->Delete(key)));
  }
  std::vector<std::string> Pipeline(
      const std::vector<std::pair<OperationKind, std::string>>& changes) override {
    absl::Mutex mutex;
    std::vector<std::string> answers(changes.size());
    for (size_t i = 0; i < changes.size(); ++i) {
      auto done = [&mutex, &answers, i](const absl::Status& status, std::string_view) {
        const absl::MutexLock lock(&mutex);
        answers[i] = NumberText(NumberOf(status));
      };
      const auto& [kind, record] = changes[i];
      if (kind == OperationKind::kWrite) file_->WriteNowait(record, std::move(done));
      if (kind == OperationKind::kUpdate) file_->UpdateNowait(record, std::move(done));
      if (kind == OperationKind::kDelete) {
        file_->DeleteNowait(record.substr(0, SmallKey(0).size()), std::move(done));
      }
    }
    const absl::Status waited = file_->Wait();
    EXPECT_TRUE(waited.ok()) << Describe(waited);
    const absl::MutexLock lock(&mutex);
    return answers;
  }
  std::string Read(const std::string& key, ReadMode mode, bool reverse) override {
    absl::StatusOr<std::string> record = file_->Read(key, mode, reverse);
    return record.ok() ? *std::move(record) : NumberText(NumberOf(record.status()));
  }
  std::string Scan(const ScanOptions& options) override {
    const std::unique_ptr<Scanner> scanner = file_->Scan(options);
    std::string text;
    for (;;) {
      const absl::StatusOr<std::string_view> record = scanner->Next();
      if (!record.ok()) {
        if (NumberOf(record.status()) != ErrorNumber::kEndOfFile) {
          StrAppend(&text, Describe(record.status()));
        }
        return text;
      }
      StrAppend(&text, *record, "\n");
    }
  }
  void Restart() override {
    const absl::Status closed = file_->Close();
    EXPECT_TRUE(closed.ok()) << Describe(closed);
    file_.reset();
    cluster_.Restart();
    Open();
  }

 private:
  void Open() {
    FileOpenOptions options;
    options.batch_operations = 16;
    absl::StatusOr<std::unique_ptr<File>> file =
        cluster_.files().Open(*ParseFileName(kFile), options);
    ASSERT_TRUE(file.ok()) << Describe(file.status());
    file_ = *std::move(file);
  }

  Cluster cluster_;
  std::unique_ptr<File> file_;
};

// Plays the history of `seed` and writes down every answer.
class Player {
 public:
  Player(uint64_t seed, Subject* subject) : random_(seed), subject_(subject) {}

  std::vector<std::string> Play(int steps) {
    for (int step = 0; step < steps; ++step) Step(step);
    transcript_.push_back(subject_->Scan({}));
    return std::move(transcript_);
  }

 private:
  uint64_t Below(uint64_t limit) { return random_() % limit; }
  std::string RandomKey() { return SmallKey(static_cast<int>(Below(kKeys))); }
  std::pair<OperationKind, std::string> RandomChange(int step) {
    const uint64_t dice = Below(8);
    const OperationKind kind = dice < 5   ? OperationKind::kWrite
                               : dice < 6 ? OperationKind::kUpdate
                                          : OperationKind::kDelete;
    std::string record = RandomKey();
    StrAppend(&record, "step ", step, " ", std::string(Below(70), 'x'));
    return {kind, std::move(record)};
  }

  void Step(int step) {
    const uint64_t dice = Below(100);
    if (dice < 40) {
      const auto [kind, record] = RandomChange(step);
      transcript_.push_back(subject_->Change(kind, record));
    } else if (dice < 55) {
      std::vector<std::pair<OperationKind, std::string>> changes;
      for (uint64_t i = 1 + Below(60); i > 0; --i) changes.push_back(RandomChange(step));
      for (std::string& answer : subject_->Pipeline(changes)) {
        transcript_.push_back(std::move(answer));
      }
    } else if (dice < 90) {
      const auto mode = static_cast<ReadMode>(Below(3));
      std::string key = RandomKey();
      if (mode == ReadMode::kGeneric) key.resize(1 + Below(key.size()));
      const bool reverse = mode != ReadMode::kByKey && Below(2) == 0;
      transcript_.push_back(subject_->Read(key, mode, reverse));
    } else if (dice < 99) {
      ScanOptions options;
      if (Below(3) > 0) options.range.start = RandomKey();
      if (Below(3) > 0) options.range.limit = RandomKey();
      options.reverse = Below(2) == 0;
      options.start_exclusive = Below(2) == 0;
      options.chunk_bytes = 200 + static_cast<uint32_t>(Below(4000));
      if (Below(2) == 0) options.max_records = 1 + Below(100);
      transcript_.push_back(subject_->Scan(options));
    } else {
      subject_->Restart();
    }
  }

  std::mt19937_64 random_;
  Subject* const subject_;
  std::vector<std::string> transcript_;
};

class VolumeModel : public ::testing::TestWithParam<Deployment> {};

TEST_P(VolumeModel, H22_SameHistorySameAnswers) {
  TestRandom random;
  const bool is_long = std::getenv("QUIRE_LONG") != nullptr;
  const int histories = is_long ? 20 : 2;
  const int steps = is_long ? 5000 : 600;
  for (int i = 0; i < histories; ++i) {
    const uint64_t seed = random.Below(uint64_t{1} << 62);
    SCOPED_TRACE(testing::Message() << "history " << seed);
    ModelSubject model;
    const std::vector<std::string> expected = Player(seed, &model).Play(steps);
    FileSubject file(GetParam());
    const std::vector<std::string> answers = Player(seed, &file).Play(steps);
    ASSERT_EQ(answers.size(), expected.size());
    for (size_t answer = 0; answer < answers.size(); ++answer) {
      ASSERT_EQ(answers[answer], expected[answer]) << "answer " << answer;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Everywhere, VolumeModel, testing::ValuesIn(AllDeployments()),
                         [](const testing::TestParamInfo<Deployment>& deployment) {
                           return deployment.param.name;
                         });

}  // namespace
}  // namespace quire::test
