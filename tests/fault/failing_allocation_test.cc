// Every large allocation of a request fails once: the request is refused with 31 and nothing of it
// is done, or the volume latches, since a change may be half done, and a start makes it whole.
// Everything is answered, and what was acknowledged is there in any case.
//
// Large: of the size of records, batches and blocks. Where a smaller one fails and nobody could
// answer, the program ends (server/volume/FAILURES.md).
#include <functional>
#include <future>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "tests/fault/failing_new.h"
#include "tests/support/operations.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.S.MEMORY";
constexpr size_t kLargeBytes = 1024;
constexpr size_t kTextBytes = 1500;
constexpr int kRecords = 40;
constexpr int kMostAllocations = 500;

std::string RecordOf(int key) {
  return SmallRecord(key, std::string(kTextBytes, static_cast<char>('a' + key % 26)));
}

// Keeps the one answer of a session with nothing large to allocate.
struct OneAnswer : SessionEvents {
  void OnOpened(absl::StatusOr<Opened> answer) override { opened.set_value(answer.status()); }
  void OnResults(BatchResult answer) override { result.set_value(std::move(answer)); }
  void OnClosed(absl::Status status) override {
    // Instead of a result, or behind it.
    try {
      result.set_value(std::nullopt);
    } catch (const std::future_error&) {
    }
    closed.set_value(std::move(status));
  }
  std::promise<absl::Status> opened;
  std::promise<std::optional<BatchResult>> result;
  std::promise<absl::Status> closed;
};

class FailingAllocationTest : public VolumeTest, public testing::WithParamInterface<FileMode> {
 protected:
  // What became of a call: its own status, and what it promises beyond records_.
  struct Outcome {
    absl::Status status;
    std::map<std::string, std::string> done = {};
  };

  void SetUp() override {
    CreateRequest create = SmallFile(kFile, GetParam());
    create.attributes.record_bytes = 2000;
    create.attributes.block_bytes = 4096;
    ASSERT_TRUE(Create(create).ok());
    for (int key = 0; key < kRecords; ++key) {
      ASSERT_TRUE(Write(kFile, RecordOf(100 * key)).ok());
      records_[SmallKey(100 * key)] = RecordOf(100 * key);
    }
    ASSERT_TRUE(Refresh().ok());
  }

  // Runs `call` again and again, each time with a later allocation that fails, until a run meets
  // none. `call` stops the failing before it looks at its answer.
  void FailEach(const std::function<Outcome(int n)>& call) {
    bool failed = true;
    for (int n = 1; failed; ++n) {
      SCOPED_TRACE(n);
      ASSERT_LT(n, kMostAllocations);
      Outcome outcome{absl::OkStatus()};
      FailAllocation(n, kLargeBytes);
      try {
        outcome = call(n);
      } catch (const std::bad_alloc&) {
        ++of_the_test_;  // a copy of its own
      }
      failed = StopFailing();
      Take(outcome);
    }
    RecordProperty("refused", refused_);
    RecordProperty("latched", latched_);
    std::cerr << "refused " << refused_ << ", latched " << latched_ << ", of the test itself "
              << of_the_test_ << "\n";
    CheckAll();
  }

  void Take(const Outcome& outcome) {
    const bool kept = GetParam() != FileMode::kBuffered;
    const absl::Status health = volume_->Health();
    if (health.ok() || kept) {
      for (const auto& [key, record] : outcome.done) records_[key] = record;
    }
    if (!health.ok()) {
      ++latched_;
      EXPECT_EQ(Number(health), 66);
      volume_.CrashAndReopen();
      CheckAll();
    } else if (!outcome.status.ok()) {
      ++refused_;
      EXPECT_EQ(Number(outcome.status), 31) << Describe(outcome.status);
      CheckAll();
    }
    // What a crash may take from a BUFFERED file is what came behind this.
    if (!kept) {
      ASSERT_TRUE(Refresh().ok());
    }
  }

  void CheckAll() {
    ASSERT_TRUE(volume_->Health().ok());
    EXPECT_TRUE(volume_->CheckTrees().ok());
    ScanRequest scan;
    scan.file = Ref(kFile);
    const auto found = ScanAll(volume_.volume(), scan);
    ASSERT_TRUE(found.ok()) << Describe(found.status());
    std::map<std::string, std::string> there;
    for (const std::string& record : *found) there[record.substr(0, 4)] = record;
    for (const auto& [key, record] : records_) EXPECT_EQ(there[key], record) << key;
  }

  std::map<std::string, std::string> records_;
  int refused_ = 0;
  int latched_ = 0;
  int of_the_test_ = 0;
};

TEST_P(FailingAllocationTest, Writes_R_D8) {
  // Splits among them.
  FailEach([&](int n) {
    const std::string record = RecordOf(n);
    Outcome outcome{Write(kFile, record)};
    PauseFailing();
    if (outcome.status.ok()) outcome.done[SmallKey(n)] = record;
    return outcome;
  });
  EXPECT_GT(refused_ + latched_, 0);
}

TEST_P(FailingAllocationTest, Reads_R_D8) {
  FailEach([&](int) { return Outcome{Read(kFile, SmallKey(100)).status()}; });
  EXPECT_GT(refused_, 0);
  EXPECT_EQ(latched_, 0) << "a read changes nothing";
}

TEST_P(FailingAllocationTest, Scans_R_D8) {
  ScanRequest scan;
  scan.file = Ref(kFile);
  FailEach([&](int) {
    const auto found = ScanAll(volume_.volume(), scan);
    PauseFailing();
    if (found.ok()) {
      EXPECT_EQ(found->size(), records_.size());
    }
    return Outcome{found.status()};
  });
  EXPECT_GT(refused_, 0);
  EXPECT_EQ(latched_, 0) << "a scan changes nothing";
}

TEST_P(FailingAllocationTest, SessionBatches_R_D8) {
  FailEach([&](int n) {
    PauseFailing();
    const auto answer = std::make_shared<OneAnswer>();
    OpenRequest open;
    open.file = Ref(kFile);
    open.sync_depth = 1;
    const std::unique_ptr<Session> session = volume_->OpenSession(open, answer);
    EXPECT_TRUE(answer->opened.get_future().get().ok());
    const std::string added = RecordOf(n);
    const std::string first = SmallKey(0);
    OperationBatch batch;
    batch.first_sequence = 1;
    batch.Add(Keyed(OperationKind::kRead, first));
    batch.Add(WithRecord(OperationKind::kWrite, added));
    batch.Add(Keyed(OperationKind::kReadNext));
    FailAllocation(n, kLargeBytes);
    session->Submit(std::move(batch));
    std::optional<BatchResult> result = answer->result.get_future().get();
    PauseFailing();
    Outcome outcome;
    if (result.has_value()) {
      EXPECT_EQ(result->results.size(), 3u);
      for (const OperationResult& one : result->results) outcome.status.Update(one.status);
      if (result->results[0].status.ok()) {
        EXPECT_EQ(result->record(0), records_[first]);
      }
      if (result->results[1].status.ok()) outcome.done[SmallKey(n)] = added;
      if (result->results[2].status.ok()) {
        EXPECT_EQ(result->record(2), records_[first]) << "from the begin of the file";
      }
    }
    session->Close();
    const absl::Status closed = answer->closed.get_future().get();
    if (!result.has_value()) outcome.status = closed;
    return outcome;
  });
  EXPECT_GT(refused_, 0);
}

TEST_P(FailingAllocationTest, Loads_R_D8) {
  FailEach([&](int n) {
    PauseFailing();
    const std::unique_ptr<LoadStream> load =
        volume_->Load(LoadRequest{Ref(kFile), /*continue_on_error=*/true});
    RecordChunk chunk;
    Outcome outcome;
    for (int key = 10 * n; key < 10 * n + 5; ++key) {
      if (key % 100 == 0) continue;
      chunk.Add(RecordOf(key));
      outcome.done[SmallKey(key)] = RecordOf(key);
    }
    std::promise<absl::StatusOr<LoadAnswer>> promise;
    FailAllocation(n, kLargeBytes);
    load->Send(std::move(chunk), [&](absl::StatusOr<LoadAnswer> a) { promise.set_value(a); });
    const absl::StatusOr<LoadAnswer> answer = promise.get_future().get();
    PauseFailing();
    outcome.status = answer.status();
    if (!answer.ok()) {
      outcome.done.clear();
    } else if (!answer->refused.empty()) {
      EXPECT_EQ(answer->accepted + answer->refused.size(), outcome.done.size());
      for (const auto& [i, status] : answer->refused) {
        outcome.done.erase(std::next(outcome.done.begin(), i));
        outcome.status = status;
      }
    }
    return outcome;
  });
}

TEST_P(FailingAllocationTest, ControlPoints_R_D8) {
  FailEach([&](int n) {
    PauseFailing();
    Outcome outcome{Write(kFile, RecordOf(n))};
    // BUFFERED: it may be lost with the control point that fails.
    if (outcome.status.ok()) outcome.done[SmallKey(n)] = RecordOf(n);
    FailAllocation(n, kLargeBytes);
    const absl::Status refreshed = Refresh().status();
    PauseFailing();
    outcome.status.Update(refreshed);
    return outcome;
  });
}

INSTANTIATE_TEST_SUITE_P(Modes, FailingAllocationTest,
                         testing::Values(FileMode::kWriteThrough, FileMode::kAudit,
                                         FileMode::kBuffered),
                         [](const testing::TestParamInfo<FileMode>& mode) -> std::string {
                           if (mode.param == FileMode::kAudit) return "Audit";
                           return mode.param == FileMode::kBuffered ? "Buffered" : "WriteThrough";
                         });

}  // namespace
}  // namespace quire::test
