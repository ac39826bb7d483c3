// Read-ahead never shows: the same answers and the same logical counters with any of it, whatever
// goes on in the volume and whatever the store does to the thread that reads ahead.
//
// QUIRE_TEST_SEED repeats a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "quire/text.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_random.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr std::array kModes = {ReadAheadMode::kNone, ReadAheadMode::kFixed,
                               ReadAheadMode::kAdaptive};
constexpr std::array kLogical = {"DRIVER-INPUT-CALLS",  "CACHE-HITS",       "CACHE-READ-MISSES",
                                 "DRIVER-OUTPUT-CALLS", "CACHE-WRITE-HITS", "CACHE-WRITE-CLEANS",
                                 "CACHE-WRITE-MISSES",  "BLOCK-SPLITS",     "REQUESTS"};
constexpr int kKeys = 4000;
// Five or so to a block.
std::string LongRecord(int key) {
  return SmallRecord(key, std::string(76, 'x'));
}

// One volume with calls that a history is made of.
class Subject {
 public:
  explicit Subject(const VolumeOptions& options) : volume_(options) {}

  TestVolume& volume() { return volume_; }

  std::string Create(const std::string& name, FileMode mode) {
    return Text(Await<FileInfo>([&](Done<FileInfo> done) {
                  volume_->Create(SmallFile(name, mode), std::move(done));
                }).status());
  }
  std::string Purge(const std::string& name) {
    return Text(AwaitStatus([&](DoneStatus done) {
      volume_->Purge(PurgeRequest{Ref(name), false}, std::move(done));
    }));
  }
  std::string Change(const std::string& name, OperationKind kind, const std::string& record) {
    Operation operation;
    operation.kind = kind;
    if (kind == OperationKind::kDelete) {
      operation.key = std::string_view(record).substr(0, SmallKey(0).size());
    } else {
      operation.record = record;
    }
    return Text(RunOne(volume_.volume(), Ref(name), operation).status());
  }
  std::string Scan(const ScanRequest& request) {
    const absl::StatusOr<std::vector<std::string>> records = ScanAll(volume_.volume(), request);
    if (!records.ok()) return Text(records.status());
    std::string all = StrCat(records->size(), ":");
    for (const std::string& record : *records) StrAppend(&all, record, ";");
    return all;
  }
  // READ after READ from a position, in one session.
  std::string ReadOn(const std::string& name, const std::string& from, bool reverse, int reads) {
    OpenRequest open;
    open.file = Ref(name);
    KeptSession session(volume_.volume(), open);
    if (!session.opened().ok()) return Text(session.opened().status());
    OperationBatch batch;
    Operation position;
    position.kind = OperationKind::kSetPosition;
    position.key = from;
    position.reverse = reverse;
    position.mode = ReadMode::kApproximate;
    batch.Add(position);
    for (int i = 0; i < reads; ++i) {
      Operation read;
      read.kind = OperationKind::kReadNext;
      batch.Add(read);
    }
    const BatchResult result = session.Submit(std::move(batch));
    std::string all;
    for (const OperationResult& one : result.results) {
      StrAppend(&all, Text(one.status), result.data.substr(one.offset, one.length), ";");
    }
    (void)session.Close();
    return all;
  }
  void Refresh() {
    ASSERT_TRUE(Await<RefreshAnswer>([&](Done<RefreshAnswer> done) {
                  volume_->Refresh("", std::move(done));
                }).ok());
  }
  int64_t Counter(const std::string& counter) {
    const absl::StatusOr<MeasureSnapshot> snapshot = Await<MeasureSnapshot>(
        [&](Done<MeasureSnapshot> done) { volume_->Snapshot({}, std::move(done)); });
    EXPECT_TRUE(snapshot.ok());
    for (const EntityRecord& record : snapshot->volumes.at(0).records) {
      if (record.entity == Entity::kDisc) return record.Value(counter);
    }
    return -1;
  }
  static FileReference Ref(const std::string& name) {
    return FileReference{*ParseFileName(name), 0, 0, "test"};
  }
  static std::string Text(const absl::Status& status) {
    return status.ok() ? "ok" : StrCat("error ", static_cast<int>(NumberOf(status)));
  }

 private:
  TestVolume volume_;
};

constexpr char kFile[] = "$DATA01.AHEAD.FILE";
constexpr char kOther[] = "$DATA01.AHEAD.OTHER";

std::string RecordText(int key, TestRandom& random) {
  return SmallRecord(key, std::string(random.Between(1, 80), 'x'));
}

// Complaint 29: asynchronous read-ahead dropped keys from scans. The same history over volumes that
// differ in nothing but their read-ahead.
class ReadAheadHistoryTest : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < kModes.size(); ++i) {
      VolumeOptions options;
      options.cache_bytes = GetParam();
      options.dirty_limit_bytes = GetParam() / 4;
      options.read_ahead = kModes[i];
      subjects_[i] = std::make_unique<Subject>(options);
    }
  }
  // All answer as the one without read-ahead.
  template <typename Call>
  void OnAll(const Call& call) {
    const std::string expected = call(*subjects_[0]);
    for (size_t i = 1; i < subjects_.size(); ++i) {
      ASSERT_EQ(call(*subjects_[i]), expected) << "mode " << i << ", seed " << random_.seed();
    }
  }
  int AnyKey() { return static_cast<int>(random_.Below(kKeys)); }
  void Change(const std::string& file, OperationKind kind, int key) {
    const std::string record = RecordText(key, random_);
    OnAll([&](Subject& s) { return s.Change(file, kind, record); });
  }
  void Scan() {
    const int key = AnyKey();
    ScanRequest scan;
    scan.file = Subject::Ref(kFile);
    scan.reverse = random_.OneIn(2);
    if (random_.OneIn(2)) scan.range = {SmallKey(key), SmallKey(std::min(key + 900, kKeys - 1))};
    scan.chunk_bytes = static_cast<uint32_t>(random_.Between(1, 4000));
    OnAll([&](Subject& s) { return s.Scan(scan); });
  }
  void ReadOn() {
    const std::string key = SmallKey(AnyKey());
    const bool reverse = random_.OneIn(2);
    const int reads = static_cast<int>(random_.Between(1, 300));
    OnAll([&](Subject& s) { return s.ReadOn(kFile, key, reverse, reads); });
  }
  // Another file comes, is scanned and goes.
  void OtherFile() {
    OnAll([&](Subject& s) { return s.Create(kOther, FileMode::kWriteThrough); });
    for (int key = 0; key < 60; ++key) Change(kOther, OperationKind::kWrite, key);
    ScanRequest scan;
    scan.file = Subject::Ref(kOther);
    OnAll([&](Subject& s) { return s.Scan(scan); });
    OnAll([&](Subject& s) { return s.Purge(kOther); });
  }
  void Step() {
    const uint64_t what = random_.Below(1000);
    if (what < 600) return Change(kFile, OperationKind::kWrite, AnyKey());
    if (what < 700) return Change(kFile, OperationKind::kUpdate, AnyKey());
    if (what < 900) return Change(kFile, OperationKind::kDelete, AnyKey());
    if (what < 920) {
      for (const auto& subject : subjects_) subject->Refresh();
      return;
    }
    if (what < 960) return Scan();
    if (what < 990) return ReadOn();
    OtherFile();
  }

  TestRandom random_;
  std::array<std::unique_ptr<Subject>, kModes.size()> subjects_;
};

TEST_P(ReadAheadHistoryTest, AnswersAndCountersAreThoseOfNone) {
  const auto mode = random_.OneIn(2) ? FileMode::kWriteThrough : FileMode::kAudit;
  OnAll([&](Subject& s) { return s.Create(kFile, mode); });
  for (int i = 0; i < kKeys / 2; ++i) Change(kFile, OperationKind::kWrite, AnyKey());
  for (int step = 0; step < 2000 && !HasFatalFailure(); ++step) Step();
  // When control points end decides what was evicted so far. From an empty cache, and with nothing
  // changed any more, the counters are those of the requests alone.
  for (const auto& subject : subjects_) subject->volume().Reopen();
  for (int step = 0; step < 60 && !HasFatalFailure(); ++step) {
    Scan();
    ReadOn();
  }
  for (const char* counter : kLogical) {
    OnAll([&](Subject& s) { return StrCat(counter, " ", s.Counter(counter)); });
  }
  // It was there: else this test shows nothing.
  EXPECT_EQ(subjects_[0]->Counter("READ-AHEAD-ASKED"), 0);
  if (GetParam() == (uint64_t{64} << 10)) {
    EXPECT_GT(subjects_[1]->Counter("READ-AHEAD-ASKED"), 0);
    EXPECT_GT(subjects_[2]->Counter("READ-AHEAD-USED"), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Caches, ReadAheadHistoryTest,
                         testing::Values(uint64_t{64} << 10, uint64_t{128} << 10,
                                         uint64_t{8} << 20),
                         [](const auto& instance) { return StrCat(instance.param >> 10, "KiB"); });

// A file that is larger than the cache, all of it in the store.
class ReadAheadTest : public testing::Test {
 protected:
  static VolumeOptions Options(ReadAheadMode mode) {
    VolumeOptions options;
    options.cache_bytes = 128 << 10;
    options.read_ahead = mode;
    return options;
  }
  void Fill(Subject& subject) {
    ASSERT_EQ(subject.Create(kFile, FileMode::kBuffered), "ok");
    for (int key = 0; key < kKeys; ++key) {
      ASSERT_EQ(subject.Change(kFile, OperationKind::kWrite, LongRecord(key)), "ok");
    }
    subject.Refresh();
  }
  static std::string ScanAllOf(Subject& subject, bool reverse = false) {
    ScanRequest scan;
    scan.file = Subject::Ref(kFile);
    scan.reverse = reverse;
    return subject.Scan(scan);
  }
};

TEST_F(ReadAheadTest, FailuresOfTheStoreStayWithTheThread) {
  Subject subject(Options(ReadAheadMode::kAdaptive));
  Fill(subject);
  const std::string expected = ScanAllOf(subject);
  FaultPlan& faults = *subject.volume().faults;
  while (faults.Calls(StoreCall::kReadAhead) == 0) ASSERT_EQ(ScanAllOf(subject), expected);
  for (int k = 1; k < 50; ++k) {
    faults.FailAt(StoreCall::kReadAhead, k,
                  MakeError(k % 2 == 0 ? ErrorNumber::kVolumeDown : ErrorNumber::kFileBad, "test"));
  }
  EXPECT_EQ(ScanAllOf(subject), expected);
  EXPECT_EQ(ScanAllOf(subject, true).size(), expected.size());
  EXPECT_TRUE(subject.volume()->Health().ok());
}

TEST_F(ReadAheadTest, ABadBlockIsToldToWhoeverAsksForIt) {
  Subject subject(Options(ReadAheadMode::kFixed));
  Fill(subject);
  subject.volume().Reopen();  // nothing in the cache
  const FileId file = 1;
  // A data block in the middle of the chain of an ascending load.
  ASSERT_TRUE(subject.volume().disc->Damage(file, 31, 100));
  ScanRequest begin;
  begin.file = Subject::Ref(kFile);
  begin.max_records = 20;
  const int before = subject.volume().faults->Calls(StoreCall::kReadAhead);
  EXPECT_EQ(subject.Scan(begin).substr(0, 3), "20:");
  while (subject.volume().faults->Calls(StoreCall::kReadAhead) == before) std::this_thread::yield();
  EXPECT_EQ(subject.Change(kFile, OperationKind::kUpdate, SmallRecord(1)), "ok");  // not bad yet
  EXPECT_EQ(ScanAllOf(subject), "error 59");
  subject.volume().Crash();  // its tree is bad on purpose
}

TEST_F(ReadAheadTest, StopsAndEndsAtOnceWhileItReads) {
  for (const bool crash : {false, true}) {
    Subject subject(Options(ReadAheadMode::kFixed));
    Fill(subject);
    ScanRequest scan;
    scan.file = Subject::Ref(kFile);
    scan.chunk_bytes = 4096;
    // The stream and its run outlive the volume.
    std::unique_ptr<ScanStream> stream = subject.volume()->Scan(scan);
    for (int page = 0; page < 3; ++page) {
      ASSERT_TRUE(
          Await<ScanPage>([&](Done<ScanPage> done) { stream->Next(std::move(done)); }).ok());
    }
    if (crash) {
      subject.volume().CrashAndReopen();
    } else {
      subject.volume().Reopen();
    }
    EXPECT_EQ(Await<ScanPage>([&](Done<ScanPage> done) { stream->Next(std::move(done)); }).ok(),
              false);
  }
}

TEST_F(ReadAheadTest, PurgedWhileScannedIsSaidAsWithout) {
  for (const ReadAheadMode mode : kModes) {
    Subject subject(Options(mode));
    Fill(subject);
    ScanRequest scan;
    scan.file = Subject::Ref(kFile);
    scan.chunk_bytes = 4096;
    std::unique_ptr<ScanStream> stream = subject.volume()->Scan(scan);
    const auto next = [&] {
      return Await<ScanPage>([&](Done<ScanPage> done) { stream->Next(std::move(done)); }).status();
    };
    ASSERT_TRUE(next().ok());
    ASSERT_EQ(subject.Purge(kFile), "ok");
    subject.Refresh();
    EXPECT_EQ(Number(next()), 11);
  }
}

// The real store: a scan beside changes and control points gives what is there.
TEST_F(ReadAheadTest, OverLmdbBesideChangesAndControlPoints) {
  TestDirectory directory;
  TestRandom random;
  VolumeOptions options = Options(ReadAheadMode::kFixed);
  options.directory = directory.path();
  options.capacity_bytes = uint64_t{1} << 30;
  options.control_point_interval_ms = 1;
  Subject subject(options);
  Fill(subject);
  std::map<std::string, std::string> model;
  for (int key = 0; key < kKeys; ++key) model[SmallKey(key)] = LongRecord(key);
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 40; ++i) {
      const int key = static_cast<int>(random.Below(kKeys));
      const std::string record = RecordText(key, random);
      if (random.OneIn(3)) {
        subject.Change(kFile, OperationKind::kDelete, record);
        model.erase(SmallKey(key));
      } else if (model.emplace(SmallKey(key), record).second) {
        ASSERT_EQ(subject.Change(kFile, OperationKind::kWrite, record), "ok");
      } else {
        ASSERT_EQ(subject.Change(kFile, OperationKind::kUpdate, record), "ok");
        model[SmallKey(key)] = record;
      }
    }
    if (random.OneIn(4)) subject.Refresh();
    std::string expected = StrCat(model.size(), ":");
    for (const auto& [key, record] : model) StrAppend(&expected, record, ";");
    ASSERT_EQ(ScanAllOf(subject), expected) << "round " << round << ", seed " << random.seed();
  }
  EXPECT_GT(subject.Counter("READ-AHEAD-USED"), 100);
}

TEST(VolumeReadAheadTest, CountersAddUp) {
  VolumeOptions options;
  options.cache_bytes = 128 << 10;
  Subject subject(options);
  ASSERT_EQ(subject.Create(kFile, FileMode::kBuffered), "ok");
  for (int key = 0; key < kKeys; ++key) {
    ASSERT_EQ(subject.Change(kFile, OperationKind::kWrite, LongRecord(key)), "ok");
  }
  subject.Refresh();
  for (const uint64_t records : {uint64_t{0}, uint64_t{50}, uint64_t{500}}) {
    ScanRequest scan;
    scan.file = Subject::Ref(kFile);
    scan.max_records = records;
    subject.Scan(scan);
  }
  const int64_t asked = subject.Counter("READ-AHEAD-ASKED");
  EXPECT_GT(asked, 0);
  EXPECT_EQ(asked, subject.Counter("READ-AHEAD-USED") + subject.Counter("READ-AHEAD-UNUSED"));
  EXPECT_GT(subject.Counter("READ-AHEAD-UNUSED"), 0);
}

}  // namespace
}  // namespace quire::test
