// One volume in memory with helpers for single calls.
#ifndef QUIRE_TESTS_UNIT_VOLUME_VOLUME_FIXTURE_H_
#define QUIRE_TESTS_UNIT_VOLUME_VOLUME_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quire/error.h"
#include "tests/support/blocking.h"
#include "tests/support/test_volume.h"

namespace quire::test {

class VolumeTest : public ::testing::Test {
 protected:
  absl::StatusOr<FileInfo> Create(const CreateRequest& create) {
    return Await<FileInfo>([&](Done<FileInfo> done) { volume_->Create(create, std::move(done)); });
  }
  FileInfo MustCreate(const std::string& name, bool buffered) {
    const absl::StatusOr<FileInfo> info = Create(SmallFile(name, buffered));
    EXPECT_TRUE(info.ok()) << Describe(info.status());
    return info.ok() ? *info : FileInfo{};
  }
  static FileReference Ref(const std::string& name) {
    return FileReference{*ParseFileName(name), 0, 0, "test"};
  }
  absl::Status Write(const std::string& name, const std::string& record) {
    return RunOne(volume_.volume(), Ref(name),
                  Operation{OperationKind::kWrite, {}, false, false, {}, record})
        .status();
  }
  absl::Status Update(const std::string& name, const std::string& record) {
    return RunOne(volume_.volume(), Ref(name),
                  Operation{OperationKind::kUpdate, {}, false, false, {}, record})
        .status();
  }
  absl::Status Delete(const std::string& name, const std::string& key) {
    return RunOne(volume_.volume(), Ref(name),
                  Operation{OperationKind::kDelete, {}, false, false, key, {}})
        .status();
  }
  absl::StatusOr<std::string> Read(const std::string& name, const std::string& key,
                                   ReadMode mode = ReadMode::kByKey) {
    return RunOne(volume_.volume(), Ref(name),
                  Operation{OperationKind::kRead, mode, false, false, key, {}});
  }
  absl::StatusOr<FileInfo> Info(const std::string& name) {
    const absl::StatusOr<FileDescription> description = Await<FileDescription>(
        [&](Done<FileDescription> done) { volume_->Info(Ref(name), std::move(done)); });
    if (!description.ok()) return description.status();
    return description->primary;
  }
  absl::Status Purge(const std::string& name) {
    return AwaitStatus([&](DoneStatus done) {
      volume_->Purge(PurgeRequest{Ref(name), false}, std::move(done));
    });
  }
  absl::Status Alter(AlterRequest alter) {
    return AwaitStatus([&](DoneStatus done) { volume_->Alter(std::move(alter), std::move(done)); });
  }
  absl::StatusOr<RefreshAnswer> Refresh() {
    return Await<RefreshAnswer>(
        [&](Done<RefreshAnswer> done) { volume_->Refresh("", std::move(done)); });
  }
  VolumeSnapshot Snapshot() {
    const absl::StatusOr<MeasureSnapshot> snapshot = Await<MeasureSnapshot>(
        [&](Done<MeasureSnapshot> done) { volume_->Snapshot({}, std::move(done)); });
    return snapshot.ok() ? snapshot->volumes.at(0) : VolumeSnapshot{};
  }
  std::vector<std::string> Names(bool pending = false) {
    ListRequest list;
    list.fileset = *ParseFileset("$*.*.*");
    list.pending = pending;
    const absl::StatusOr<ListPage> page =
        Await<ListPage>([&](Done<ListPage> done) { volume_->List(list, std::move(done)); });
    std::vector<std::string> names;
    if (page.ok()) {
      for (const FileInfo& file : page->files) names.push_back(file.name.ToString());
    }
    return names;
  }

  TestVolume volume_;
};

inline int32_t Number(const absl::Status& status) {
  return static_cast<int32_t>(NumberOf(status));
}

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_VOLUME_VOLUME_FIXTURE_H_
