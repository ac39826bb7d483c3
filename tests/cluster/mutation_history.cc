#include "tests/cluster/mutation_history.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr uint64_t kKeySpace = 100000000;
constexpr size_t kComplaints = 10;

}  // namespace

bool MutationHistory::Step(TestRandom& random) {
  const std::string key =
      absl::StrFormat("%0*d", kKeyLength, random.Below(keys_) * (kKeySpace / keys_));
  const auto found = model_.find(key);
  const bool is_there = found != model_.end();
  const uint64_t kind = random.Below(10);
  if (kind == 9) {
    Expected expected{ErrorNumber::kNotFound};
    if (is_there) expected = {ErrorNumber::kOk, found->second};
    expected.may_be_refused = reads_ == Reads::kMayBeRefused;
    file_.ReadNowait(key, Answer("read " + key, std::move(expected)));
    return false;
  }
  if (kind >= 7) {
    const Expected expected{is_there ? ErrorNumber::kOk : ErrorNumber::kNotFound};
    if (is_there) model_.erase(found);
    file_.DeleteNowait(key, Answer("delete " + key, expected));
    return true;
  }
  // The number makes every version of a record another one.
  const std::string record = StrCat(key, absl::StrFormat("%012d", next_),
                                    std::string(random.Below(kRecordBytes - 20), 'm'));
  if (kind >= 4) {
    const Expected expected{is_there ? ErrorNumber::kOk : ErrorNumber::kNotFound};
    if (is_there) found->second = record;
    file_.UpdateNowait(record, Answer("update " + key, expected));
    return true;
  }
  const Expected expected{is_there ? ErrorNumber::kAlreadyExists : ErrorNumber::kOk};
  if (!is_there) model_.emplace(key, record);
  file_.WriteNowait(record, Answer("write " + key, expected));
  return true;
}

File::Completion MutationHistory::Answer(std::string what, Expected expected) {
  const uint64_t number = next_++;
  return [this, number, what = std::move(what), expected = std::move(expected)](
             const absl::Status& status, std::string_view record) {
    if (calls_.at(number).fetch_add(1) != 0) Complain(StrCat(what, ": answered again"));
    const bool refused = expected.may_be_refused && NumberOf(status) == ErrorNumber::kNoBufferSpace;
    if (!refused && NumberOf(status) != expected.number) {
      Complain(StrCat("operation ", number, ", ", what, ": expected ",
                      static_cast<int32_t>(expected.number), ", got ",
                      status.ok() ? "OK" : Describe(status)));
    } else if (!refused && record != expected.record) {
      Complain(StrCat("operation ", number, ", ", what, ": expected ", expected.record, ", got ",
                      record));
    }
    ++answered_;
  };
}

void MutationHistory::Complain(const std::string& text) {
  ++wrong_;
  MutexLock lock(&mutex_);
  if (complaints_.size() < kComplaints) complaints_.push_back(text);
}

void MutationHistory::ExpectAnswers() {
  uint64_t unanswered = 0;
  for (uint64_t number = 0; number < next_; ++number) unanswered += calls_[number] == 0 ? 1 : 0;
  EXPECT_EQ(unanswered, 0u) << "of " << next_ << " operations";
  EXPECT_EQ(answered_, next_);
  EXPECT_EQ(wrong_, 0u);
  MutexLock lock(&mutex_);
  for (const std::string& complaint : complaints_) ADD_FAILURE() << complaint;
}

void ExpectContent(FileSystem& filesystem, std::string_view name,
                   const std::map<std::string, std::string>& model) {
  auto file = filesystem.Open(name);
  ASSERT_TRUE(file.ok()) << Describe(file.status());
  const auto scan = (*file)->Scan({});
  auto record = scan->Next();
  for (const auto& [key, expected] : model) {
    ASSERT_TRUE(record.ok()) << key << " is missing: " << Describe(record.status());
    ASSERT_EQ(*record, expected);
    record = scan->Next();
  }
  EXPECT_EQ(NumberOf(record.status()), ErrorNumber::kEndOfFile)
      << "more than the model: " << (record.ok() ? *record : Describe(record.status()));
  ASSERT_TRUE((*file)->Close().ok());

  const absl::StatusOr<FileDescription> info = filesystem.Info(*ParseFileName(name));
  ASSERT_TRUE(info.ok()) << Describe(info.status());
  uint64_t records = info->primary.record_count;
  for (const absl::StatusOr<FileInfo>& secondary : info->secondaries) {
    ASSERT_TRUE(secondary.ok()) << Describe(secondary.status());
    records += secondary->record_count;
  }
  EXPECT_EQ(records, model.size());
}

}  // namespace quire
