// Replay of redo records, one by one: what applies, and what marks a file (R-D11).

#include "server/volume/replay.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "server/volume/redo_record.h"
#include "tests/support/operations.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

constexpr FileId kFile = 1;
constexpr FileId kOther = 2;
constexpr int64_t kTime = 4711;

class ReplayTest : public ::testing::Test {
 protected:
  ReplayTest() {
    state_.store = OpenMemoryStore(disc_, uint64_t{1} << 30);
    state_.cache = std::make_unique<BlockCache>(state_.store.get(), CacheOptions{1 << 20, 0});
    state_.catalog = std::make_unique<Catalog>(state_.cache.get());
    Add(kFile, "$DATA01.TEST.ONE");
    Add(kOther, "$DATA01.TEST.OTHER");
  }
  void Add(FileId id, const std::string& name) {
    FileLabel label;
    const CreateRequest create = SmallFile(name, FileMode::kAudit);
    label.id = id;
    label.name = create.name;
    label.attributes = *Normalize(create.attributes);
    state_.catalog->Add(std::move(label));
  }
  static std::string Redo(const Operation& operation, OpenKey open = {}, uint64_t sequence = 0) {
    std::string payload;
    EncodeRedo(RedoRecord{operation, kTime, open, sequence}, &payload);
    return payload;
  }
  absl::Status Apply(FileId file, const std::string& payload) {
    const TrailRecord record{TrailRecordKind::kRedo, file, 0, payload};
    return replay_.Apply(absl::MakeConstSpan(&record, 1));
  }
  FileEntry& Entry(FileId file) { return *state_.catalog->FindId(file); }

  std::shared_ptr<MemoryDisc> disc_ = std::make_shared<MemoryDisc>();
  VolumeState state_;
  Replay replay_{state_};
};

TEST_F(ReplayTest, R_D11_ExecutesWithTheTimeOfTheRecord) {
  const std::string record = SmallRecord(1);
  ASSERT_TRUE(Apply(kFile, Redo(WithRecord(OperationKind::kWrite, record))).ok());
  EXPECT_EQ(Entry(kFile).label().tree.record_count, 1U);
  EXPECT_EQ(Entry(kFile).label().modified_us, kTime);
  EXPECT_TRUE(Entry(kFile).file.label_changed);
  const std::string key = SmallKey(1);
  ASSERT_TRUE(Apply(kFile, Redo(Keyed(OperationKind::kDelete, key))).ok());
  EXPECT_EQ(Entry(kFile).label().tree.record_count, 0U);
  EXPECT_EQ(replay_.counts().redone, 2U);
  EXPECT_TRUE(replay_.counts().bad_files.empty());
}

TEST_F(ReplayTest, R_D11_WhatDoesNotApplyMarksTheFileAndTheOthersGoOn) {
  const std::string record = SmallRecord(1);
  const std::string missing = SmallRecord(2);
  const std::string missing_key = SmallKey(2);
  const std::string too_long(200, 'x');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"10", Redo(WithRecord(OperationKind::kWrite, record))},
      {"11 update", Redo(WithRecord(OperationKind::kUpdate, missing))},
      {"11 delete", Redo(Keyed(OperationKind::kDelete, missing_key))},
      {"21 length", Redo(WithRecord(OperationKind::kWrite, too_long))},
      {"21 key", Redo(Keyed(OperationKind::kDelete, "12"))},
      {"not a redo record", std::string(kRedoHeaderBytes, '\xFF')},
      {"cut off", std::string("x")},
  };
  FileId file = 10;
  for (const auto& [name, payload] : cases) {
    SCOPED_TRACE(name);
    ++file;
    Add(file, "$DATA01.TEST.F" + std::to_string(file));
    ASSERT_TRUE(Apply(file, Redo(WithRecord(OperationKind::kWrite, record))).ok());
    ASSERT_TRUE(Apply(file, payload).ok());
    EXPECT_TRUE(Entry(file).label().bad);
    ASSERT_EQ(replay_.counts().bad_files.size(), file - 10);
    EXPECT_EQ(NumberOf(replay_.counts().bad_files.back()), ErrorNumber::kFileBad);
    // Further records of the file are passed over, and it is told once.
    ASSERT_TRUE(Apply(file, Redo(WithRecord(OperationKind::kWrite, missing))).ok());
    EXPECT_EQ(Entry(file).label().tree.record_count, 1U);
    EXPECT_EQ(replay_.counts().bad_files.size(), file - 10);
  }
  ASSERT_TRUE(Apply(kOther, Redo(WithRecord(OperationKind::kWrite, record))).ok());
  EXPECT_FALSE(Entry(kOther).label().bad);
  EXPECT_EQ(Entry(kOther).label().tree.record_count, 1U);
}

TEST_F(ReplayTest, R_D11_AFullFileIsMarkedToo) {
  FileLabel& label = Entry(kFile).file.mutable_label();
  label.attributes.extents = {1, 1};
  label.attributes.max_extents = 1;  // 2 KiB: four blocks
  for (int key = 0; key < 100; ++key) {
    const std::string record = SmallRecord(key, std::string(90, 'x'));
    ASSERT_TRUE(Apply(kFile, Redo(WithRecord(OperationKind::kWrite, record))).ok());
  }
  EXPECT_TRUE(Entry(kFile).label().bad);
  ASSERT_EQ(replay_.counts().bad_files.size(), 1U);
  EXPECT_LT(Entry(kFile).label().tree.record_count, 100U);
}

TEST_F(ReplayTest, WantOfCacheIsNotTheFilesFault) {
  VolumeState state;
  state.store = OpenMemoryStore(disc_, uint64_t{1} << 30);
  state.cache = std::make_unique<BlockCache>(state.store.get(), CacheOptions{64 << 10, 0});
  state.catalog = std::make_unique<Catalog>(state.cache.get());
  FileLabel label = Entry(kFile).label();
  state.catalog->Add(std::move(label));
  Replay replay(state);
  absl::Status status;
  for (int key = 0; key < 5000 && status.ok(); ++key) {
    const std::string record = SmallRecord(key, std::string(90, 'x'));
    const std::string payload = Redo(WithRecord(OperationKind::kWrite, record));
    const TrailRecord one{TrailRecordKind::kRedo, kFile, 0, payload};
    status = replay.Apply(absl::MakeConstSpan(&one, 1));
  }
  EXPECT_EQ(NumberOf(status), ErrorNumber::kNoBufferSpace);
  EXPECT_FALSE(state.catalog->FindId(kFile)->label().bad);
}

TEST_F(ReplayTest, R_D10_TellsWhoMayRepeatIt) {
  std::vector<std::pair<OpenKey, uint64_t>> told;
  replay_.SetOnRedone([&](FileId file, const OpenKey& open, uint64_t sequence) {
    EXPECT_EQ(file, kFile);
    told.emplace_back(open, sequence);
  });
  const std::string first = SmallRecord(1);
  const std::string second = SmallRecord(2);
  ASSERT_TRUE(
      Apply(kFile, Redo(WithRecord(OperationKind::kWrite, first), OpenKey{9, true}, 5)).ok());
  ASSERT_TRUE(Apply(kFile, Redo(WithRecord(OperationKind::kWrite, second))).ok());
  EXPECT_EQ(told, (std::vector<std::pair<OpenKey, uint64_t>>{{OpenKey{9, true}, 5}}));
}

TEST_F(ReplayTest, R_D12_RecordsOfAPurgedFileArePassedOver) {
  state_.catalog->Purge(&Entry(kFile));
  const std::string record = SmallRecord(1);
  EXPECT_TRUE(Apply(kFile, Redo(WithRecord(OperationKind::kWrite, record))).ok());
  EXPECT_EQ(replay_.counts().redone, 0U);
}

}  // namespace
}  // namespace quire::test
