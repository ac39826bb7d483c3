// Client processes killed with SIGKILL while they hold locks or wait for them (R-S1): what the
// others see, and when they get the locks.
#include <signal.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "client/transport/grpc_stub.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/mutex.h"
#include "quire/text.h"
#include "tests/support/blocking.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

constexpr char kLockedFile[] = "$DATA01.S.FILE";
constexpr char kLockedRecord[] = "$DATA01.S.RECORDS";
// On the second partition.
constexpr char kKey[] = "N001";
// Long enough to be seen running, though the machine is busy.
constexpr absl::Duration kLease = absl::Seconds(2);

// The answer of a lock call made with Nowait, and when it came.
struct Asked {
  Notification answered;
  absl::Status status;
  absl::Time when;

  // OK when the lock was granted in time.
  absl::Status Wait() {
    if (answered.WaitForMicros(absl::ToInt64Microseconds(kProcessDeadline))) return status;
    return absl::DeadlineExceededError("the lock call got no answer");
  }
};

// Whether clients go through the router.
class KilledClientTest : public ClusterTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    const std::string lease_ms = StrCat(absl::ToInt64Milliseconds(kLease));
    ASSERT_NO_FATAL_FAILURE(StartCluster(2, {"--lease-ms", lease_ms}));
    const CommandResult created =
        FupScript(StrCat("SET REC 40\nSET KEYLEN 4\nSET PART (1,$DATA02,10,10,\"H\")\nCREATE ",
                         kLockedFile, "\nCREATE ", kLockedRecord, "\n"));
    ASSERT_EQ(created.exit_code, 0) << created.output;
    filesystem_ = GetParam() ? ConnectToRouter() : ConnectToVolumes();
    ASSERT_NE(filesystem_, nullptr);
    const std::unique_ptr<File> file = Open(kLockedRecord);
    ASSERT_NE(file, nullptr);
    for (const char* key : {"A001", kKey}) {
      const absl::Status written = file->Write(key);
      ASSERT_TRUE(written.ok()) << Describe(written);
    }
    ASSERT_TRUE(file->Close().ok());
  }

  // Another process, with the name `client`; its steps are those of tests/support/lock_client.cc.
  std::unique_ptr<ChildProcess> StartClient(const std::string& client,
                                            const std::vector<std::string>& steps) {
    ChildOptions options{
        .arguments = {QUIRE_LOCK_CLIENT, GetParam() ? "router" : "volumes",
                      GetParam() ? router_address() : folder() + "/volumes", client},
        .output_path = OutputOf(client)};
    options.arguments.insert(options.arguments.end(), steps.begin(), steps.end());
    return std::make_unique<ChildProcess>(options);
  }
  std::string OutputOf(const std::string& client) const { return StrCat(folder(), "/", client); }
  bool HasSaid(const std::string& client, const std::string& line) {
    return WaitUntil(
        [&] { return ReadWholeFile(OutputOf(client)).find(line + "\n") != std::string::npos; });
  }
  // The ids of a client's opens, in their order.
  std::vector<uint64_t> OpenIds(const std::string& client) {
    std::vector<uint64_t> ids;
    std::istringstream words(ReadWholeFile(OutputOf(client)));
    for (std::string word; words >> word;) {
      if (word == "id") words >> ids.emplace_back();
    }
    return ids;
  }

  std::unique_ptr<File> Open(const char* name) {
    auto file = filesystem_->Open(name);
    if (file.ok()) return *std::move(file);
    ADD_FAILURE() << Describe(file.status());
    return nullptr;
  }

  std::shared_ptr<Asked> Ask(File& file, OperationKind kind, std::string_view key = {}) {
    auto asked = std::make_shared<Asked>();
    Operation operation;
    operation.kind = kind;
    operation.key = key;
    file.Nowait(operation, [asked](const absl::Status& status, std::string_view) {
      asked->status = status;
      asked->when = absl::Now();
      asked->answered.Notify();
    });
    file.Flush();
    return asked;
  }

  // "granted NAME" or "waiting NAME" per lock of the file, as LISTLOCKS gives them.
  std::vector<std::string> Locks(const char* name) {
    const auto locks = filesystem_->ListLocks(*ParseFileName(name), /*granted_only=*/false);
    if (!locks.ok()) return {Describe(locks.status())};
    std::vector<std::string> lines;
    for (const LockInfo& lock : *locks) {
      lines.push_back(
          StrCat(lock.granted ? "granted " : "waiting ", NameOf(lock.open_id, lock.client_name)));
    }
    return lines;
  }
  bool EventuallyLocks(const char* name, const std::vector<std::string>& expected) {
    const bool holds = WaitUntil([&] { return Locks(name) == expected; });
    EXPECT_THAT(Locks(name), testing::ElementsAreArray(expected));
    return holds;
  }
  // The open's line of LISTOPENS; nullopt when there is none.
  std::optional<OpenInfo> FindOpen(const char* name, uint64_t open_id) {
    const auto opens = filesystem_->ListOpens(*ParseFileName(name));
    if (!opens.ok()) {
      ADD_FAILURE() << Describe(opens.status());
      return std::nullopt;
    }
    const auto found = std::ranges::find(*opens, open_id, &OpenInfo::open_id);
    return found == opens->end() ? std::nullopt : std::optional<OpenInfo>(*found);
  }

  // What somebody gets who goes on with the open.
  ErrorNumber Resume(const std::string& address, const char* name, uint64_t open_id) {
    const std::shared_ptr<Service> service = MakeGrpcStub({.address = address});
    OpenRequest request;
    request.file.name = *ParseFileName(name);
    request.file.open_id = open_id;
    request.resume.emplace();
    return NumberOf(test::KeptSession(*service, std::move(request)).opened().status());
  }
  void ExpectRefused(const char* name, uint64_t open_id) {
    EXPECT_EQ(Resume(volume_address(1), name, open_id), ErrorNumber::kReopen);
    EXPECT_EQ(Resume(router_address(), name, open_id), ErrorNumber::kReopen);
  }

  // Two opens of this process go by the names given to them here, others by their client's.
  void Call(const File& file, const std::string& name) { names_[file.open_id()] = name; }
  std::string NameOf(uint64_t open_id, const std::string& client_name) const {
    const auto found = names_.find(open_id);
    return found == names_.end() ? client_name : found->second;
  }

  // One of this process has the lock of the record, a program waits for it, and another of this
  // process behind that.
  struct LockQueue {
    std::unique_ptr<File> holder;
    std::unique_ptr<ChildProcess> waiter;
    std::unique_ptr<File> next;
    std::shared_ptr<Asked> lock;  // what `next` waits for
  };
  void Line(LockQueue* queue) {
    queue->holder = Open(kLockedRecord);
    queue->next = Open(kLockedRecord);
    ASSERT_TRUE(queue->holder != nullptr && queue->next != nullptr);
    Call(*queue->holder, "holder");
    Call(*queue->next, "next");
    ASSERT_TRUE(Ask(*queue->holder, OperationKind::kLockRecord, kKey)->Wait().ok());
    queue->waiter = StartClient("waiter", {StrCat("open=", kLockedRecord), StrCat("lock=", kKey)});
    ASSERT_TRUE(EventuallyLocks(kLockedRecord, {"granted holder", "waiting waiter"}));
    queue->lock = Ask(*queue->next, OperationKind::kLockRecord, kKey);
    ASSERT_TRUE(
        EventuallyLocks(kLockedRecord, {"granted holder", "waiting waiter", "waiting next"}));
  }

  std::unique_ptr<FileSystem> filesystem_;
  std::map<uint64_t, std::string> names_;
};

TEST_P(KilledClientTest, LocksOfTheDeadGoWithItsLease_R_S1) {
  const auto holder =
      StartClient("holder", {StrCat("open=", kLockedFile), "lock-file",
                             StrCat("open=", kLockedRecord), StrCat("lock=", kKey)});
  ASSERT_TRUE(HasSaid("holder", StrCat("ended lock=", kKey, " 0")))
      << ReadWholeFile(OutputOf("holder"));
  const std::vector<uint64_t> dead = OpenIds("holder");
  ASSERT_EQ(dead.size(), 2u);
  const std::unique_ptr<File> file = Open(kLockedFile);
  const std::unique_ptr<File> records = Open(kLockedRecord);
  ASSERT_TRUE(file != nullptr && records != nullptr);
  Call(*file, "other");
  Call(*records, "other");
  const auto file_lock = Ask(*file, OperationKind::kLockFile);
  const auto record_lock = Ask(*records, OperationKind::kLockRecord, kKey);

  // Before: the file lock is one per partition, taken in order, and waited for at the first.
  ASSERT_TRUE(EventuallyLocks(kLockedFile, {"granted holder", "waiting other", "granted holder"}));
  ASSERT_TRUE(EventuallyLocks(kLockedRecord, {"granted holder", "waiting other"}));
  const std::optional<OpenInfo> before = FindOpen(kLockedFile, dead[0]);
  ASSERT_TRUE(before.has_value());
  EXPECT_EQ(before->client_name, "holder");
  EXPECT_EQ(before->locks, 1u);
  EXPECT_FALSE(before->detached);
  // A writer does not wait (R-S4).
  const std::unique_ptr<File> writer = Open(kLockedRecord);
  ASSERT_NE(writer, nullptr);
  EXPECT_EQ(NumberOf(writer->Update(kKey)), ErrorNumber::kLocked);

  const absl::Time killed = absl::Now();
  holder->Kill();
  EXPECT_TRUE(WaitUntil([&] {
    const std::optional<OpenInfo> open = FindOpen(kLockedFile, dead[0]);
    return (open.has_value() && open->detached) || absl::Now() >= killed + kLease;
  })) << "LISTOPENS does not show that the lease runs";
  EXPECT_TRUE(file_lock->Wait().ok()) << Describe(file_lock->status);
  EXPECT_TRUE(record_lock->Wait().ok()) << Describe(record_lock->status);
  EXPECT_GE(file_lock->when, killed + kLease);
  EXPECT_GE(record_lock->when, killed + kLease);

  // After.
  EXPECT_TRUE(EventuallyLocks(kLockedFile, {"granted other", "granted other"}));
  EXPECT_TRUE(EventuallyLocks(kLockedRecord, {"granted other"}));
  EXPECT_FALSE(FindOpen(kLockedFile, dead[0]).has_value());
  EXPECT_FALSE(FindOpen(kLockedRecord, dead[1]).has_value());
  ExpectRefused(kLockedFile, dead[0]);
  ExpectRefused(kLockedRecord, dead[1]);
  EXPECT_TRUE(records->Update(kKey).ok());
}

TEST_P(KilledClientTest, DeadWaiterStandsInNobodysWay_R_S1) {
  LockQueue queue;
  ASSERT_NO_FATAL_FAILURE(Line(&queue));
  const std::vector<uint64_t> dead = OpenIds("waiter");
  ASSERT_EQ(dead.size(), 1u);

  queue.waiter->Kill();
  ASSERT_TRUE(EventuallyLocks(kLockedRecord, {"granted holder", "waiting next"}));
  EXPECT_FALSE(queue.lock->answered.WaitForMicros(0));
  ASSERT_TRUE(Ask(*queue.holder, OperationKind::kUnlockFile)->Wait().ok());
  EXPECT_TRUE(queue.lock->Wait().ok()) << Describe(queue.lock->status);
  EXPECT_TRUE(EventuallyLocks(kLockedRecord, {"granted next"}));
  EXPECT_TRUE(WaitUntil([&] { return !FindOpen(kLockedRecord, dead[0]).has_value(); }));
  ExpectRefused(kLockedRecord, dead[0]);
}

// The lock comes free while the volume may not yet know that the first in the queue is dead.
TEST_P(KilledClientTest, LockGivenToTheDeadGoesOnWithItsLease_R_S1) {
  LockQueue queue;
  ASSERT_NO_FATAL_FAILURE(Line(&queue));

  queue.waiter->Signal(SIGKILL);
  const auto unlocked = Ask(*queue.holder, OperationKind::kUnlockFile);
  EXPECT_TRUE(unlocked->Wait().ok()) << Describe(unlocked->status);
  EXPECT_TRUE(queue.lock->Wait().ok()) << Describe(queue.lock->status);
  EXPECT_TRUE(EventuallyLocks(kLockedRecord, {"granted next"}));
}

INSTANTIATE_TEST_SUITE_P(, KilledClientTest, testing::Bool(), [](const auto& instance) {
  return instance.param ? "ThroughTheRouter" : "AtTheVolumes";
});

}  // namespace
}  // namespace quire
