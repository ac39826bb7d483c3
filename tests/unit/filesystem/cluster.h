// Fake volumes $DATA01 … and what tests of the file system layer do with them.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_CLUSTER_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_CLUSTER_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/filesystem/await.h"
#include "client/filesystem/file_system.h"
#include "client/filesystem/router_service.h"
#include "client/filesystem/volume_set.h"
#include "quire/error.h"
#include "quire/filesystem.h"
#include "quire/text.h"
#include "tests/unit/filesystem/fake_volume.h"

namespace quire::testing {

inline constexpr char kFile[] = "SHOP.PARTS";  // on every volume

inline FileName PartsName() {
  return FileName{"", "$DATA01", "SHOP", "PARTS"};
}

// KEYLEN 4 at KEYOFF 1, primary below "B", then one partition per letter from "B" on.
inline FileAttributes PartsAttributes(uint32_t partitions) {
  FileAttributes attributes;
  attributes.key_length = 4;
  attributes.key_offset = 1;
  for (uint32_t i = 1; i < partitions; ++i) {
    PartitionSpec part;
    part.volume = StrCat("$DATA0", i + 1);
    part.partial_key = std::string(1, static_cast<char>('A' + i));
    attributes.partitions.push_back(part);
  }
  return attributes;
}

// A record with this key: one byte before it, the text behind it.
inline std::string Record(std::string_view key, std::string_view text = "") {
  return StrCat("-", key, text);
}

class Cluster {
 public:
  explicit Cluster(uint32_t volumes) {
    for (uint32_t i = 1; i <= volumes; ++i) {
      const std::string name = StrCat("$DATA0", i);
      volumes_.push_back(std::make_shared<FakeVolume>(name));
      services_[name] = volumes_.back();
    }
  }

  // Callbacks under way on the volumes' threads hold the volumes too: not the last of them.
  ~Cluster() {
    for (auto& volume : volumes_) volume->StopThread();
  }

  FakeVolume& volume(uint32_t number) { return *volumes_.at(number - 1); }
  const std::map<std::string, std::shared_ptr<Service>>& services() const { return services_; }
  // Volumes that are down are given up at once.
  static RoutingOptions AtOnce() { return RoutingOptions{absl::ZeroDuration(), nullptr}; }
  VolumeSet volume_set() const { return VolumeSet(services_); }
  void UseThreads() {
    for (auto& volume : volumes_) volume->UseThread();
  }

  FileSystem& files() {
    if (files_ == nullptr) files_ = MakeFileSystem(MakeRouterService(services_, AtOnce()), "test");
    return *files_;
  }
  // Creates the file over all volumes.
  void CreateParts() {
    const absl::StatusOr<FileInfo> created =
        files().Create(PartsName(), PartsAttributes(static_cast<uint32_t>(volumes_.size())));
    ASSERT_TRUE(created.ok()) << created.status();
  }
  std::unique_ptr<File> Open(const FileOpenOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<File>> file = files().Open(PartsName(), options);
    EXPECT_TRUE(file.ok()) << file.status();
    return file.ok() ? *std::move(file) : nullptr;
  }
  // CREATE, and these keys in it.
  void Fill(const std::vector<std::string>& keys) {
    CreateParts();
    const std::unique_ptr<File> file = Open();
    ASSERT_NE(file, nullptr);
    for (const std::string& key : keys) ASSERT_TRUE(file->Write(Record(key)).ok()) << key;
  }
  // How many volumes have a label of the file, pending or not.
  int Labels() {
    int labels = 0;
    for (auto& volume : volumes_) labels += volume->HasLabel(kFile) ? 1 : 0;
    return labels;
  }

 private:
  std::vector<std::shared_ptr<FakeVolume>> volumes_;
  std::map<std::string, std::shared_ptr<Service>> services_;
  std::unique_ptr<FileSystem> files_;
};

inline int Number(const absl::Status& status) {
  return static_cast<int>(NumberOf(status));
}
template <typename T>
int Number(const absl::StatusOr<T>& result) {
  return Number(result.status());
}

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_CLUSTER_H_
