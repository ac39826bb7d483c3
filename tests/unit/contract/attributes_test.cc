#include "quire/attributes.h"

#include <algorithm>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

using testing::HasSubstr;

// The article's file: 1,676-byte records, 26-byte keys.
FileAttributes Article() {
  FileAttributes a;
  a.record_bytes = 1676;
  a.key_length = 26;
  a.extents = {1000, 1000};
  a.max_extents = 100;
  return a;
}

FileAttributes Partitioned(int secondaries) {
  FileAttributes a = Article();
  for (int i = 1; i <= secondaries; ++i) {
    a.partitions.push_back({StrCat("$D", i), {10, 10}, StrCat(100 + i)});
  }
  return a;
}

int32_t Error(const FileAttributes& a) {
  const FileAttributes before = a;
  const int32_t number = static_cast<int32_t>(NumberOf(Normalize(a).status()));
  EXPECT_EQ(a, before);  // the input is never touched
  return number;
}
std::string Sentence(const FileAttributes& a) {
  return Describe(Normalize(a).status());
}

template <typename Change>
FileAttributes With(FileAttributes a, Change change) {
  change(a);
  return a;
}

TEST(NormalizeTest, ArticleFileStaysAsItIs) {
  const FileAttributes normal = *Normalize(Article());
  EXPECT_EQ(normal, With(Article(), [](auto& a) {
              a.format = 1;
              a.lock_length = 26;
            }));
  EXPECT_EQ(*Normalize(normal), normal);  // idempotent
}

TEST(NormalizeTest, OnlyKeySequenced) {
  for (char type : {'U', 'R', 'E', 'k', '\0'}) {
    EXPECT_EQ(Error(With(Article(), [&](auto& a) { a.type = type; })), 2) << type;
  }
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.buffered = true; })), 0);
}

TEST(NormalizeTest, AuditTurnsBufferedOn) {
  const auto audited = Normalize(With(Article(), [](auto& a) { a.audit = true; }));
  ASSERT_TRUE(audited.ok());
  EXPECT_TRUE(audited->audit);
  EXPECT_TRUE(audited->buffered);
}

TEST(NormalizeTest, FormatAndCodeOutOfRangeAre22) {
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.format = 3; })), 22);
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.code = 65536; })), 22);
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.code = 65535; })), 0);
}

TEST(NormalizeTest, BlockRoundsUpTo4096AndNotBeyond) {  // R-B5
  const auto block = [](uint32_t bytes) {
    FileAttributes a;
    a.key_length = 4;
    a.block_bytes = bytes;
    const auto normal = Normalize(a);
    return normal.ok() ? normal->block_bytes : 0;
  };
  EXPECT_EQ(block(1), 512U);
  EXPECT_EQ(block(512), 512U);
  EXPECT_EQ(block(513), 1024U);
  EXPECT_EQ(block(1500), 2048U);
  EXPECT_EQ(block(2049), 4096U);
  EXPECT_EQ(block(4096), 4096U);
  EXPECT_EQ(block(32768), 32768U);
  for (uint32_t bytes : {0U, 4097U, 8192U, 32767U, 32769U, 4294967295U}) {
    EXPECT_EQ(Error(With(Article(), [&](auto& a) { a.block_bytes = bytes; })), 2) << bytes;
  }
}

TEST(NormalizeTest, RecordIsAtMostBlockLess56) {  // R-B1
  for (const auto& [block, most] : std::vector<std::pair<uint32_t, uint32_t>>{
           {512, 456}, {1024, 968}, {2048, 1992}, {4096, 4040}, {32768, 27648}}) {
    EXPECT_EQ(MaxRecordBytes(block), most);
    EXPECT_EQ(ImageBytes(block), block - 16);
    for (uint32_t format : {0U, 1U, 2U}) {
      if (block == 32768 && format == 1) continue;
      FileAttributes a;
      a.format = format;
      a.block_bytes = block;
      a.key_length = 4;
      a.record_bytes = most;
      EXPECT_EQ(Error(a), 0) << block;
      a.record_bytes = most + 1;
      EXPECT_EQ(Error(a), 21) << block;
      EXPECT_THAT(Sentence(a), HasSubstr(StrCat("1 to ", most)));
    }
  }
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.record_bytes = 0; })), 21);
}

TEST(NormalizeTest, KeyLengthLeavesThreeIndexEntriesInABlock) {  // R-B2
  const auto longest = [](uint32_t block, uint32_t format) {
    uint32_t length = 0;
    FileAttributes a;
    a.format = format;
    a.block_bytes = block;
    a.record_bytes = MaxRecordBytes(block);
    for (a.key_length = 1; a.key_length <= 3000; ++a.key_length) {
      if (Normalize(a).ok()) length = a.key_length;
    }
    return length;
  };
  EXPECT_EQ(longest(512, 0), 147U);  // (512 - 16 - 36) / 3 - 6
  EXPECT_EQ(longest(1024, 0), 255U);
  EXPECT_EQ(longest(4096, 0), 255U);
  EXPECT_EQ(longest(4096, 2), 255U);
  EXPECT_EQ(longest(32768, 0), 2048U);
  EXPECT_EQ(longest(32768, 2), 2048U);
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.key_length = 0; })), 21);
}

TEST(NormalizeTest, KeyLiesWithinTheRecord) {  // R-B6
  const auto at = [](uint32_t offset) {
    return With(Article(), [&](auto& a) { a.key_offset = offset; });
  };
  EXPECT_EQ(Error(at(1650)), 0);
  EXPECT_EQ(Error(at(1651)), 21);
  EXPECT_EQ(Error(at(4294967295U)), 21);  // the sum must not wrap around
}

TEST(NormalizeTest, LockLengthIsWithinTheKeyAndDefaultsToIt) {  // R-B6
  EXPECT_EQ(Normalize(Article())->lock_length, 26U);
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.lock_length = 26; })), 0);
  EXPECT_EQ(Error(With(Article(), [](auto& a) { a.lock_length = 27; })), 21);
}

TEST(NormalizeTest, MaxExtentsIs16To978) {  // R-B5
  const auto extents = [](uint32_t given) {
    return With(Article(), [&](auto& a) {
      a.extents = {2, 2};
      a.max_extents = given;
    });
  };
  for (uint32_t given : {1U, 15U, 16U}) EXPECT_EQ(Normalize(extents(given))->max_extents, 16U);
  EXPECT_EQ(Normalize(extents(978))->max_extents, 978U);
  EXPECT_EQ(Error(extents(979)), 21);
  EXPECT_EQ(Error(extents(4294967295U)), 21);
}

TEST(NormalizeTest, ExtentsAreWholeBlocks) {
  const auto normal = [](uint64_t pages, uint32_t block) {
    FileAttributes a;
    a.key_length = 4;
    a.block_bytes = block;
    a.extents = {pages, pages + 1};
    return Normalize(a)->extents;
  };
  EXPECT_EQ(normal(0, 4096), (ExtentSizes{2, 2}));
  EXPECT_EQ(normal(3, 4096), (ExtentSizes{4, 4}));
  EXPECT_EQ(normal(3, 2048), (ExtentSizes{3, 4}));
  EXPECT_EQ(normal(17, 32768), (ExtentSizes{32, 32}));
}

TEST(NormalizeTest, ExtentTotalIsBoundedByTheFormat) {  // R-B6
  const auto sized = [](uint32_t format, uint64_t primary, uint64_t secondary) {
    return With(Article(), [&](auto& a) {
      a.format = format;
      a.max_extents = 16;
      a.extents = {primary, secondary};
    });
  };
  EXPECT_EQ(Error(sized(1, 65534, 65500)), 0);
  EXPECT_EQ(Error(sized(1, 65538, 2)), 21);
  EXPECT_EQ(Error(With(sized(1, 2, 65500), [](auto& a) { a.max_extents = 18; })), 21);
  EXPECT_EQ(Error(sized(2, 512000000, 2)), 0);
  EXPECT_EQ(Error(sized(2, 512000002, 2)), 21);
  EXPECT_EQ(Error(sized(2, 512000000, 512000000)), 21);
  for (uint64_t huge : {~uint64_t{0}, ~uint64_t{0} - 1, uint64_t{1} << 63}) {
    EXPECT_EQ(Error(sized(0, huge, 2)), 21) << huge;  // no sum may wrap around
    EXPECT_EQ(Error(sized(0, 2, huge)), 21) << huge;
  }
  EXPECT_EQ(Error(With(Partitioned(1),
                       [](auto& a) {
                         a.partitions[0].extents = {2, 512000002};
                       })),
            21);
}

TEST(NormalizeTest, FormatIsOneUnlessSomethingNeedsTwo) {  // R-B5
  EXPECT_EQ(Normalize(Article())->format, 1U);
  EXPECT_EQ(Normalize(With(Article(), [](auto& a) { a.format = 2; }))->format, 2U);
  EXPECT_EQ(Normalize(With(Article(), [](auto& a) { a.block_bytes = 32768; }))->format, 2U);
  EXPECT_EQ(Normalize(With(Article(), [](auto& a) { a.extents = {70000, 2}; }))->format, 2U);
  EXPECT_EQ(Normalize(Partitioned(15))->format, 1U);
  EXPECT_EQ(Normalize(Partitioned(16))->format, 2U);
  EXPECT_EQ(Normalize(With(Partitioned(1),
                           [](auto& a) {
                             a.partitions[0].extents = {70000, 2};
                           }))
                ->format,
            2U);
  EXPECT_EQ(Error(With(Article(),
                       [](auto& a) {
                         a.block_bytes = 32768;
                         a.format = 1;
                       })),
            2);
}

TEST(NormalizeTest, PartitionsAreUpTo16Or128) {  // R-B5
  const auto formatted = [](int secondaries, uint32_t format) {
    return With(Partitioned(secondaries), [&](auto& a) { a.format = format; });
  };
  EXPECT_EQ(Error(formatted(15, 1)), 0);
  EXPECT_EQ(Error(formatted(16, 1)), 2);
  EXPECT_THAT(Sentence(formatted(16, 1)), HasSubstr("FORMAT 2"));
  EXPECT_EQ(Error(formatted(127, 2)), 0);
  EXPECT_EQ(Error(formatted(128, 2)), 2);
  EXPECT_EQ(Error(formatted(128, 0)), 2);
}

TEST(NormalizeTest, PartialKeysRiseAndArePadded) {  // R-B6
  const auto keys = [](std::vector<std::string> partial_keys) {
    FileAttributes a = Article();
    for (size_t i = 0; i < partial_keys.size(); ++i) {
      a.partitions.push_back({StrCat("$D", i + 1), {2, 2}, partial_keys[i]});
    }
    return a;
  };
  const FileAttributes normal = *Normalize(keys({"A", "BCD", "\xFF"}));
  EXPECT_EQ(normal.partitions[0].partial_key, std::string("A\0\0", 3));
  EXPECT_EQ(normal.partitions[1].partial_key, "BCD");
  EXPECT_EQ(normal.partitions[2].partial_key, std::string("\xFF\0\0", 3));
  EXPECT_EQ(Error(keys({"B", "A"})), 46);
  EXPECT_EQ(Error(keys({"A", "A"})), 46);
  EXPECT_EQ(Error(keys({"A", std::string("A\0", 2)})), 46);  // the same once padded
  EXPECT_EQ(Error(keys({""})), 21);
  EXPECT_EQ(Error(keys({std::string(26, 'k')})), 0);
  EXPECT_EQ(Error(keys({std::string(27, 'k')})), 21);
}

TEST(NormalizeTest, EveryPartitionHasAVolumeOfItsOwn) {  // R-B6
  EXPECT_EQ(Normalize(With(Partitioned(2), [](auto& a) { a.partitions[0].volume = "$data07"; }))
                ->partitions[0]
                .volume,
            "$DATA07");
  EXPECT_EQ(Error(With(Partitioned(2), [](auto& a) { a.partitions[0].volume = "DATA"; })), 13);
  EXPECT_EQ(Error(With(Partitioned(2), [](auto& a) { a.partitions[1].volume = "$d1"; })), 10);
}

TEST(PartitionTest, CapacityIsThatOfAllExtents) {
  const FileAttributes a = *Normalize(With(Partitioned(1), [](auto& b) { b.extents = {10, 4}; }));
  EXPECT_EQ(CapacityBytes(a, 0), (10 + 99 * 4) * uint64_t{2048});
  EXPECT_EQ(CapacityBytes(a, 1), (10 + 99 * 10) * uint64_t{2048});
  EXPECT_EQ(PartitionExtents(a, 1), (ExtentSizes{10, 10}));
}

// Ranges of the partitions lie side by side, cover everything, and say the same as PartitionOfKey.
TEST(PartitionTest, EveryKeyBelongsToExactlyOnePartition) {
  TestRandom random;
  const std::string alphabet("\x00 A\x7F\x80\xFF", 6);
  for (int round = 0; round < 300; ++round) {
    FileAttributes a;
    a.key_length = 4;
    std::set<std::string> partial_keys;
    const uint64_t wanted = random.Below(12);
    for (uint64_t i = 0; i < wanted; ++i) {
      std::string key = random.Text(random.Between(1, 4), alphabet);
      key.resize(4, '\0');
      partial_keys.insert(key);
    }
    for (const std::string& key : partial_keys) {
      a.partitions.push_back({StrCat("$D", a.partitions.size() + 1), {2, 2}, key});
    }
    const absl::StatusOr<FileAttributes> normal = Normalize(a);
    ASSERT_TRUE(normal.ok()) << normal.status();
    const uint32_t count = PartitionCount(*normal);
    ASSERT_EQ(count, partial_keys.size() + 1);
    EXPECT_EQ(PartitionRange(*normal, 0).start, "");
    EXPECT_EQ(PartitionRange(*normal, count - 1).limit, "");
    for (uint32_t i = 0; i + 1 < count; ++i) {
      EXPECT_EQ(PartitionRange(*normal, i).limit, PartitionRange(*normal, i + 1).start);
    }
    for (int i = 0; i < 200; ++i) {
      const std::string key = random.Text(4, alphabet);
      const uint32_t owner = PartitionOfKey(*normal, key);
      for (uint32_t j = 0; j < count; ++j) {
        ASSERT_EQ(PartitionRange(*normal, j).Contains(key), j == owner);
      }
    }
  }
}

TEST(PartitionTest, KeyEqualToAPartialKeyIsInItsPartition) {
  const FileAttributes a = *Normalize(Partitioned(3));  // partial keys 101, 102, 103
  EXPECT_EQ(PartitionOfKey(a, std::string(26, ' ')), 0U);
  EXPECT_EQ(PartitionOfKey(a, "101" + std::string(23, '\0')), 1U);
  EXPECT_EQ(PartitionOfKey(a, "101" + std::string(23, '\xFF')), 1U);
  EXPECT_EQ(PartitionOfKey(a, "102" + std::string(23, ' ')), 2U);
  EXPECT_EQ(PartitionOfKey(a, std::string(26, '\xFF')), 3U);
}

}  // namespace
}  // namespace quire
