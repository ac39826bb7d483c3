#include "tests/unit/volume/stored_state.h"

#include <gtest/gtest.h>

#include "quire/error.h"
#include "quire/text.h"
#include "server/btree/bitmap.h"
#include "server/trail/trail.h"
#include "server/volume/control_point.h"
#include "server/volume/recovery.h"

namespace quire::test {
namespace {

constexpr uint64_t kStoreBytes = uint64_t{1} << 30;
constexpr uint32_t kImageBytes = 496;  // of BLOCK 512

}  // namespace

StoredFiles ReadStoredFiles(const std::shared_ptr<MemoryDisc>& disc) {
  StoredFiles stored;
  const std::unique_ptr<BlockStore> store = OpenMemoryStore(disc, kStoreBytes);
  const absl::StatusOr<std::map<FileId, std::string>> labels = store->ReadLabels();
  for (const auto& [id, bytes] : *labels) {
    const FileLabel label = *DecodeLabel(bytes);
    const std::string name = label.name.ToString();
    stored.labels[name] = label;
    std::string bitmap(kImageBytes, '\0');
    for (BlockNumber block = 0; block < label.tree.eof_blocks; ++block) {
      const bool is_bitmap = IsBitmapBlock(block, kImageBytes);
      // What a free block holds depends on which control points saw it used.
      if (!is_bitmap && IsFree(absl::MakeConstSpan(bitmap.data(), bitmap.size()), block)) continue;
      std::string image(kImageBytes, '\0');
      EXPECT_TRUE(store->ReadBlock(id, block, absl::MakeSpan(image)).ok()) << name << " " << block;
      if (is_bitmap) bitmap = image;
      stored.blocks[name][block] = std::move(image);
    }
  }
  return stored;
}

std::string DifferenceOf(const StoredFiles& one, const StoredFiles& other) {
  if (one.labels.size() != other.labels.size()) return "the number of files";
  for (const auto& [name, label] : one.labels) {
    if (!other.labels.contains(name)) return StrCat(name, " is in one only");
    FileLabel twin = other.labels.at(name);
    twin.last_open_us = label.last_open_us;  // opening is no change: it is not logged
    if (EncodeState(label) != EncodeState(twin)) return StrCat("the structural state of ", name);
    if (label != twin) return StrCat("the label of ", name);
    const auto& blocks = one.blocks.at(name);
    const auto& twins = other.blocks.at(name);
    if (blocks.size() != twins.size()) return StrCat("the number of blocks of ", name);
    for (const auto& [block, image] : blocks) {
      if (!twins.contains(block) || twins.at(block) != image) {
        return StrCat("block ", block, " of ", name);
      }
    }
  }
  return "";
}

std::vector<StoredRecord> ReadStoredTrail(TestVolume& volume) {
  const std::unique_ptr<BlockStore> store = OpenMemoryStore(volume.disc, kStoreBytes);
  const VolumeIdentity identity = *DecodeIdentity(**store->ReadMeta(meta_key::kVolume));
  const ControlPointMeta meta = *DecodeControlPointMeta(**store->ReadMeta(meta_key::kControlPoint));
  const std::unique_ptr<Trail> trail =
      *Trail::Open(OpenSimulatedDevice(volume.medium),
                   TrailOptions{identity.volume_id, volume.options().trail_segment_bytes});
  std::vector<StoredRecord> stored;
  const absl::StatusOr<Lsn> last =
      trail->Replay(meta.lsn, [&](Lsn, absl::Span<const TrailRecord> records) {
        for (const TrailRecord& record : records) {
          stored.push_back({record.kind, record.file, std::string(record.payload)});
        }
        return absl::OkStatus();
      });
  EXPECT_TRUE(last.ok()) << Describe(last.status());
  return stored;
}

}  // namespace quire::test
