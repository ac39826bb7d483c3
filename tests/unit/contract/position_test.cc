// Positioning, row by row of enscribe.md §7, and positions as bytes.
#include "quire/position.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "quire/attributes.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/operation.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

using std::string_literals::operator""s;
using Keys = std::vector<std::string>;

FileAttributes AttributesOf() {
  FileAttributes attributes;
  attributes.key_length = 3;
  return attributes;
}

Operation KeyPosition(std::string_view key, ReadMode mode, uint32_t compare_length = 0) {
  Operation operation;
  operation.kind = OperationKind::kSetPosition;
  operation.key = key;
  operation.mode = mode;
  operation.compare_length = compare_length;
  return operation;
}

constexpr ReadMode kApproximate = ReadMode::kApproximate;
constexpr ReadMode kGeneric = ReadMode::kGeneric;
constexpr ReadMode kExact = ReadMode::kByKey;

class PositioningTest : public testing::Test {
 protected:
  // One READ; empty: end of the subset.
  std::string Read() {
    const Subset subset = SubsetFrom(position_, AttributesOf());
    EXPECT_EQ(subset.reverse, position_.reverse);
    std::string found;
    for (const std::string& key : file_) {
      if (subset.empty || !subset.range.Contains(key)) continue;
      if (subset.start_exclusive && key == subset.range.start) continue;
      if (found.empty() || subset.reverse) found = key;
    }
    if (!found.empty()) MoveTo(found, &position_);
    return found;
  }
  // KEYPOSITION, then READs to the end of the subset.
  Keys ReadsAfter(const Operation& operation) {
    const absl::StatusOr<Position> position = PositionFrom(operation, AttributesOf());
    if (!position.ok()) return {Describe(position.status())};
    position_ = *position;
    Keys keys;
    for (std::string key = Read(); !key.empty(); key = Read()) keys.push_back(key);
    return keys;
  }
  int ErrorOf(const Operation& operation) {
    return static_cast<int>(NumberOf(PositionFrom(operation, AttributesOf()).status()));
  }

  std::set<std::string> file_ = {"AAA", "BBA", "BBB", "BBC", "BCA", "CAA", "\xFF\xFF\xFF"};
  Position position_;
};

TEST_F(PositioningTest, AfterOpenApproximateBeforeTheFirstRecord) {
  EXPECT_EQ(position_.mode, PositioningMode::kApproximate);
  EXPECT_EQ(position_.key_specifier, 0u);
  EXPECT_EQ(Read(), "AAA");
  EXPECT_EQ(Read(), "BBA");
}

TEST_F(PositioningTest, ApproximateReadsOnFromTheFirstKeyNotBelow) {
  EXPECT_EQ(ReadsAfter(KeyPosition("BCA", kApproximate)), (Keys{"BCA", "CAA", "\xFF\xFF\xFF"}));
  EXPECT_EQ(ReadsAfter(KeyPosition("BBD", kApproximate)), (Keys{"BCA", "CAA", "\xFF\xFF\xFF"}));
  EXPECT_EQ(ReadsAfter(KeyPosition("C", kApproximate)), (Keys{"CAA", "\xFF\xFF\xFF"}));
  // The compare-length ends no approximate subset.
  EXPECT_EQ(ReadsAfter(KeyPosition("BCA", kApproximate, 1)), (Keys{"BCA", "CAA", "\xFF\xFF\xFF"}));
  EXPECT_EQ(ReadsAfter(KeyPosition("\xFF\xFF\xFF", kApproximate)), Keys{"\xFF\xFF\xFF"});
}

TEST_F(PositioningTest, GenericEndsWhereTheCompareLengthSaysSo) {
  EXPECT_EQ(ReadsAfter(KeyPosition("BB", kGeneric)), (Keys{"BBA", "BBB", "BBC"}));
  EXPECT_EQ(ReadsAfter(KeyPosition("BBB", kGeneric)), Keys{"BBB"});
  // The key-length finds the first record, the compare-length ends the set.
  EXPECT_EQ(ReadsAfter(KeyPosition("BBB", kGeneric, 2)), (Keys{"BBB", "BBC"}));
  EXPECT_EQ(ReadsAfter(KeyPosition("BBB", kGeneric, 1)), (Keys{"BBB", "BBC", "BCA"}));
  EXPECT_EQ(ReadsAfter(KeyPosition("BD", kGeneric)), Keys{});
  EXPECT_EQ(ReadsAfter(KeyPosition("\xFF", kGeneric)), Keys{"\xFF\xFF\xFF"});
}

TEST_F(PositioningTest, S6ExactHasOneRecordAtMost) {
  EXPECT_EQ(ReadsAfter(KeyPosition("BBB", kExact)), Keys{"BBB"});
  EXPECT_EQ(ReadsAfter(KeyPosition("BBD", kExact)), Keys{});
  EXPECT_EQ(ReadsAfter(KeyPosition("\xFF\xFF\xFF", kExact)), Keys{"\xFF\xFF\xFF"});
  // Keys are as long as the file says, so nothing is stored with a shorter one.
  EXPECT_EQ(ReadsAfter(KeyPosition("BB", kExact)), Keys{});
  EXPECT_EQ(ReadsAfter(KeyPosition("BBB", kExact, 2)), Keys{});
}

TEST_F(PositioningTest, LengthsZeroAreTheStartOfTheFile) {
  const Keys all(file_.begin(), file_.end());
  EXPECT_EQ(ReadsAfter(KeyPosition("", kApproximate)), all);
  EXPECT_EQ(ReadsAfter(KeyPosition("", kGeneric)), all);
  Operation reverse = KeyPosition("", kApproximate);
  reverse.reverse = true;
  EXPECT_EQ(ReadsAfter(reverse), Keys(file_.rbegin(), file_.rend()));
  reverse.skip_exact = true;  // nothing equals no bytes
  EXPECT_EQ(ReadsAfter(reverse), Keys(file_.rbegin(), file_.rend()));
}

TEST_F(PositioningTest, WrongLengthsAre21) {
  EXPECT_EQ(ErrorOf(KeyPosition("", kGeneric, 1)), 21);
  EXPECT_EQ(ErrorOf(KeyPosition("BBBB", kApproximate)), 21);
  EXPECT_EQ(ErrorOf(KeyPosition("BB", kGeneric, 3)), 21);
  EXPECT_EQ(ErrorOf(KeyPosition("BBB", kGeneric, 3)), 0);
}

TEST_F(PositioningTest, CompareLengthZeroIsTheKeyLength) {
  EXPECT_EQ(PositionFrom(KeyPosition("BB", kGeneric), AttributesOf())->compare_length, 2u);
  EXPECT_EQ(PositionFrom(KeyPosition("BBB", kExact), AttributesOf())->compare_length, 3u);
  EXPECT_EQ(PositionFrom(KeyPosition("BBB", kGeneric, 1), AttributesOf())->compare_length, 1u);
}

TEST_F(PositioningTest, UnknownKeySpecifierIs46AndUnknownMode22) {
  Operation operation = KeyPosition("BBB", kApproximate);
  operation.key_specifier = 0x4142;
  EXPECT_EQ(ErrorOf(operation), 46);
  EXPECT_EQ(ErrorOf(KeyPosition("BBB", static_cast<ReadMode>(3))), 22);
}

TEST_F(PositioningTest, SkipExactPassesOverWhatEqualsTheKeyLength) {
  Operation skip = KeyPosition("BBB", kApproximate);
  skip.skip_exact = true;
  EXPECT_EQ(ReadsAfter(skip), (Keys{"BBC", "BCA", "CAA", "\xFF\xFF\xFF"}));
  skip.key = "BB";
  EXPECT_EQ(ReadsAfter(skip), (Keys{"BCA", "CAA", "\xFF\xFF\xFF"}));
  skip.key = "BBB";
  skip.mode = kGeneric;
  skip.compare_length = 2;
  EXPECT_EQ(ReadsAfter(skip), Keys{"BBC"});
  skip.compare_length = 3;
  EXPECT_EQ(ReadsAfter(skip), Keys{});
  skip.mode = kExact;
  EXPECT_EQ(ReadsAfter(skip), Keys{});
  skip.mode = kApproximate;
  skip.key = "\xFF\xFF\xFF";
  EXPECT_EQ(ReadsAfter(skip), Keys{});
  skip.key = "BBB";
  skip.reverse = true;
  EXPECT_EQ(ReadsAfter(skip), (Keys{"BBA", "AAA"}));
  skip.last_of_set = true;  // the skipping decides
  skip.compare_length = 2;
  EXPECT_EQ(ReadsAfter(skip), (Keys{"BBA", "AAA"}));
}

TEST_F(PositioningTest, ReverseDescendsFromTheLastKeyNotAbove) {
  Operation reverse = KeyPosition("BBB", kApproximate);
  reverse.reverse = true;
  EXPECT_EQ(ReadsAfter(reverse), (Keys{"BBB", "BBA", "AAA"}));
  reverse.key = "BBD";
  EXPECT_EQ(ReadsAfter(reverse), (Keys{"BBC", "BBB", "BBA", "AAA"}));
  reverse.key = "BB";  // for two bytes BBC equals it
  EXPECT_EQ(ReadsAfter(reverse), (Keys{"BBC", "BBB", "BBA", "AAA"}));
  reverse.key = "BBB";
  reverse.mode = kGeneric;
  reverse.compare_length = 2;
  EXPECT_EQ(ReadsAfter(reverse), (Keys{"BBB", "BBA"}));
  reverse.mode = kExact;
  reverse.compare_length = 3;
  EXPECT_EQ(ReadsAfter(reverse), Keys{"BBB"});
}

TEST_F(PositioningTest, LastOfSetStartsAtItsEnd) {
  Operation last = KeyPosition("BBB", kGeneric, 2);
  last.reverse = true;
  last.last_of_set = true;
  EXPECT_EQ(ReadsAfter(last), (Keys{"BBC", "BBB", "BBA"}));
  last.mode = kApproximate;
  last.compare_length = 1;
  EXPECT_EQ(ReadsAfter(last), (Keys{"BCA", "BBC", "BBB", "BBA", "AAA"}));
  last.reverse = false;  // means nothing forward
  EXPECT_EQ(ReadsAfter(last), (Keys{"BBB", "BBC", "BCA", "CAA", "\xFF\xFF\xFF"}));
}

TEST_F(PositioningTest, ReadSetsTheKeyAndNextAndLeavesTheRest) {
  position_ = *PositionFrom(KeyPosition("BB", kGeneric), AttributesOf());
  EXPECT_EQ(Read(), "BBA");
  EXPECT_EQ(position_.key, "BBA");
  EXPECT_TRUE(position_.next);
  EXPECT_EQ(position_.compare_length, 2u);
  EXPECT_EQ(position_.mode, PositioningMode::kGeneric);
  const Position saved = position_;
  EXPECT_EQ(Read(), "BBB");
  position_ = saved;
  EXPECT_EQ(Read(), "BBB");
}

TEST_F(PositioningTest, APositionIsAKeyAndSurvivesChanges) {
  position_ = *PositionFrom(KeyPosition("BB", kGeneric), AttributesOf());
  EXPECT_EQ(Read(), "BBA");
  EXPECT_EQ(Read(), "BBB");
  file_.erase("BBB");
  file_.insert("BBAA");
  file_.insert("BBBB");
  EXPECT_EQ(Read(), "BBBB");
  file_.erase("BBC");
  EXPECT_EQ(Read(), "");
  file_.insert("BBZ");
  EXPECT_EQ(Read(), "BBZ");
}

Position RandomPosition(TestRandom& random) {
  Position position;
  position.key =
      random.Text(random.OneIn(5) ? random.Below(2049) : random.Below(5), "\x00\x80\xFF"s);
  position.compare_length = static_cast<uint32_t>(random.Below(position.key.size() + 1));
  position.mode = static_cast<PositioningMode>(random.Below(3));
  position.reverse = random.OneIn(2);
  position.skip_exact = random.OneIn(2);
  position.last_of_set = random.OneIn(2);
  position.next = random.OneIn(2);
  return position;
}

OpenState RandomState(TestRandom& random) {
  OpenState state;
  state.position = RandomPosition(random);
  state.lock_mode = static_cast<uint32_t>(random.Below(8));
  state.partitions.resize(random.Below(4));
  for (PartitionMark& mark : state.partitions) {
    mark.epoch = random.Below(~uint64_t{0}) >> random.Below(64);
    mark.locks = static_cast<uint32_t>(random.Below(uint64_t{1} << 32));
    mark.change_sequence = random.Below(~uint64_t{0}) >> random.Below(64);
  }
  return state;
}

TEST(PositionBytesTest, DecodeGivesWhatWasEncoded) {
  TestRandom random;
  EXPECT_EQ(*DecodePosition(EncodePosition(Position())), Position());
  EXPECT_EQ(*DecodeOpenState(EncodeOpenState(OpenState())), OpenState());
  for (int i = 0; i < 5000; ++i) {
    const Position position = RandomPosition(random);
    const absl::StatusOr<Position> decoded = DecodePosition(EncodePosition(position));
    ASSERT_TRUE(decoded.ok());
    ASSERT_EQ(*decoded, position);
    const OpenState state = RandomState(random);
    const absl::StatusOr<OpenState> decoded_state = DecodeOpenState(EncodeOpenState(state));
    ASSERT_TRUE(decoded_state.ok());
    ASSERT_EQ(*decoded_state, state);
  }
}

int PositionError(std::string_view bytes) {
  return static_cast<int>(NumberOf(DecodePosition(bytes).status()));
}
int StateError(std::string_view bytes) {
  return static_cast<int>(NumberOf(DecodeOpenState(bytes).status()));
}

// Version, key specifier, mode, flags, compare-length, key length, key.
TEST(PositionBytesTest, EachFieldIsChecked) {
  EXPECT_EQ(PositionError("\x01\x00\x00\x00\x01\x02KE"s), 0);
  EXPECT_EQ(PositionError(""), 22);
  EXPECT_EQ(PositionError("\x02\x00\x00\x00\x01\x02KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x01\x00\x00\x01\x02KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x00\x03\x00\x01\x02KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x00\x00\x10\x01\x02KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x00\x00\x00\x03\x02KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x00\x00\x00\x01\x03KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x00\x00\x00\x01\x02KEY"s), 22);
  // Numbers longer than Encode writes them, or too large: 2^32 as key specifier, 2^70 as length.
  EXPECT_EQ(PositionError("\x81\x00\x00\x00\x00\x01\x02KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x80\x80\x80\x80\x10\x00\x00\x01\x02KE"s), 22);
  EXPECT_EQ(PositionError("\x01\x00\x00\x00\x01\x82\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01KE"s),
            22);
}

// Version, lock mode, number of partitions, epoch, locks and change sequence of each, position.
TEST(PositionBytesTest, EachFieldOfTheStateIsChecked) {
  const std::string position = EncodePosition(Position());
  EXPECT_EQ(StateError("\x02\x02\x01\x05\x06\x07"s + position), 0);
  EXPECT_EQ(StateError(""), 22);
  EXPECT_EQ(StateError("\x01\x02\x01\x05\x06\x07"s + position), 22);
  EXPECT_EQ(StateError("\x02\x02\x02\x05\x06\x07"s + position), 22);
  EXPECT_EQ(StateError("\x02\x02\x01\x05\x06\x07"s), 22);
  EXPECT_EQ(StateError("\x02\x02\x01\x05\x06\x07"s + position + "x"), 22);
  EXPECT_EQ(StateError("\x02\x02\x01\x05\x80\x80\x80\x80\x10\x07"s + position), 22);  // 2^32 locks
  const std::string marks(3 * kMaxPartitionsFormat2, '\x01');
  EXPECT_EQ(StateError("\x02\x02\x80\x01"s + marks + position), 0);
  EXPECT_EQ(StateError("\x02\x02\x81\x01"s + marks + "\x01\x01\x01" + position), 22);
  // A count that would take all memory.
  EXPECT_EQ(StateError("\x02\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"s + position), 22);
}

TEST(PositionBytesTest, AnyBytesAre22OrWhatEncodeMakesOfTheResult) {
  TestRandom random;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = EncodePosition(RandomPosition(random));
    std::string state = EncodeOpenState(RandomState(random));
    for (std::string* victim : {&bytes, &state}) {
      const size_t at = random.Below(victim->size());
      switch (random.Below(3)) {
        case 0:
          victim->resize(at);
          break;
        case 1:
          victim->insert(at, 1, static_cast<char>(random.Below(256)));
          break;
        default:
          (*victim)[at] = static_cast<char>(random.Below(256));
      }
    }
    const absl::StatusOr<Position> position = DecodePosition(bytes);
    if (position.ok()) {
      ASSERT_EQ(EncodePosition(*position), bytes);
    } else {
      ASSERT_EQ(PositionError(bytes), 22);
    }
    const absl::StatusOr<OpenState> decoded = DecodeOpenState(state);
    if (decoded.ok()) {
      ASSERT_EQ(EncodeOpenState(*decoded), state);
    } else {
      ASSERT_EQ(StateError(state), 22);
    }
  }
}

}  // namespace
}  // namespace quire
