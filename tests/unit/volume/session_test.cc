// Sessions: order, credits, access, the exclusion matrix, life and end (R-S1, R-S5).

#include "quire/limits.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";

TEST_F(VolumeTest, SessionBeginsWithOpenedAndAnswersInOrder) {
  MustCreate(kFile, false);
  OpenRequest open{Ref(kFile)};
  open.file.open_id = 4711;
  KeptSession session(volume_.volume(), open);
  const absl::StatusOr<Opened> opened = session.opened();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->open_id, 4711U);
  EXPECT_EQ(opened->credits, kSessionCredits);
  EXPECT_EQ(opened->epoch, volume_->epoch());
  EXPECT_EQ(opened->info.name.ToString(), kFile);
  for (uint64_t i = 0; i < 60; ++i) {
    OperationBatch batch = OneWrite(SmallRecord(static_cast<int>(i)));
    batch.first_sequence = i;
    session.SubmitNowait(std::move(batch));
  }
  const std::vector<BatchResult> results = session.WaitForResults(60);
  ASSERT_EQ(results.size(), 60U);
  for (uint64_t i = 0; i < 60; ++i) {
    EXPECT_EQ(results[i].first_sequence, i);
    EXPECT_TRUE(results[i].results.at(0).status.ok());
  }
  EXPECT_TRUE(session.Close().ok());
}

TEST_F(VolumeTest, AFailedOperationDoesNotLoseTheRest) {  // R-S5
  MustCreate(kFile, false);
  KeptSession session(volume_.volume(), OpenRequest{Ref(kFile)});
  OperationBatch batch = OneWrite(SmallRecord(1));
  const std::string record = SmallRecord(1);
  const std::string other = SmallRecord(2);
  batch.Add(Operation{OperationKind::kWrite, {}, false, false, {}, record});
  batch.Add(Operation{OperationKind::kWrite, {}, false, false, {}, other});
  const std::string key = SmallKey(2);
  batch.Add(Operation{OperationKind::kRead, {}, false, false, key, {}});
  BatchResult result = session.Submit(batch);
  ASSERT_EQ(result.results.size(), 4U);
  EXPECT_EQ(Number(result.results[1].status), 10);
  EXPECT_TRUE(result.results[2].status.ok());
  EXPECT_EQ(result.record(3), other);
  OperationBatch stopping;
  stopping.stop_on_error = true;
  stopping.Add(Operation{OperationKind::kWrite, {}, false, false, {}, record});
  const std::string third = SmallRecord(3);
  stopping.Add(Operation{OperationKind::kWrite, {}, false, false, {}, third});
  result = session.Submit(std::move(stopping));
  EXPECT_EQ(Number(result.results[0].status), 10);
  EXPECT_EQ(Number(result.results[1].status), 22);
  EXPECT_EQ(Number(Read(kFile, SmallKey(3)).status()), 11);
  EXPECT_TRUE(session.Close().ok());
}

TEST_F(VolumeTest, ExclusionFollowsTheMatrix) {
  using A = AccessMode;
  using E = Exclusion;
  struct Row {
    A held_access;
    E held;
    A access;
    E exclusion;
    bool conflict;
  };
  const Row rows[] = {
      {A::kRead, E::kShared, A::kRead, E::kShared, false},
      {A::kReadWrite, E::kShared, A::kReadWrite, E::kShared, false},
      {A::kRead, E::kShared, A::kRead, E::kProtected, false},
      {A::kRead, E::kShared, A::kReadWrite, E::kProtected, false},
      {A::kReadWrite, E::kShared, A::kRead, E::kProtected, true},
      {A::kWrite, E::kShared, A::kReadWrite, E::kProtected, true},
      {A::kRead, E::kProtected, A::kRead, E::kShared, false},
      {A::kRead, E::kProtected, A::kWrite, E::kShared, true},
      {A::kRead, E::kProtected, A::kRead, E::kProtected, false},
      {A::kRead, E::kProtected, A::kReadWrite, E::kProtected, true},
      {A::kReadWrite, E::kProtected, A::kRead, E::kShared, false},
      {A::kReadWrite, E::kProtected, A::kReadWrite, E::kShared, true},
      {A::kReadWrite, E::kProtected, A::kRead, E::kProtected, true},
      {A::kRead, E::kShared, A::kRead, E::kExclusive, true},
      {A::kRead, E::kExclusive, A::kRead, E::kShared, true},
  };
  MustCreate(kFile, false);
  for (const Row& row : rows) {
    OpenRequest held{Ref(kFile), row.held_access, row.held, 1};
    KeptSession first(volume_.volume(), held);
    ASSERT_TRUE(first.opened().ok());
    KeptSession second(volume_.volume(), OpenRequest{Ref(kFile), row.access, row.exclusion, 1});
    EXPECT_EQ(Number(second.opened().status()), row.conflict ? 12 : 0);
    if (row.conflict) {
      EXPECT_EQ(Number(second.WaitClosed()), 12);
    } else {
      EXPECT_TRUE(second.Close().ok());
    }
    EXPECT_TRUE(first.Close().ok());
  }
}

TEST_F(VolumeTest, AccessModeIsObeyed) {
  MustCreate(kFile, false);
  KeptSession reader(volume_.volume(), OpenRequest{Ref(kFile), AccessMode::kRead});
  EXPECT_EQ(Number(reader.Submit(OneWrite(SmallRecord(1))).results.at(0).status), 49);
  KeptSession writer(volume_.volume(), OpenRequest{Ref(kFile), AccessMode::kWrite});
  EXPECT_EQ(Number(writer.Submit(OneRead(SmallKey(1))).results.at(0).status), 49);
  EXPECT_TRUE(reader.Close().ok());
  EXPECT_TRUE(writer.Close().ok());
}

TEST_F(VolumeTest, WrongArgumentsOfAnOpenAndAReadAre22) {
  MustCreate(kFile, false);
  OpenRequest deep{Ref(kFile)};
  deep.sync_depth = 16;
  EXPECT_EQ(Number(KeptSession(volume_.volume(), deep).opened().status()), 22);
  ASSERT_TRUE(Write(kFile, SmallRecord(1)).ok());
  KeptSession open(volume_.volume(), OpenRequest{Ref(kFile)});
  const OperationBatch read = OneRead(SmallKey(1), static_cast<ReadMode>(3));
  EXPECT_EQ(Number(open.Submit(read).results.at(0).status), 22);
  EXPECT_TRUE(open.Close().ok());
}

TEST_F(VolumeTest, ClosedAndUnknownOpensAre16) {
  MustCreate(kFile, false);
  FileReference reference = Ref(kFile);
  reference.open_id = 99;
  EXPECT_EQ(Number(RunOne(volume_.volume(), reference,
                          Operation{OperationKind::kDelete, {}, false, false, "0001", {}})
                       .status()),
            16);
}

TEST_F(VolumeTest, ADroppedSessionLeavesTheOpenForItsLease) {  // R-S1
  volume_.Close();
  volume_.options().lease_ms = 1;
  volume_.options().control_point_interval_ms = 20;  // and with it the tick that ends leases
  volume_.Open();
  MustCreate(kFile, false);
  auto session = std::make_unique<KeptSession>(
      volume_.volume(), OpenRequest{Ref(kFile), AccessMode::kRead, Exclusion::kExclusive});
  ASSERT_TRUE(session->opened().ok());
  EXPECT_EQ(Number(Write(kFile, SmallRecord(1))), 12);
  session->Drop();
  EXPECT_FALSE(session->WaitClosed().ok());
  while (Number(Write(kFile, SmallRecord(1))) == 12) {
  }
  EXPECT_EQ(Number(Write(kFile, SmallRecord(1))), 10);
}

TEST_F(VolumeTest, SessionOutlivesItsVolume) {
  MustCreate(kFile, false);
  KeptSession session(volume_.volume(), OpenRequest{Ref(kFile)});
  ASSERT_TRUE(session.opened().ok());
  volume_.Close();
  EXPECT_EQ(Number(session.Submit(OneWrite(SmallRecord(1))).results.at(0).status), 66);
  volume_.Open();
}

TEST_F(VolumeTest, TooLargeABatchIsRefusedWhole) {  // R-A5
  MustCreate(kFile, false);
  KeptSession session(volume_.volume(), OpenRequest{Ref(kFile)});
  OperationBatch batch;
  const std::string record = SmallRecord(1);
  for (uint32_t i = 0; i <= kMaxBatchOperations; ++i) {
    batch.Add(Operation{OperationKind::kWrite, {}, false, false, {}, record});
  }
  const BatchResult result = session.Submit(std::move(batch));
  EXPECT_EQ(Number(result.results.front().status), 21);
  EXPECT_EQ(Number(Read(kFile, SmallKey(1)).status()), 11);
  EXPECT_TRUE(session.Close().ok());
}

}  // namespace
}  // namespace quire::test
