#include "server/store/early_write_back.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/support/test_directory.h"

namespace quire::test {
namespace {

TEST(EarlyWriteBack, WhatIsWrittenMeanwhileIsThere) {
  TestDirectory directory;
  const std::string path = directory.path() + "/data";
  const std::string piece(size_t{1} << 20, 'x');
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  {
    const EarlyWriteBack early(file);
    for (int i = 0; i < 16; ++i) {
      ASSERT_EQ(write(file, piece.data(), piece.size()), static_cast<ssize_t>(piece.size()));
    }
    ASSERT_EQ(fdatasync(file), 0);
  }
  EXPECT_EQ(std::filesystem::file_size(path), 16 * piece.size());
  close(file);
}

TEST(EarlyWriteBack, AFileThatCannotBeSyncedIsNoReasonToStop) {
  for (int i = 0; i < 50; ++i) const EarlyWriteBack early(-1);
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  for (int i = 0; i < 50; ++i) const EarlyWriteBack early(ends[1]);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace quire::test
