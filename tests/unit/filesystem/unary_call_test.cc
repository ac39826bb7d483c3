// Single calls through the router.
#include "client/filesystem/unary_call.h"

#include "tests/unit/filesystem/cluster.h"
#include "tests/unit/filesystem/hand_timer.h"

namespace quire::testing {
namespace {

class UnaryCallTest : public ::testing::Test {
 protected:
  UnaryCallTest()
      : cluster_(3), router_(MakeRouterService(cluster_.services(), Cluster::AtOnce())) {
    cluster_.Fill({"A001", "C001"});
  }

  absl::StatusOr<std::string> Run(const Operation& operation, const FileName& name = PartsName()) {
    UnaryRequest request;
    request.file.name = name;
    request.operation.Add(operation);
    const auto result = Await<absl::StatusOr<BatchResult>>(
        [&](auto done) { router_->Execute(std::move(request), std::move(done)); });
    if (!result.ok()) return result.status();
    if (!result->results.at(0).status.ok()) return result->results[0].status;
    return std::string(result->record(0));
  }
  absl::StatusOr<std::string> Read(std::string_view key, ReadMode mode = ReadMode::kByKey) {
    Operation operation;
    operation.key = key;
    operation.mode = mode;
    return Run(operation);
  }
  absl::Status Write(const std::string& record) {
    Operation operation;
    operation.kind = OperationKind::kWrite;
    operation.record = record;
    return Run(operation).status();
  }

  Cluster cluster_;
  std::shared_ptr<Service> router_;
};

TEST_F(UnaryCallTest, RoutesAndRunsOverBorders) {
  EXPECT_TRUE(Write(Record("B001")).ok());
  EXPECT_THAT(cluster_.volume(2).Keys(kFile), ::testing::ElementsAre("B001"));
  EXPECT_EQ(*Read("C001"), Record("C001"));
  EXPECT_EQ(*Read("B002", ReadMode::kApproximate), Record("C001"));
  EXPECT_EQ(Number(Read("C002", ReadMode::kApproximate)), 1);
  EXPECT_EQ(Number(Read("A009")), 11);
  EXPECT_EQ(Number(Write(Record("A001"))), 10);
}

TEST_F(UnaryCallTest, LabelIsFetchedOnce) {
  ASSERT_TRUE(Read("A001").ok());
  const size_t calls = cluster_.volume(1).calls().size();
  ASSERT_TRUE(Read("C001").ok());
  EXPECT_EQ(cluster_.volume(1).calls().size(), calls);
}

TEST_F(UnaryCallTest, StaleLabelIsFetchedAgainAndTheCallRepeated) {
  ASSERT_TRUE(Read("C001").ok());
  // Replaced behind this router's back, with other partitions.
  ASSERT_TRUE(cluster_.files().Purge(PartsName()).ok());
  FileAttributes attributes = PartsAttributes(3);
  attributes.partitions[0].partial_key = "X";
  attributes.partitions[1].partial_key = "Y";
  ASSERT_TRUE(cluster_.files().Create(PartsName(), attributes).ok());
  EXPECT_TRUE(Write(Record("C001")).ok());
  EXPECT_THAT(cluster_.volume(1).Keys(kFile), ::testing::ElementsAre("C001"));
}

TEST_F(UnaryCallTest, R_S3_Numbers) {
  EXPECT_EQ(Number(Run({}, PartsName().OnVolume("$NONE"))), 14);
  EXPECT_EQ(Number(Run({}, PartsName().OnVolume("$DATA02"))), 72);
  EXPECT_EQ(Number(Run({}, {"", "$DATA01", "SHOP", "NONE"})), 11);
  ASSERT_TRUE(Read("A001").ok());
  cluster_.volume(3).SetDown(true);
  EXPECT_EQ(Number(Read("C001")), 66);
  EXPECT_TRUE(Read("A001").ok());
}

TEST_F(UnaryCallTest, LostAnswerOfAReadIs66AndOfAWrite201) {
  ASSERT_TRUE(Read("A001").ok());
  cluster_.volume(1).on_call = [](const std::string&) {
    return Failure{MakeError(ErrorNumber::kPathDown, "lost", Retry::kOutcomeUnknown), false};
  };
  EXPECT_EQ(Number(Read("A001")), 66);
  EXPECT_EQ(Number(Write(Record("A002"))), 201);
}

// A router of its own, with time moved by hand.
class RepeatedCallTest : public UnaryCallTest {
 protected:
  RepeatedCallTest() {
    router_ = MakeRouterService(cluster_.services(), RoutingOptions{absl::Seconds(5), timer_});
    // The first answers are lost, the work is done.
    cluster_.volume(1).on_call = [this](const std::string& call) {
      const bool loses = call == "Execute" && losses_ > 0 && losses_-- > 0;
      return loses ? Failure{lost_, /*lost_answer=*/true} : Failure{};
    };
  }

  void Start(const Operation& operation, uint64_t client_id, uint64_t sequence) {
    UnaryRequest request;
    request.file.name = PartsName();
    request.file.client_id = client_id;
    request.operation.Add(operation);
    request.operation.first_sequence = sequence;
    router_->Execute(std::move(request), [this](absl::StatusOr<BatchResult> result) {
      answers_.push_back(result.ok() ? Number(result->results.at(0).status) : Number(result));
    });
  }

  std::shared_ptr<HandTimer> timer_ = std::make_shared<HandTimer>();
  absl::Status lost_ = MakeError(ErrorNumber::kPathDown, "lost", Retry::kOutcomeUnknown);
  int losses_ = 3;
  std::vector<int> answers_;
};

TEST_F(RepeatedCallTest, R_S2_NumberedChangeIsRepeatedAndDoneOnce) {
  const std::string record = Record("A002");
  Operation write;
  write.kind = OperationKind::kWrite;
  write.record = record;
  Start(write, /*client_id=*/7, /*sequence=*/100);
  EXPECT_TRUE(answers_.empty());
  timer_->Advance(1'000'000);
  EXPECT_THAT(answers_, ::testing::ElementsAre(0));
  EXPECT_EQ(cluster_.volume(1).executions().at(100), 1);
}

TEST_F(RepeatedCallTest, R_S2_ChangeWithoutNumberIsNotRepeated) {
  const std::string record = Record("A002");
  Operation write;
  write.kind = OperationKind::kWrite;
  write.record = record;
  Start(write, /*client_id=*/7, /*sequence=*/0);
  Start(write, /*client_id=*/0, /*sequence=*/1);
  EXPECT_THAT(answers_, ::testing::ElementsAre(201, 201));
  // Reads are, and whatever was not done.
  lost_ = MakeError(ErrorNumber::kVolumeDown, "stopping", Retry::kSafe);
  losses_ = 1;
  Operation read;
  read.key = "A001";
  Start(read, 0, 0);
  timer_->Advance(1'000'000);
  EXPECT_THAT(answers_, ::testing::ElementsAre(201, 201, 0));
}

TEST_F(RepeatedCallTest, RetryTimeEnds) {
  losses_ = 1'000'000;
  Operation read;
  read.key = "A001";
  Start(read, 0, 0);
  timer_->Advance(4'000'000);
  EXPECT_TRUE(answers_.empty());
  timer_->Advance(1'000'000);
  EXPECT_THAT(answers_, ::testing::ElementsAre(66));
}

TEST_F(UnaryCallTest, OtherThanOneOperationIs22) {
  UnaryRequest request;
  request.file.name = PartsName();
  EXPECT_EQ(Number(Await<absl::StatusOr<BatchResult>>(
                [&](auto done) { router_->Execute(std::move(request), std::move(done)); })),
            22);
}

TEST_F(UnaryCallTest, R_S1_AnotherFileThanTheCallersIs60) {
  UnaryRequest request;
  request.file.name = PartsName();
  request.file.create_id = 4711;
  request.operation.Add(Operation{});
  EXPECT_EQ(Number(Await<absl::StatusOr<BatchResult>>(
                [&](auto done) { router_->Execute(std::move(request), std::move(done)); })),
            60);
}

}  // namespace
}  // namespace quire::testing
