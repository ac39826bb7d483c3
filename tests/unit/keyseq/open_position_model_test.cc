// READs from random positions between random changes, against the rules of enscribe.md §7 applied
// to each key by itself.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "quire/error.h"
#include "server/keyseq/open_position.h"
#include "server/store/memory_store.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

using std::string_literals::operator""s;

constexpr uint32_t kKeyLength = 3;
const std::string& Alphabet() {
  static const std::string alphabet = "\x00\x41\x7F\x80\xFF"s;
  return alphabet;
}

// Whether the record with `key` is one of those that READs from `position` on may give.
bool IsAhead(std::string_view key, const Position& position) {
  const std::string_view value = position.key;
  const std::string_view first_bytes = key.substr(0, value.size());
  const size_t compared = position.compare_length;
  const bool in_set = key.substr(0, compared) == value.substr(0, compared);
  if (position.mode == PositioningMode::kExact) {
    return key == value && compared == kKeyLength && !position.next && !position.skip_exact;
  }
  if (position.mode == PositioningMode::kGeneric && !in_set) return false;
  if (position.next) return position.reverse ? key < value : key > value;
  if (position.skip_exact && !value.empty() && first_bytes == value) return false;
  if (!position.reverse) return key >= value;
  if (position.last_of_set && !position.skip_exact) {
    return key.substr(0, compared) <= value.substr(0, compared);
  }
  return first_bytes <= value;
}

class PositionModel {
 public:
  explicit PositionModel(TestRandom* random)
      : random_(*random),
        store_(OpenMemoryStore(std::make_shared<MemoryDisc>(), 1 << 30)),
        cache_(store_.get(), CacheOptions{16 << 20, 0}),
        file_(LabelOf(), &cache_),
        position_(&file_) {}

  void Run(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      switch (random_.Below(12)) {
        case 0:
        case 1:
          Change(OperationKind::kWrite, RandomKey());
          break;
        case 2:
          Change(OperationKind::kDelete, RandomKey());
          break;
        case 3:  // the current record, if there is one
          if (position_.CurrentKey().ok()) Change(OperationKind::kDelete, position_.value().key);
          break;
        case 4:
          SetRandomly();
          break;
        case 5:
          Reread();
          break;
        case 6:
          if (random_.OneIn(20)) Empty();
          break;
        default:
          Read(/*accept=*/!random_.OneIn(5));
      }
    }
    EXPECT_EQ(file_.tree().Check(), absl::OkStatus());
  }
  uint64_t records_read() const { return records_read_; }
  uint64_t ends() const { return ends_; }

 private:
  static FileLabel LabelOf() {
    FileAttributes attributes;
    attributes.record_bytes = 150;
    attributes.block_bytes = 512;
    attributes.key_length = kKeyLength;
    FileLabel label;
    label.id = 1;
    label.name = {"", "$DATA01", "STOCK", "PARTS"};
    label.attributes = *Normalize(attributes);
    return label;
  }
  std::string RandomKey() { return random_.Text(kKeyLength, Alphabet()); }

  void Change(OperationKind kind, const std::string& key) {
    std::string record = key;
    record.resize(150, '.');
    Operation operation;
    operation.kind = kind;
    if (kind == OperationKind::kDelete) {
      operation.key = key;
    } else {
      operation.record = record;
    }
    std::string data;
    const bool there = keys_.contains(key);
    const absl::Status status = file_.Execute(operation, 1, calls_, &data).status;
    ASSERT_EQ(status.ok(), there == (kind == OperationKind::kDelete));
    if (!status.ok()) return;
    if (kind == OperationKind::kDelete) {
      keys_.erase(key);
    } else {
      keys_.insert(key);
    }
  }
  void Empty() {
    while (!keys_.empty()) Change(OperationKind::kDelete, *keys_.begin());
  }

  void SetRandomly() {
    Position position;
    position.key = random_.Text(random_.Below(kKeyLength + 1), Alphabet());
    position.compare_length = static_cast<uint32_t>(
        random_.OneIn(2) ? position.key.size() : random_.Below(position.key.size() + 1));
    position.mode = static_cast<PositioningMode>(random_.Below(3));
    position.reverse = random_.OneIn(2);
    position.skip_exact = random_.OneIn(3);
    position.last_of_set = random_.OneIn(3);
    position_.Set(position);
  }

  // The key of the record that READ must give; null: 1.
  const std::string* Expected() const {
    const Position& position = position_.value();
    const std::string* found = nullptr;
    for (const std::string& key : keys_) {
      if (!IsAhead(key, position)) continue;
      found = &key;
      if (!position.reverse) break;
    }
    return found;
  }

  void Read(bool accept) {
    const Position before = position_.value();
    const std::string* expected = Expected();
    std::string record = "old";
    std::string key = "old";
    const absl::Status status = position_.Peek(calls_, &record, &key);
    ASSERT_EQ(position_.value(), before);
    if (expected == nullptr) {
      ++ends_;
      ASSERT_EQ(NumberOf(status), ErrorNumber::kEndOfFile);
      return;
    }
    ASSERT_EQ(status, absl::OkStatus());
    ASSERT_EQ(key, *expected);
    ASSERT_EQ(record.substr(0, kKeyLength), key);
    ++records_read_;
    if (!accept) return;
    position_.Accept();
    Position after = before;
    after.key = key;
    after.next = true;
    ASSERT_EQ(position_.value(), after);
  }

  void Reread() {
    const Position before = position_.value();
    std::string record;
    const absl::Status status = position_.Current(calls_, &record);
    ASSERT_EQ(position_.value(), before);
    if (keys_.contains(before.key)) {
      ASSERT_EQ(status, absl::OkStatus());
      ASSERT_EQ(record.substr(0, kKeyLength), before.key);
    } else {
      ASSERT_EQ(NumberOf(status), ErrorNumber::kNotFound);
    }
  }

  TestRandom& random_;
  std::unique_ptr<BlockStore> store_;
  BlockCache cache_;
  KeySequencedFile file_;
  OpenPosition position_;
  BlockCalls calls_;
  std::set<std::string> keys_;
  uint64_t records_read_ = 0;
  uint64_t ends_ = 0;
};

TEST(OpenPositionModelTest, EveryReadIsTheFirstRecordAhead) {
  TestRandom random;
  uint64_t records_read = 0;
  uint64_t ends = 0;
  for (int round = 0; round < 40 && !testing::Test::HasFailure(); ++round) {
    PositionModel model(&random);
    model.Run(2000);
    records_read += model.records_read();
    ends += model.ends();
  }
  EXPECT_GT(records_read, 5000u);
  EXPECT_GT(ends, 2000u);
}

}  // namespace
}  // namespace quire
