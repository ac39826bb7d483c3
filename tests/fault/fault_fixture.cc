#include "tests/fault/fault_fixture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <set>

#include "absl/strings/str_format.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire::test {
namespace {

constexpr const char* kFiles[] = {"$DATA01.S.THROUGH", "$DATA01.S.AUDITED"};

}  // namespace

void FaultTest::SetUp() {
  const std::string path = StrCat(folder(), "/fault-control");
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(ftruncate(descriptor, sizeof(FaultControl)), 0);
  void* const page =
      mmap(nullptr, sizeof(FaultControl), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  ASSERT_NE(page, MAP_FAILED);
  control_ = static_cast<FaultControl*>(page);
  control_->first = 1;
  SetServerEnvironment(environment());
}

void FaultTest::TearDown() {
  Close();
  if (control_ != nullptr) munmap(control_, sizeof(FaultControl));
}

std::map<std::string, std::string> FaultTest::environment() const {
  return {{"LD_PRELOAD", QUIRE_FAULT_LIBRARY},
          {kFaultControlVariable, StrCat(folder(), "/fault-control")}};
}

void FaultTest::Arm() {
  control_->seen = 0;
  control_->failed = 0;
  control_->failed_sync_inode = 0;
  control_->syncs_after = 0;
  control_->writes_after = 0;
  control_->armed.store(1, std::memory_order_release);
}

void FaultTest::Disarm() {
  control_->armed.store(0, std::memory_order_release);
  control_->failed_sync_inode = 0;
}

void FaultTest::Start() {
  ASSERT_NO_FATAL_FAILURE(StartVolume(
      1, {"--trail-segment", "256KiB", "--trail-limit", "64MiB", "--trail-sync", "fdatasync"}));
  filesystem_ = ConnectToVolumes();
  ASSERT_NE(filesystem_, nullptr);
}

void FaultTest::CreateFiles() {
  for (const bool audit : {false, true}) {
    FileAttributes attributes;
    attributes.record_bytes = 400;
    attributes.key_length = 8;
    attributes.extents = {500, 500};
    attributes.audit = audit;
    const auto name = ParseFileName(kFiles[audit ? 1 : 0]);
    ASSERT_TRUE(name.ok());
    const auto created = filesystem_->Create(*name, attributes);
    ASSERT_TRUE(created.ok()) << Describe(created.status());
  }
  ASSERT_NO_FATAL_FAILURE(OpenFiles());
}

void FaultTest::OpenFiles() {
  for (int i = 0; i < 2; ++i) {
    auto opened = filesystem_->Open(kFiles[i]);
    ASSERT_TRUE(opened.ok()) << Describe(opened.status());
    ledgers_[i].name = kFiles[i];
    ledgers_[i].file = *std::move(opened);
  }
}

void FaultTest::Close() {
  for (Ledger& ledger : ledgers_) ledger.file.reset();
  filesystem_.reset();
}

std::string FaultTest::KeyOf(int number) {
  // Spread over the file, so that each change is of another block.
  return absl::StrFormat("%08d", number * 7919 % 100000);
}

std::string FaultTest::RecordOf(int number) {
  return KeyOf(number) + std::string(300, static_cast<char>('a' + number % 26));
}

absl::Status FaultTest::Step() {
  const int number = next_++;
  Ledger& ledger = ledgers_[number % 2];
  absl::Status written = ledger.file->Write(RecordOf(number));
  if (written.ok()) {
    ledger.acknowledged.push_back(number);
  } else if (RetryOf(written) == Retry::kSafe) {
    ledger.refused.push_back(number);
  }
  if (!written.ok() || steps_per_control_point_ == 0) return written;
  if (next_ % steps_per_control_point_ != 0) return written;
  return filesystem_->Refresh("").status();
}

void FaultTest::VerifyRecords() {
  for (const Ledger& ledger : ledgers_) {
    SCOPED_TRACE(ledger.name);
    VerifyRecords(ledger);
  }
}

void FaultTest::VerifyRecords(const Ledger& ledger) {
  std::set<std::string> found;
  const auto scan = ledger.file->Scan({});
  std::string last;
  auto record = scan->Next();
  for (; record.ok(); record = scan->Next()) {
    EXPECT_LT(last, *record);
    last = std::string(*record);
    found.insert(last);
  }
  EXPECT_EQ(NumberOf(record.status()), ErrorNumber::kEndOfFile) << Describe(record.status());
  for (const int number : ledger.acknowledged) {
    EXPECT_TRUE(found.contains(RecordOf(number))) << "acknowledged and missing: " << number;
  }
  for (const int number : ledger.refused) {
    EXPECT_FALSE(found.contains(RecordOf(number))) << "refused and there: " << number;
  }
  EXPECT_LE(found.size(), static_cast<size_t>(next_));
}

}  // namespace quire::test
