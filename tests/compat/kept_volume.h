// What the volumes of tests/compat hold, and the making of one.
#ifndef QUIRE_TESTS_COMPAT_KEPT_VOLUME_H_
#define QUIRE_TESTS_COMPAT_KEPT_VOLUME_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "quire/error.h"
#include "quire/text.h"
#include "server/volume/volume.h"
#include "tests/compat/data_directory.h"
#include "tests/support/blocking.h"
#include "tests/support/operations.h"
#include "tests/support/test_volume.h"

namespace quire {

inline constexpr char kKeptWriteThrough[] = "$DATA01.S.KEPT";
inline constexpr char kKeptBuffered[] = "$DATA01.S.BUFFERED";
inline constexpr char kKeptAudited[] = "$DATA01.S.AUDITED";  // from version 2 on
inline constexpr int kPlaced = 20;                           // records in the store
inline constexpr int kInTrail = 35;                          // and up to here in the trail

inline VolumeOptions KeptOptions(const std::string& directory) {
  VolumeOptions options;
  options.name = "$DATA01";
  options.directory = directory;
  options.capacity_bytes = kKeptCapacityBytes;
  options.cache_bytes = uint64_t{4} << 20;
  options.trail_segment_bytes = kKeptSegmentBytes;
  options.control_point_interval_ms = 3600 * 1000;
  return options;
}

inline FileReference KeptReference(const std::string& name) {
  return FileReference{*ParseFileName(name), 0, 0, "test"};
}

inline absl::Status KeptWrite(Volume& volume, const std::string& name, int key) {
  const std::string record = test::SmallRecord(key);
  return test::RunOne(volume, KeptReference(name), test::WithRecord(OperationKind::kWrite, record))
      .status();
}

inline void KeptCreate(Volume& volume, const CreateRequest& create) {
  const auto info =
      test::Await<FileInfo>([&](Done<FileInfo> done) { volume.Create(create, std::move(done)); });
  ASSERT_TRUE(info.ok()) << Describe(info.status());
}

inline void KeptRefresh(Volume& volume) {
  ASSERT_TRUE(test::Await<RefreshAnswer>([&](Done<RefreshAnswer> done) {
                volume.Refresh("", std::move(done));
              }).ok());
}

}  // namespace quire

#endif  // QUIRE_TESTS_COMPAT_KEPT_VOLUME_H_
