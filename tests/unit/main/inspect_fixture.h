// A real volume in a directory, and quire-inspect's commands on it.
#ifndef QUIRE_TESTS_UNIT_MAIN_INSPECT_FIXTURE_H_
#define QUIRE_TESTS_UNIT_MAIN_INSPECT_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "server/main/inspect_command.h"
#include "tests/support/blocking.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_volume.h"

namespace quire::test {

inline constexpr int kInspectedRecords = 200;

class InspectTest : public ::testing::Test {
 protected:
  std::string directory() const { return root_.path() + "/DATA01"; }

  VolumeOptions Options() const {
    VolumeOptions options;
    options.directory = directory();
    options.capacity_bytes = uint64_t{1} << 30;
    return options;
  }

  // A write-through file with a deep enough tree.
  static void Fill(TestVolume& volume) {
    const CreateRequest create = SmallFile("$DATA01.SHOP.PARTS", false);
    const absl::StatusOr<FileInfo> info =
        Await<FileInfo>([&](Done<FileInfo> done) { volume->Create(create, std::move(done)); });
    ASSERT_TRUE(info.ok()) << Describe(info.status());
    const FileReference file{create.name, 0, 0, "test"};
    for (int key = 0; key < kInspectedRecords; ++key) {
      const std::string record = SmallRecord(key, "a part of forty characters, more or less");
      ASSERT_TRUE(RunOne(volume.volume(), file,
                         Operation{OperationKind::kWrite, {}, false, false, {}, record})
                      .ok());
    }
  }

  void MakeVolume() {
    TestVolume volume(Options());
    Fill(volume);
  }

  // Contents and times of every file under the directory.
  std::map<std::string, std::string> Files() const { return ContentsAndTimes(directory()); }

  absl::StatusOr<uint64_t> Run(const std::vector<std::string>& words, bool hex = false,
                               const std::string& trail = "") {
    std::ostringstream out;
    absl::StatusOr<uint64_t> faults = Inspect({directory(), trail, words, hex, false}, out);
    text_ = out.str();
    return faults;
  }

  void DamageStore(const std::string& where) {
    const std::string path = directory() + "/store/data.mdb";
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(file), {});
    const size_t at = content.find(where);
    ASSERT_NE(at, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(at));
    file.put('#');
  }

  TestDirectory root_;
  std::string text_;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_MAIN_INSPECT_FIXTURE_H_
