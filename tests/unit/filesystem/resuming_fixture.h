// A resuming session over one fake volume, with time moved by hand.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_RESUMING_FIXTURE_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_RESUMING_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/filesystem/resuming_session.h"
#include "tests/unit/filesystem/cluster.h"
#include "tests/unit/filesystem/hand_timer.h"
#include "tests/unit/filesystem/session_user.h"

namespace quire::testing {

inline constexpr int64_t kSecond = 1'000'000;

inline absl::Status Broken() {
  return MakeError(ErrorNumber::kPathDown, "connection lost", Retry::kOutcomeUnknown);
}

class ResumingSessionTest : public ::testing::Test {
 protected:
  ResumingSessionTest() { StartAnew(); }

  // An empty volume, a user that was told nothing.
  void StartAnew() {
    session_.reset();
    volume_ = std::make_shared<FakeVolume>("$DATA01");
    user_ = std::make_shared<SessionUser>();
    next_sequence_ = 1;
    acked_through_ = 0;
    CreateRequest create;
    create.name = PartsName();
    create.attributes = PartsAttributes(1);
    volume_->Create(create, [](absl::StatusOr<FileInfo>) {});
  }

  void Open(uint32_t sync_depth = 1, absl::Duration retry_time = absl::Seconds(5)) {
    OpenRequest request;
    request.file.name = PartsName();
    request.sync_depth = sync_depth;
    session_ = OpenResuming(volume_, request, user_, ResumePolicy{retry_time, timer_});
  }
  // A batch of its own for each operation; sequences rise from 1.
  void Submit(const Operation& operation) { SubmitAll({operation}); }
  void SubmitAll(const std::vector<Operation>& operations) {
    OperationBatch batch = Batch(next_sequence_, operations);
    batch.acked_through = acked_through_;
    next_sequence_ += operations.size();
    session_->Submit(std::move(batch));
  }
  void Write(const std::string& key) {
    const std::string record = Record(key);
    Submit(WithRecord(OperationKind::kWrite, record));
  }
  void Read(const std::string& key) { Submit(ByKey(OperationKind::kRead, key)); }

  std::shared_ptr<FakeVolume> volume_;
  std::shared_ptr<HandTimer> timer_ = std::make_shared<HandTimer>();
  std::shared_ptr<SessionUser> user_;
  std::unique_ptr<Session> session_;
  uint64_t next_sequence_ = 1;
  uint64_t acked_through_ = 0;
};

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_RESUMING_FIXTURE_H_
