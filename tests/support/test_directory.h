// A fresh directory for one test. Removed at its end, unless the test failed: then it is kept and
// its path printed.
#ifndef QUIRE_TESTS_SUPPORT_TEST_DIRECTORY_H_
#define QUIRE_TESTS_SUPPORT_TEST_DIRECTORY_H_

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>
#include <utility>

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

// Contents and times of everything below a directory, by path: what must be the same afterwards.
inline std::map<std::string, std::string> ContentsAndTimes(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    std::string content;
    if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(in), {});
    }
    content += std::to_string(entry.last_write_time().time_since_epoch().count());
    files[entry.path().string()] = std::move(content);
  }
  return files;
}

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_TEST_DIRECTORY_H_
