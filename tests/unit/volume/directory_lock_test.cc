#include "server/volume/directory_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "quire/error.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace {

TEST(DirectoryLock, ExcludesASecondAndNamesTheOwner) {
  TestDirectory directory;
  {
    const auto first = DirectoryLock::Take(directory.path() + "/new/volume");
    ASSERT_TRUE(first.ok());
    const auto second = DirectoryLock::Take(directory.path() + "/new/volume");
    EXPECT_EQ(NumberOf(second.status()), ErrorNumber::kFileInUse);
    EXPECT_NE(second.status().message().find(std::to_string(getpid())), absl::string_view::npos);
  }
  EXPECT_TRUE(DirectoryLock::Take(directory.path() + "/new/volume").ok());
}

TEST(DirectoryLock, RefusesWhatIsNotADirectory) {
  EXPECT_EQ(NumberOf(DirectoryLock::Take("/dev/null/volume").status()), ErrorNumber::kVolumeDown);
}

}  // namespace
}  // namespace quire
