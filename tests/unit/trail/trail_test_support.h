// What the trail's tests share: devices of both kinds over a medium that survives a "restart", and
// histories of batches that can be compared with what replay gives.
#ifndef QUIRE_TESTS_UNIT_TRAIL_TRAIL_TEST_SUPPORT_H_
#define QUIRE_TESTS_UNIT_TRAIL_TRAIL_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "server/base/huge_memory.h"
#include "server/trail/file_device.h"
#include "server/trail/simulated_device.h"
#include "server/trail/trail.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_random.h"

namespace quire {

inline constexpr uint64_t kTestVolumeId = 0x1122334455667788;
inline constexpr uint64_t kTestSegmentBytes = uint64_t{1} << 20;

inline uint64_t TestSeed() {
  return TestRandom().seed();
}

enum class DeviceKind { kFdatasync, kDirect, kSimulated };

inline std::string DeviceKindName(const testing::TestParamInfo<DeviceKind>& info) {
  switch (info.param) {
    case DeviceKind::kFdatasync:
      return "Fdatasync";
    case DeviceKind::kDirect:
      return "Direct";
    case DeviceKind::kSimulated:
      return "Simulated";
  }
  return "";
}

// A place for segments on which devices can be opened again and again.
class TestMedium {
 public:
  explicit TestMedium(DeviceKind kind) : kind_(kind) {}
  absl::StatusOr<std::unique_ptr<TrailDevice>> Open() {
    switch (kind_) {
      case DeviceKind::kFdatasync:
        return OpenFileDevice(directory_.path() + "/trail", TrailSync::kFdatasync);
      case DeviceKind::kDirect:
        return OpenFileDevice(directory_.path() + "/trail", TrailSync::kDirect);
      case DeviceKind::kSimulated:
        return OpenSimulatedDevice(simulated_);
    }
    return absl::InternalError("no such kind");
  }
  SimulatedMedium& simulated() { return *simulated_; }

 private:
  const DeviceKind kind_;
  TestDirectory directory_;
  std::shared_ptr<SimulatedMedium> simulated_ = std::make_shared<SimulatedMedium>();
};

// Memory as direct writes want it.
class AlignedBytes {
 public:
  AlignedBytes(uint64_t bytes, char fill) : memory_(bytes) {
    std::fill_n(memory_.data(), bytes, fill);
  }
  absl::Span<char> span() { return {memory_.data(), memory_.size()}; }

 private:
  HugeMemory memory_;
};

// A record that owns its bytes.
struct OwnedRecord {
  TrailRecordKind kind = TrailRecordKind::kBlockImage;
  FileId file = 0;
  BlockNumber block = 0;
  std::string payload;

  TrailRecord View() const {
    return {.kind = kind, .file = file, .block = block, .payload = payload};
  }
  bool operator==(const OwnedRecord&) const = default;
};

using OwnedBatch = std::vector<OwnedRecord>;

// One to four records of any kind, of together a few times `typical_bytes`.
inline OwnedBatch RandomBatch(std::mt19937_64& random, uint64_t typical_bytes) {
  OwnedBatch batch(1 + random() % 4);
  for (OwnedRecord& record : batch) {
    record.kind = static_cast<TrailRecordKind>(1 + random() % 3);
    record.file = random();
    if (record.kind == TrailRecordKind::kBlockImage) record.block = static_cast<uint32_t>(random());
    record.payload.resize(random() % (2 * typical_bytes));
    for (char& byte : record.payload) byte = static_cast<char>(random());
  }
  return batch;
}

inline void Fill(const OwnedBatch& from, TrailBatch* batch) {
  batch->Clear();
  for (const OwnedRecord& record : from) batch->Add(record.View());
}

// A batch as replay gave it.
struct ReplayedBatch {
  Lsn first_lsn = 0;
  OwnedBatch records;
  bool operator==(const ReplayedBatch&) const = default;
};

struct Replayed {
  absl::StatusOr<Lsn> last_lsn = Lsn{0};
  std::vector<ReplayedBatch> batches;
};

inline Replayed ReplayAll(Trail& trail, Lsn from) {
  Replayed replayed;
  replayed.last_lsn = trail.Replay(from, [&](Lsn first_lsn, absl::Span<const TrailRecord> records) {
    ReplayedBatch batch{.first_lsn = first_lsn, .records = {}};
    for (const TrailRecord& record : records) {
      batch.records.push_back(
          {record.kind, record.file, record.block, std::string(record.payload)});
    }
    replayed.batches.push_back(std::move(batch));
    return absl::OkStatus();
  });
  return replayed;
}

inline std::unique_ptr<Trail> OpenTrail(std::unique_ptr<TrailDevice> device,
                                        uint64_t segment_bytes = kTestSegmentBytes,
                                        uint64_t volume_id = kTestVolumeId) {
  auto trail =
      Trail::Open(std::move(device), {.volume_id = volume_id, .segment_bytes = segment_bytes});
  EXPECT_TRUE(trail.ok()) << trail.status();
  return trail.ok() ? *std::move(trail) : nullptr;
}

#define QUIRE_ASSERT_OK(expression)                                 \
  do {                                                              \
    const absl::Status status_of_expression = (expression);         \
    ASSERT_TRUE(status_of_expression.ok()) << status_of_expression; \
  } while (false)

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_TRAIL_TRAIL_TEST_SUPPORT_H_
