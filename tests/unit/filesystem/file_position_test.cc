// File: position, locks, warnings, numbers and Cancel (R-S5, R-S6, R-S7; enscribe.md §7 and §9),
// over a service that keeps one file in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "client/filesystem/file_system.h"
#include "client/filesystem/open_file.h"
#include "quire/mutex.h"
#include "tests/unit/filesystem/cluster.h"
#include "tests/unit/filesystem/fake_open_service.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;
using Kind = OperationKind;

class FilePosition : public ::testing::Test {
 protected:
  FilePosition() {
    for (const char* key : {"A001", "B001", "B002", "C001"}) service_->Put(key, Record(key));
  }

  std::unique_ptr<File> Open(const FileOpenOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<File>> file = OpenFile(service_, PartsName(), "test", options);
    EXPECT_TRUE(file.ok()) << file.status();
    return file.ok() ? *std::move(file) : nullptr;
  }

  const std::shared_ptr<FakeOpenService> service_ =
      std::make_shared<FakeOpenService>(PartsAttributes(1));
};

TEST_F(FilePosition, ReadsOnFromWhereItWasSet) {
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(*file->ReadNext(), Record("A001"));
  ASSERT_TRUE(file->SetPosition({.key = "B", .mode = PositioningMode::kGeneric}).ok());
  EXPECT_EQ(*file->ReadNext(), Record("B001"));
  EXPECT_EQ(*file->ReadUpdate(), Record("B001"));
  EXPECT_EQ(*file->ReadNext(), Record("B002"));
  EXPECT_EQ(Number(file->ReadNext()), 1);
  EXPECT_EQ(*file->ReadUpdate(), Record("B002"));
  ASSERT_TRUE(file->SetPosition({.reverse = true}).ok());
  EXPECT_EQ(*file->ReadNext(), Record("C001"));
  EXPECT_EQ(*file->ReadNext(), Record("B002"));
  ASSERT_TRUE(file->SetPosition({.key = "B001", .reverse = true, .skip_exact = true}).ok());
  EXPECT_EQ(*file->ReadNext(), Record("A001"));
}

TEST_F(FilePosition, SetPositionSendsNothingAndTravelsWithTheNextCall) {
  const std::unique_ptr<File> file = Open();
  ASSERT_TRUE(file->SetPosition({.key = "B001"}).ok());
  EXPECT_TRUE(service_->executed().empty());
  EXPECT_EQ(*file->ReadNext(), Record("B001"));
  EXPECT_THAT(service_->executed(), ElementsAre(Kind::kRestorePosition, Kind::kReadNext));
  EXPECT_EQ(service_->acked().size(), 1u);  // one message
  EXPECT_EQ(*file->ReadNext(), Record("B002"));
  EXPECT_EQ(service_->executed().size(), 3u);
}

TEST_F(FilePosition, R_S5_RefusedPositionsLeaveItAsItWas) {
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(*file->ReadNext(), Record("A001"));
  EXPECT_EQ(Number(file->SetPosition({.key = "TOOLONG"})), 21);
  EXPECT_EQ(Number(file->SetPosition({.key = "A", .compare_length = 2})), 21);
  EXPECT_EQ(Number(file->SetPosition({.key = "A", .key_specifier = 7})), 46);
  EXPECT_EQ(Number(file->SetPosition({.key = "A", .mode = static_cast<PositioningMode>(9)})), 22);
  EXPECT_EQ(Number(file->RestorePosition("no position")), 22);
  const Position longer{.key = "AAAAAAAA", .compare_length = 8};
  EXPECT_EQ(Number(file->RestorePosition(EncodePosition(longer))), 22);
  EXPECT_EQ(*file->ReadNext(), Record("B001"));
}

TEST_F(FilePosition, SavedPositionsComeBackAlsoInAnotherOpen) {
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(*file->ReadNext(), Record("A001"));
  const std::string saved = *file->SavePosition();
  EXPECT_EQ(*file->ReadNext(), Record("B001"));
  ASSERT_TRUE(file->RestorePosition(saved).ok());
  EXPECT_EQ(*file->SavePosition(), saved);
  EXPECT_EQ(*file->ReadUpdate(), Record("A001"));
  const std::unique_ptr<File> other = Open();
  ASSERT_TRUE(other->RestorePosition(saved).ok());
  EXPECT_EQ(*other->ReadNext(), Record("B001"));
}

TEST_F(FilePosition, SavedPositionKnowsWhatNowaitReadsMoved) {
  const std::unique_ptr<File> file = Open();
  Operation next;
  next.kind = Kind::kReadNext;
  file->Nowait(next, [](const absl::Status&, std::string_view) {});
  const std::string saved = *file->SavePosition();
  EXPECT_EQ(DecodePosition(saved)->key, "A001");
}

TEST_F(FilePosition, R_S7_WriteUpdateReplacesAndEmptyDeletes) {
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(*file->ReadNext(), Record("A001"));
  EXPECT_EQ(*file->ReadNext(), Record("B001"));
  EXPECT_TRUE(file->WriteUpdate(Record("B001", "new")).ok());
  EXPECT_EQ(*file->ReadUpdate(), Record("B001", "new"));
  EXPECT_TRUE(file->WriteUpdateUnlock("").ok());
  EXPECT_EQ(Number(file->ReadUpdate()), 11);
  EXPECT_EQ(Number(file->WriteUpdate("")), 11);
  EXPECT_EQ(*file->ReadNext(), Record("B002"));
  EXPECT_EQ(Number(file->Update("")), 21);
  EXPECT_EQ(service_->Records().count("B001"), 0u);
}

TEST_F(FilePosition, CallsCarryTheirFlags) {
  std::vector<Operation> seen;
  service_->on_batch = [&](const OperationBatch& batch) {
    EXPECT_EQ(batch.lock_timeout_ms, 1501u);
    for (size_t i = 0; i < batch.size(); ++i) {
      seen.push_back(batch[i]);
      seen.back().key = seen.back().record = {};
    }
  };
  FileOpenOptions options;
  options.lock_mode = LockMode::kReadWarn;
  options.lock_timeout = absl::Microseconds(1500001);
  options.sync_depth = 3;
  const std::unique_ptr<File> file = Open(options);
  EXPECT_EQ(service_->opens().at(0).lock_mode, 6u);
  EXPECT_EQ(service_->opens().at(0).sync_depth, 3u);
  EXPECT_TRUE(file->ReadNextLock().ok());
  EXPECT_TRUE(file->ReadUpdateLock().ok());
  EXPECT_TRUE(file->WriteUpdateUnlock(Record("A001")).ok());
  EXPECT_TRUE(file->LockRecord().ok());
  EXPECT_TRUE(file->UnlockRecord().ok());
  EXPECT_TRUE(file->LockFile().ok());
  EXPECT_TRUE(file->UnlockFile().ok());
  EXPECT_TRUE(file->SetLockMode(LockMode::kReject).ok());
  EXPECT_THAT(
      service_->executed(),
      ElementsAre(Kind::kReadNext, Kind::kReadUpdate, Kind::kWriteUpdate, Kind::kLockRecord,
                  Kind::kUnlockRecord, Kind::kLockFile, Kind::kUnlockFile, Kind::kSetLockMode));
  EXPECT_TRUE(seen[0].lock && seen[1].lock && seen[2].unlock);
  EXPECT_EQ(seen[7].lock_mode, 1u);
}

TEST_F(FilePosition, WarningIsOfTheLastCall) {
  const std::unique_ptr<File> file = Open();
  service_->LockElsewhere("A001");
  EXPECT_TRUE(file->ReadNext().ok());
  EXPECT_EQ(file->last_warning(), ErrorNumber::kReadThroughLock);
  EXPECT_EQ(Number(file->WriteUpdate(Record("A001"))), 73);
  EXPECT_EQ(file->last_warning(), ErrorNumber::kOk);
  EXPECT_TRUE(file->ReadUpdate().ok());
  EXPECT_EQ(file->last_warning(), ErrorNumber::kReadThroughLock);
  EXPECT_TRUE(file->SavePosition().ok());
  EXPECT_EQ(file->last_warning(), ErrorNumber::kOk);
}

TEST_F(FilePosition, R_S2_NumbersRiseFromOneAndResultsAreAcknowledged) {
  FileOpenOptions options;
  options.batch_operations = 2;
  const std::unique_ptr<File> file = Open(options);
  for (const char* key : {"D001", "D002", "D003", "D004"}) {
    file->WriteNowait(Record(key),
                      [](const absl::Status& s, std::string_view) { EXPECT_TRUE(s.ok()); });
  }
  EXPECT_TRUE(file->Read("D004").ok());
  EXPECT_THAT(service_->sequences(), ElementsAre(1u, 2u, 3u, 4u, 5u));
  EXPECT_THAT(service_->acked(), ElementsAre(0u, 2u, 4u));
}

TEST_F(FilePosition, NowaitTakesEveryKindAndKeepsTheOrder) {
  FileOpenOptions options;
  options.batch_operations = 10;
  const std::unique_ptr<File> file = Open(options);
  std::vector<std::string> answers;
  const auto done = [&answers](const absl::Status& status, std::string_view record) {
    answers.push_back(status.ok() ? std::string(record) : StrCat(Number(status)));
  };
  ASSERT_TRUE(file->SetPosition({.key = "B001", .mode = PositioningMode::kExact}).ok());
  Operation next;
  next.kind = Kind::kReadNext;
  Operation remove;
  remove.kind = Kind::kDeleteCurrent;
  uint64_t last = 0;
  for (const Operation& operation : {next, remove, next}) {
    const uint64_t number = file->Nowait(operation, done);
    EXPECT_GT(number, last);
    last = number;
  }
  EXPECT_TRUE(answers.empty());
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_THAT(answers, ElementsAre(Record("B001"), "", "1"));
  EXPECT_TRUE(file->Close().ok());
  EXPECT_EQ(file->Nowait(next, done), 0u);
  EXPECT_EQ(answers.back(), "16");
  EXPECT_EQ(Number(file->SetPosition({})), 16);
  EXPECT_EQ(Number(file->ReadNext()), 16);
  EXPECT_EQ(Number(file->SavePosition()), 16);
}

TEST(FileOrder, R_S5_WhatConcernsAllPartitionsOvertakesNothingAndIsNotOvertaken) {
  const auto service = std::make_shared<FakeOpenService>(PartsAttributes(3));
  FileOpenOptions options;
  options.batch_operations = 10;
  const std::unique_ptr<File> file = *OpenFile(service, PartsName(), "test", options);
  const auto ignore = [](const absl::Status& s, std::string_view) { EXPECT_TRUE(s.ok()); };
  const auto nowait = [&](Kind kind) {
    Operation operation;
    operation.kind = kind;
    return file->Nowait(operation, ignore);
  };
  for (const char* key : {"A001", "B001", "A002"}) file->WriteNowait(Record(key), ignore);
  EXPECT_TRUE(service->executed().empty());
  EXPECT_EQ(nowait(Kind::kLockFile), 4u);
  EXPECT_THAT(service->executed(), ElementsAre(Kind::kWrite, Kind::kWrite, Kind::kWrite));
  nowait(Kind::kUnlockFile);
  EXPECT_EQ(service->executed().size(), 3u);
  file->WriteNowait(Record("C001"), ignore);
  EXPECT_EQ(service->executed().size(), 5u);
  // A read that may cross a border, and READ, wait for what is collected for the partitions.
  EXPECT_EQ(*file->Read("B002", ReadMode::kApproximate), Record("C001"));
  file->WriteNowait(Record("A000"), ignore);
  EXPECT_EQ(*file->ReadNext(), Record("A000"));
  EXPECT_THAT(service->sequences(), ElementsAre(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u));
  EXPECT_EQ(service->acked().back(), 8u);
  EXPECT_EQ(service->acked().size(), 7u);  // A001 and A002, and the two of the whole file together
}

TEST_F(FilePosition, OperationLongerThanAMessageIsRefusedHere) {
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(Number(file->Write(std::string(5000, 'x'))), 21);
  EXPECT_TRUE(file->Read("A001").ok());  // the session lives
  // With the position to be told they would not fit in one message.
  ASSERT_TRUE(file->SetPosition({.key = "B001"}).ok());
  EXPECT_EQ(Number(file->WriteUpdate(std::string(4096, 'x'))), 0);
  EXPECT_EQ(service_->acked().size(), 3u);
}

// ---- Cancel ---------------------------------------------------------------------------------

TEST_F(FilePosition, CancelOfWhatWasNotSentAnswersAtOnce) {
  FileOpenOptions options;
  options.batch_operations = 10;
  const std::unique_ptr<File> file = Open(options);
  std::vector<std::string> answers;
  std::vector<uint64_t> numbers;
  for (const char* key : {"D001", "D002", "D003"}) {
    Operation write;
    write.kind = Kind::kWrite;
    const std::string record = Record(key);
    write.record = record;
    numbers.push_back(file->Nowait(write, [&answers, key](const absl::Status& s, std::string_view) {
      answers.push_back(StrCat(key, " ", Number(s)));
    }));
  }
  file->Cancel(numbers[1]);
  EXPECT_THAT(answers, ElementsAre("D002 40"));
  file->Cancel(numbers[1]);
  file->Cancel(0);
  file->Cancel(12345);
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_THAT(answers, ElementsAre("D002 40", "D001 0", "D003 0"));
  EXPECT_EQ(service_->Records().count("D002"), 0u);
  file->Cancel(numbers[2]);  // executed: nothing happens
  EXPECT_TRUE(file->Wait().ok());
}

TEST_F(FilePosition, CancelFindsTheOperationUnderWay) {
  const std::unique_ptr<File> file = Open();
  service_->LockElsewhere("A001");
  ASSERT_TRUE(file->SetPosition({.key = "A001"}).ok());
  std::vector<int> answers;
  Operation lock;
  lock.kind = Kind::kLockRecord;
  const uint64_t number = file->Nowait(
      lock, [&](const absl::Status& s, std::string_view) { answers.push_back(Number(s)); });
  file->ReadNowait("B001",
                   [&](const absl::Status& s, std::string_view) { answers.push_back(Number(s)); });
  EXPECT_TRUE(answers.empty());
  std::thread other([&] { file->Cancel(number); });
  EXPECT_TRUE(file->Wait().ok());
  other.join();
  EXPECT_THAT(answers, ElementsAre(40, 0));
}

TEST_F(FilePosition, CancelWaitGetsAThreadOutOfItsLockWait) {
  const std::unique_ptr<File> file = Open();
  service_->LockElsewhere("A001");
  std::thread other([&] {
    service_->AwaitLockWait();
    file->CancelWait();
  });
  EXPECT_EQ(Number(file->ReadNextLock()), 40);
  other.join();
  file->CancelWait();  // nobody waits
  service_->UnlockElsewhere("A001");
  EXPECT_EQ(*file->ReadNextLock(), Record("A001"));
}

TEST_F(FilePosition, CancelFromACompletionOfTheSameBatch) {
  const std::unique_ptr<File> file = Open();
  service_->LockElsewhere("B001");
  std::vector<int> answers;
  Operation lock;
  lock.kind = Kind::kLockRecord;
  lock.key = "B001";
  uint64_t number = 0;
  // The first batch is answered while the second is handed over.
  service_->Hold();
  file->ReadNowait("A001", [&](const absl::Status& s, std::string_view) {
    answers.push_back(Number(s));
    file->Cancel(number);
  });
  number = file->Nowait(
      lock, [&](const absl::Status& s, std::string_view) { answers.push_back(Number(s)); });
  service_->Release();
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_THAT(answers, ElementsAre(0, 40));
}

TEST_F(FilePosition, CancelDuringTheHandOverIsNotLost) {
  const std::unique_ptr<File> file = Open();
  service_->LockElsewhere("B001");
  int answer = -1;
  Operation lock;
  lock.kind = Kind::kLockRecord;
  lock.key = "B001";
  // Numbers rise by one: this is the File's first operation.
  service_->on_batch = [&](const OperationBatch&) { file->Cancel(1); };
  EXPECT_EQ(
      file->Nowait(lock, [&](const absl::Status& s, std::string_view) { answer = Number(s); }), 1u);
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_EQ(answer, 40);
}

// ---- Lost connections -----------------------------------------------------------------------

TEST_F(FilePosition, R_S5_FailedCallLeavesThePositionAlsoWhenTheTellingGotLost) {
  const std::unique_ptr<File> file = Open();
  EXPECT_EQ(*file->ReadNext(), Record("A001"));
  ASSERT_TRUE(file->SetPosition({.key = "C001"}).ok());
  service_->on_batch = [&](const OperationBatch&) {
    service_->BreakSessions(MakeError(ErrorNumber::kPathDown, "lost", Retry::kOutcomeUnknown));
  };
  EXPECT_EQ(Number(file->ReadNext()), 201);
  EXPECT_EQ(DecodePosition(*file->SavePosition())->key, "C001");
  Operation next;
  next.kind = Kind::kReadNext;
  int answer = 0;
  file->Nowait(next, [&](const absl::Status& s, std::string_view) { answer = Number(s); });
  file->Flush();
  EXPECT_EQ(answer, 66);
  EXPECT_EQ(Number(file->Wait()), 66);
}

TEST(FileResumes, R_S2_LostConnectionIsNotSeen) {
  const absl::Status lost = MakeError(ErrorNumber::kPathDown, "lost", Retry::kOutcomeUnknown);
  Cluster cluster(1);
  cluster.CreateParts();
  const absl::StatusOr<std::unique_ptr<File>> file =
      OpenFile(cluster.services().at("$DATA01"), PartsName(), "test", {},
               ResumePolicy{absl::Seconds(60), MakeThreadTimer()});
  ASSERT_TRUE(file.ok()) << file.status();
  for (const char* key : {"A001", "A002", "A003"}) {
    EXPECT_TRUE((*file)->Write(Record(key)).ok());
    cluster.volume(1).BreakSessions(lost);
    EXPECT_EQ(*(*file)->Read(key), Record(key));
  }
  EXPECT_EQ(cluster.volume(1).opens().size(), 4u);
  EXPECT_TRUE(cluster.volume(1).opens().back().resume.has_value());
  EXPECT_TRUE((*file)->Close().ok());
}

// ---- Lists ----------------------------------------------------------------------------------

TEST_F(FilePosition, ListsHaveAllPages) {
  const std::unique_ptr<FileSystem> files = MakeFileSystem(service_, "test");
  const absl::StatusOr<std::vector<OpenInfo>> opens = files->ListOpens(PartsName());
  ASSERT_TRUE(opens.ok() && opens->size() == 3);
  EXPECT_EQ((*opens)[2].open_id, 3u);
  const absl::StatusOr<std::vector<LockInfo>> locks = files->ListLocks(PartsName(), true);
  ASSERT_TRUE(locks.ok() && locks->size() == 3);
  EXPECT_EQ((*locks)[2].open_id, 3u);
  EXPECT_TRUE((*locks)[2].granted);
}

}  // namespace
}  // namespace quire::testing
