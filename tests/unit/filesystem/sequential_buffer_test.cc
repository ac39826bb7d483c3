// Sequential block buffering: in order, once, within the subset, and fetched only while somebody
// reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "client/filesystem/open_file.h"
#include "tests/support/test_random.h"
#include "tests/unit/filesystem/cluster.h"
#include "tests/unit/filesystem/fake_open_service.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = OperationKind;

FileOpenOptions Buffered() {
  FileOpenOptions options;
  options.access = AccessMode::kRead;
  options.sequential_buffer_bytes = 4096;
  return options;
}

class SequentialBufferTest : public ::testing::Test {
 protected:
  std::unique_ptr<File> Open(const FileOpenOptions& options = Buffered()) {
    absl::StatusOr<std::unique_ptr<File>> file = OpenFile(service_, PartsName(), "test", options);
    EXPECT_TRUE(file.ok()) << file.status();
    return file.ok() ? *std::move(file) : nullptr;
  }
  // Keys K000 … in chunks of two.
  static std::string Key(int i) { return StrCat("K", i < 100 ? "0" : "", i < 10 ? "0" : "", i); }
  void Fill(int records) {
    for (int i = 0; i < records; ++i) service_->Put(Key(i), Record(Key(i)));
  }

  const std::shared_ptr<FakeOpenService> service_ =
      std::make_shared<FakeOpenService>(PartsAttributes(1));
};

TEST_F(SequentialBufferTest, ReadsWithoutTheSession) {
  Fill(5);
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(file->open_warning(), ErrorNumber::kOk);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(*file->ReadNext(), Record(Key(i)));
  EXPECT_EQ(Number(file->ReadNext()), 1);
  EXPECT_THAT(service_->executed(), IsEmpty());
  ASSERT_EQ(service_->scans().size(), 1u);
  EXPECT_EQ(service_->scans()[0].file.open_id, file->open_id());
  EXPECT_EQ(service_->scans()[0].chunk_bytes, 4096u);
  // The end is looked for again.
  service_->Put("K900", Record("K900"));
  EXPECT_EQ(*file->ReadNext(), Record("K900"));
  EXPECT_EQ(Number(file->ReadNext()), 1);
}

TEST_F(SequentialBufferTest, StaysWithinTheSubsetInBothDirections) {
  for (const char* key : {"A001", "B001", "B002", "B003", "C001"}) service_->Put(key, Record(key));
  const std::unique_ptr<File> file = Open();
  const KeyPosition set{.key = "B", .mode = PositioningMode::kGeneric};
  ASSERT_TRUE(file->SetPosition(set).ok());
  for (const char* key : {"B001", "B002", "B003"}) EXPECT_EQ(*file->ReadNext(), Record(key));
  EXPECT_EQ(Number(file->ReadNext()), 1);
  ASSERT_TRUE(file->SetPosition({.key = "B002", .reverse = true}).ok());
  for (const char* key : {"B002", "B001", "A001"}) EXPECT_EQ(*file->ReadNext(), Record(key));
  EXPECT_EQ(Number(file->ReadNext()), 1);
  ASSERT_TRUE(file->SetPosition({.key = "B002", .mode = PositioningMode::kExact}).ok());
  EXPECT_EQ(*file->ReadNext(), Record("B002"));
  EXPECT_EQ(Number(file->ReadNext()), 1);
  EXPECT_THAT(service_->executed(), IsEmpty());
}

TEST_F(SequentialBufferTest, FetchesAheadAfterTwoChunksAndStopsWithTheReader) {
  Fill(100);
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(service_->chunks(), 0u);
  // Chunks fetched when the first record of each chunk of two is read.
  std::vector<size_t> fetched;
  for (int i = 0; i < 16; ++i) {
    ASSERT_EQ(*file->ReadNext(), Record(Key(i)));
    if (i % 2 == 0) fetched.push_back(service_->chunks());
  }
  EXPECT_THAT(fetched, ElementsAre(1u, 2u, 4u, 6u, 9u, 10u, 11u, 12u));
  // The reader has used 8 chunks and stops: 4 are in hand, no more come.
  EXPECT_EQ(service_->chunks(), 12u);
  // Another position: none of this is kept, and the window starts anew.
  ASSERT_TRUE(file->SetPosition({.key = "K050"}).ok());
  EXPECT_EQ(*file->ReadNext(), Record("K050"));
  EXPECT_EQ(service_->chunks(), 13u);
}

TEST_F(SequentialBufferTest, OtherPositionOperationsFindTheSessionAtTheRecord) {
  Fill(6);
  const std::unique_ptr<File> file = Open();
  EXPECT_TRUE(file->ReadNext().ok());
  EXPECT_EQ(*file->ReadNext(), Record("K001"));
  EXPECT_TRUE(file->LockRecord().ok());
  EXPECT_EQ(*file->ReadUpdate(), Record("K001"));
  EXPECT_THAT(service_->executed(),
              ElementsAre(Kind::kRestorePosition, Kind::kLockRecord, Kind::kReadUpdate));
  EXPECT_EQ(service_->acked().size(), 2u);  // the telling had no message of its own
  EXPECT_EQ(*file->ReadNext(), Record("K002"));
  EXPECT_EQ(*file->ReadNextLock(), Record("K003"));
  EXPECT_EQ(*file->ReadNext(), Record("K004"));
  const std::string saved = *file->SavePosition();
  EXPECT_EQ(*file->ReadNext(), Record("K005"));
  ASSERT_TRUE(file->RestorePosition(saved).ok());
  EXPECT_EQ(*file->ReadNext(), Record("K005"));
}

TEST_F(SequentialBufferTest, NowaitReadsMoveThePositionToo) {
  Fill(6);
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(*file->ReadNext(), Record("K000"));
  Operation next;
  next.kind = Kind::kReadNext;
  std::vector<std::string> found;
  for (int i = 0; i < 2; ++i) {
    file->Nowait(next, [&](const absl::Status&, std::string_view r) { found.emplace_back(r); });
  }
  EXPECT_EQ(*file->ReadNext(), Record("K003"));
  EXPECT_THAT(found, ElementsAre(Record("K001"), Record("K002")));
}

TEST_F(SequentialBufferTest, OwnChangesDropWhatWasFetched) {
  Fill(4);
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(*file->ReadNext(), Record("K000"));
  // The double lets a reader write; a volume answers 49.
  EXPECT_TRUE(file->Update(Record("K001", "new")).ok());
  EXPECT_EQ(*file->ReadNext(), Record("K001", "new"));
}

TEST_F(SequentialBufferTest, OpenThatMayWriteGetsWarning5AndWorksWithout) {
  Fill(2);
  FileOpenOptions options = Buffered();
  options.access = AccessMode::kReadWrite;
  const std::unique_ptr<File> file = Open(options);
  EXPECT_EQ(file->open_warning(), ErrorNumber::kNoSequentialBuffering);
  EXPECT_EQ(*file->ReadNext(), Record("K000"));
  EXPECT_THAT(service_->executed(), ElementsAre(Kind::kReadNext));
  options.sequential_buffer_bytes = (4 << 20) + 1;
  EXPECT_EQ(Number(OpenFile(service_, PartsName(), "test", options)), 21);
}

TEST_F(SequentialBufferTest, FailedChunkIsReadByTheSession) {
  Fill(6);
  const std::unique_ptr<File> file = Open();
  int chunk = 0;
  service_->on_chunk = [&] {
    return ++chunk == 2 ? MakeError(ErrorNumber::kVolumeDown, "down", Retry::kSafe)
                        : absl::OkStatus();
  };
  for (int i = 0; i < 6; ++i) EXPECT_EQ(*file->ReadNext(), Record(Key(i)));
  EXPECT_EQ(Number(file->ReadNext()), 1);
  EXPECT_THAT(service_->executed(), ElementsAre(Kind::kRestorePosition, Kind::kReadNext));
}

TEST(SequentialBuffer, ReadsOverPartitionBorders) {
  Cluster cluster(4);
  cluster.UseThreads();
  cluster.Fill({"A001", "A002", "A003", "B001", "D001", "D002", "D003"});
  const std::unique_ptr<File> file = cluster.Open(Buffered());
  for (const char* key : {"A001", "A002", "A003", "B001", "D001", "D002", "D003"}) {
    EXPECT_EQ(*file->ReadNext(), Record(key));
  }
  EXPECT_EQ(Number(file->ReadNext()), 1);
  ASSERT_TRUE(file->SetPosition({.key = "D002", .reverse = true}).ok());
  for (const char* key : {"D002", "D001", "B001", "A003"}) {
    EXPECT_EQ(*file->ReadNext(), Record(key));
  }
}

// Records present throughout come exactly once and in order, whatever another open changes
// meanwhile; what comes and goes comes at most once.
TEST_F(SequentialBufferTest, RandomReadersAmidChanges) {
  TestRandom random;
  for (int round = 0; round < 60; ++round) {
    const std::shared_ptr<FakeOpenService> service =
        std::make_shared<FakeOpenService>(PartsAttributes(1));
    service->chunk_records = random.Between(1, 5);
    std::set<std::string> standing;
    for (int i = 0; i < 40; ++i) {
      const std::string key = random.Text(4, "ABC");
      standing.insert(key);
      service->Put(key, Record(key, "standing"));
    }
    const std::unique_ptr<File> file = *OpenFile(service, PartsName(), "test", Buffered());
    const std::string from = random.Text(random.Between(0, 3), "ABC");
    const bool reverse = random.OneIn(2);
    const bool generic = random.OneIn(3);
    ASSERT_TRUE(file->SetPosition({.key = from,
                                   .mode = generic ? PositioningMode::kGeneric
                                                   : PositioningMode::kApproximate,
                                   .reverse = reverse})
                    .ok());
    std::vector<std::string> found;
    std::string last;
    while (true) {
      const std::string passing = random.Text(4, "ABC");
      if (standing.count(passing) == 0) {
        random.OneIn(2) ? service->Put(passing, Record(passing, "passing"))
                        : service->Erase(passing);
      }
      if (random.OneIn(10)) {
        ASSERT_TRUE(file->RestorePosition(*file->SavePosition()).ok());
      }
      if (random.OneIn(10)) file->ReadUpdate().IgnoreError();
      const absl::StatusOr<std::string> record =
          random.OneIn(8) ? file->ReadNextLock() : file->ReadNext();
      if (!record.ok()) {
        ASSERT_EQ(Number(record), 1) << record.status();
        break;
      }
      const std::string key = record->substr(1, 4);
      ASSERT_TRUE(last.empty() || (reverse ? key < last : key > last)) << key << " after " << last;
      last = key;
      if (standing.count(key) != 0) found.push_back(key);
    }
    std::vector<std::string> expected;
    for (const std::string& key : standing) {
      const bool within = from.empty() || key.compare(0, from.size(), from) == 0 ||
                          (!generic && (reverse ? key < from : key > from));
      if (within) expected.push_back(key);
    }
    if (reverse) std::reverse(expected.begin(), expected.end());
    ASSERT_EQ(found, expected) << "from " << from << (reverse ? " reverse" : "")
                               << (generic ? " generic" : "");
  }
}

}  // namespace
}  // namespace quire::testing
