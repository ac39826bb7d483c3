#include "server/store/lmdb_environment.h"

#include <filesystem>

#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/test_directory.h"
#include "tests/unit/store/failing_calls.h"

namespace quire {
namespace {

constexpr uint64_t kCapacityBytes = 64 << 20;

TEST(BlockKeyTest, BytesAreBigEndian) {  // R-D14; the format on disc
  BlockKey key(0x0102030405060708, 0x090A0B0C);
  EXPECT_EQ(ToView(key.value()), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C");
}

TEST(LmdbEnvironmentTest, MakesDirectoriesAndDatabases) {
  TestDirectory directory;
  const std::string path = directory.path() + "/a/b";
  {
    const auto environment = LmdbEnvironment::Open(path, kCapacityBytes);
    ASSERT_TRUE(environment.ok()) << environment.status();
    EXPECT_TRUE(std::filesystem::exists(path + "/data.mdb"));
    EXPECT_TRUE((*environment)->WritesReachedDisc());
    EXPECT_FALSE((*environment)->DiscIsFull());
  }
  const int64_t syncs = CallsMade(SystemCall::kFdatasync);
  const auto again = LmdbEnvironment::Open(path, kCapacityBytes);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(CallsMade(SystemCall::kFdatasync), syncs);  // opening what is there writes nothing
}

TEST(LmdbEnvironmentTest, TransactionThatIsNotCommittedLeavesNothing) {
  TestDirectory directory;
  const auto environment = LmdbEnvironment::Open(directory.path(), kCapacityBytes);
  ASSERT_TRUE(environment.ok()) << environment.status();
  MDB_val key = ToValue("name");
  MDB_val value = ToValue("value");
  {
    LmdbTransaction abandoned;
    ASSERT_EQ(abandoned.Begin((*environment)->get(), 0), 0);
    ASSERT_EQ(mdb_put(abandoned.get(), (*environment)->meta(), &key, &value, 0), 0);
  }
  LmdbTransaction reader;
  ASSERT_EQ(reader.Begin((*environment)->get(), MDB_RDONLY), 0);
  EXPECT_EQ(mdb_get(reader.get(), (*environment)->meta(), &key, &value), MDB_NOTFOUND);
}

TEST(LmdbEnvironmentTest, FailureNamesDirectoryActionAndReason) {
  TestDirectory directory;
  const auto environment = LmdbEnvironment::Open(directory.path(), kCapacityBytes);
  ASSERT_TRUE(environment.ok()) << environment.status();
  const std::string text = Describe((*environment)->Failure("read block 7", MDB_CORRUPTED));
  EXPECT_NE(text.find("error 66"), std::string::npos) << text;
  EXPECT_NE(text.find(directory.path()), std::string::npos) << text;
  EXPECT_NE(text.find("read block 7"), std::string::npos) << text;
}

}  // namespace
}  // namespace quire
