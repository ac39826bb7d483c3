#include "server/main/inspect_check.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "quire/attributes.h"
#include "quire/error.h"
#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/cache/block_cache.h"
#include "server/keyseq/key_sequenced_file.h"
#include "server/main/inspect_trail.h"
#include "server/volume/control_point.h"
#include "server/volume/recovery.h"

namespace quire {
namespace {

constexpr uint64_t kCacheBytes = uint64_t{64} << 20;

class VolumeCheck {
 public:
  VolumeCheck(InspectedStore& store, TrailDevice& trail, std::ostream& out)
      : store_(store), trail_(trail), out_(out) {}

  uint64_t Run() {
    CheckMeta();
    CheckLabels();
    CheckBlocks();
    CheckTrees();
    CheckTrail();
    out_ << labels_.size() << " labels, " << blocks_ << " blocks, " << trees_ << " trees checked; "
         << faults_ << " faults\n";
    return faults_;
  }

 private:
  void Fault(std::string_view where, std::string_view what) {
    ++faults_;
    out_ << "FAULT " << where << ": " << what << '\n';
  }
  void Fault(std::string_view where, const absl::Status& status) { Fault(where, Describe(status)); }

  template <typename T>
  std::optional<T> Decode(const std::string& key,
                          absl::StatusOr<T> (*decode)(std::string_view bytes)) {
    const absl::StatusOr<std::optional<std::string>> bytes = store_.ReadMeta(key);
    if (!bytes.ok() || !bytes->has_value()) {
      Fault(StrCat("meta value ", key), bytes.ok() ? "is missing" : Describe(bytes.status()));
      return std::nullopt;
    }
    absl::StatusOr<T> value = decode(**bytes);
    if (value.ok()) return *std::move(value);
    Fault(StrCat("meta value ", key), value.status());
    return std::nullopt;
  }

  void CheckMeta() {
    identity_ = Decode(meta_key::kVolume, &DecodeIdentity);
    control_point_ = Decode(meta_key::kControlPoint, &DecodeControlPointMeta);
  }

  void CheckLabels() {
    const absl::StatusOr<std::map<FileId, std::string>> labels = store_.ReadLabels();
    if (!labels.ok()) return Fault("labels", labels.status());
    std::map<std::string, FileId> names;
    for (const auto& [id, bytes] : *labels) {
      absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
      if (!label.ok()) {
        Fault(StrCat("label #", id), label.status());
        continue;
      }
      if (label->id != id) Fault(StrCat("label #", id), StrCat("names itself #", label->id));
      if (control_point_ && id >= control_point_->next_file_id) {
        Fault(StrCat("label #", id), "its id was not given yet");
      }
      if (label->bad) Fault(label->name.ToString(), "it is marked bad");
      if (!label->purged && !names.emplace(label->name.ToString(), id).second) {
        Fault(StrCat("label #", id), StrCat("a second ", label->name.ToString()));
      }
      labels_.emplace(id, *std::move(label));
    }
  }

  void CheckBlocks() {
    FileId unlabelled = 0;
    const absl::Status status =
        store_.ForEachBlock(0, 0, [&](FileId file, BlockNumber block, std::string_view image) {
          ++blocks_;
          const auto label = labels_.find(file);
          if (label == labels_.end()) {
            if (unlabelled != file) Fault(StrCat("file id ", file), "has blocks, but no label");
            unlabelled = file;
          } else if (image.size() != ImageBytes(label->second.attributes.block_bytes)) {
            Fault(Where(label->second, block), StrCat("is of ", image.size(), " bytes"));
          }
          const std::string reason = VerifyImage(image, file, block);
          if (!reason.empty()) {
            Fault(label == labels_.end() ? StrCat("file id ", file, " block ", block)
                                         : Where(label->second, block),
                  reason);
          }
          return true;
        });
    if (!status.ok()) Fault("blocks", status);
  }

  void CheckTrees() {
    BlockCache cache(&store_, CacheOptions{kCacheBytes, 0});
    for (const auto& [id, label] : labels_) {
      if (label.purged) continue;
      ++trees_;
      KeySequencedFile file(label, &cache);
      if (absl::Status s = file.tree().Check(); !s.ok()) Fault(label.name.ToString(), s);
      cache.DropFile(id);
    }
  }

  void CheckTrail() {
    if (!identity_ || !control_point_) return;
    const Lsn lsn = control_point_->lsn;
    const absl::StatusOr<UnplacedTrail> unplaced = FindUnplaced(trail_, identity_->volume_id, lsn);
    if (!unplaced.ok()) return Fault("trail", unplaced.status());
    out_ << "store as of LSN " << lsn << "; " << unplaced->batches
         << " batches in the trail not placed\n";
  }

  static std::string Where(const FileLabel& label, BlockNumber block) {
    return StrCat(label.name.ToString(), " block ", block);
  }

  InspectedStore& store_;
  TrailDevice& trail_;
  std::ostream& out_;
  std::optional<VolumeIdentity> identity_;
  std::optional<ControlPointMeta> control_point_;
  std::map<FileId, FileLabel> labels_;
  uint64_t blocks_ = 0;
  uint64_t trees_ = 0;
  uint64_t faults_ = 0;
};

}  // namespace

uint64_t CheckVolume(InspectedStore& store, TrailDevice& trail, std::ostream& out) {
  return VolumeCheck(store, trail, out).Run();
}

}  // namespace quire
