// A fresh directory for one test. Removed at its end, unless the test failed: then it is kept and
// its path printed.
#ifndef QUIRE_TESTS_SUPPORT_TEST_DIRECTORY_H_
#define QUIRE_TESTS_SUPPORT_TEST_DIRECTORY_H_

#include <stdlib.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

#include "gtest/gtest.h"

namespace quire {

class TestDirectory {
 public:
  TestDirectory() : path_(testing::TempDir() + "quire-test-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "cannot make " << path_;
  }
  ~TestDirectory() {
    if (testing::Test::HasFailure()) {
      std::cout << "data kept in " << path_ << std::endl;
      return;
    }
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_TEST_DIRECTORY_H_
