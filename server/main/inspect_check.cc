#include "server/main/inspect_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quire/attributes.h"
#include "quire/error.h"
#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/btree/stored_blocks.h"
#include "server/keyseq/file_check.h"
#include "server/main/inspect_trail.h"
#include "server/volume/control_point.h"
#include "server/volume/recovery.h"

namespace quire {
namespace {

// Faults of one file: the first is said, the others are counted.
struct FileFault {
  std::string first;
  uint64_t count = 0;
};

class VolumeCheck {
 public:
  VolumeCheck(InspectedStore& store, TrailDevice& trail, std::ostream& out)
      : store_(store), trail_(trail), out_(out) {}

  uint64_t Run() {
    if (!store_.length().ok()) Fault("store", store_.length());
    CheckMeta();
    CheckLabels();
    CheckBlocks();
    CheckFiles();
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
    const absl::Status rest =
        store_.ForEachLabel([this](FileId id, std::string_view bytes) { CheckLabel(id, bytes); });
    if (!rest.ok()) Fault("labels", rest);
  }

  void CheckLabel(FileId id, std::string_view bytes) {
    absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
    if (!label.ok()) return Fault(StrCat("label #", id), label.status());
    if (label->id != id) {
      // The key in the store is right: it is what blocks are found by.
      Fault(StrCat("label #", id), StrCat("names itself #", label->id));
      label->id = id;
    }
    if (control_point_ && id >= control_point_->next_file_id) {
      Fault(StrCat("label #", id), "its id was not given yet");
    }
    if (!label->purged && !names_.emplace(label->name.ToString(), id).second) {
      Fault(StrCat("label #", id), StrCat("a second ", label->name.ToString()));
    }
    labels_.emplace(id, *std::move(label));
  }

  // Every stored block, those of no use too: free ones, and those of files that are gone.
  void CheckBlocks() {
    FileId file = 0;
    for (bool more = true; more; ++file) {
      more = false;
      // Behind pages that cannot be read the next file may be read again.
      const absl::Status rest =
          store_.ForEachBlock(file, 0, [&](FileId at, BlockNumber block, std::string_view image) {
            file = at;
            CheckBlock(at, block, image);
            return true;
          });
      if (rest.ok()) break;
      NoteOf(file, Describe(rest));
      const auto next = labels_.upper_bound(file);
      more = next != labels_.end();
      if (more) file = next->first - 1;
    }
  }

  void CheckBlock(FileId file, BlockNumber block, std::string_view image) {
    ++blocks_;
    const auto label = labels_.find(file);
    if (label == labels_.end()) {
      if (unlabelled_ != file) Fault(StrCat("file id ", file), "has blocks, but no label");
      unlabelled_ = file;
    } else if (image.size() != ImageBytes(label->second.attributes.block_bytes)) {
      return NoteOf(file, StrCat("block ", block, " is of ", image.size(), " bytes"));
    }
    const std::string reason = VerifyImage(image, file, block);
    if (!reason.empty()) NoteOf(file, StrCat("block ", block, ": ", reason));
  }

  void NoteOf(FileId file, std::string what) {
    FileFault& fault = stored_faults_[file];
    if (++fault.count == 1) fault.first = std::move(what);
  }

  // One line a file: whole, or the first bad thing, in the tree before all else.
  void CheckFiles() {
    for (const auto& [id, label] : labels_) {
      if (label.purged) continue;
      ++trees_;
      StoredBlocks blocks(&store_, id);
      const FileFindings found = CheckFile(label, blocks);
      FileFault stored = stored_faults_[id];
      stored_faults_.erase(id);
      if (found.faults > 0 || !found.check.status.ok()) {
        stored.first = Describe(found.check.status);
        stored.count = std::max(stored.count, found.faults);
      }
      if (stored.count > 0) {
        FileLine(label.name.ToString(), stored);
      } else {
        const std::vector<LevelStatistics>& levels = found.check.levels;
        out_ << label.name.ToString() << ": whole, " << levels.front().records << " records, "
             << levels.size() - 1 << " index levels\n";
      }
    }
    for (const auto& [id, fault] : stored_faults_) FileLine(StrCat("file id ", id), fault);
  }

  void FileLine(std::string_view name, const FileFault& fault) {
    Fault(name,
          fault.count > 1 ? StrCat(fault.first, " (and ", fault.count - 1, " more)") : fault.first);
  }

  void CheckTrail() {
    if (!identity_ || !control_point_) return;
    const Lsn lsn = control_point_->lsn;
    const absl::StatusOr<UnplacedTrail> unplaced = FindUnplaced(trail_, identity_->volume_id, lsn);
    if (unplaced.ok()) {
      out_ << "store as of LSN " << lsn << "; " << unplaced->batches
           << " batches in the trail not placed\n";
    } else if (store_.beside_server()) {
      // A running server may have reused segments since the store was opened.
      out_ << "store as of LSN " << lsn << "; trail: " << Describe(unplaced.status()) << '\n';
    } else {
      Fault("trail", unplaced.status());
    }
  }

  InspectedStore& store_;
  TrailDevice& trail_;
  std::ostream& out_;
  std::optional<VolumeIdentity> identity_;
  std::optional<ControlPointMeta> control_point_;
  std::map<FileId, FileLabel> labels_;
  std::map<std::string, FileId> names_;
  std::map<FileId, FileFault> stored_faults_;
  FileId unlabelled_ = 0;
  uint64_t blocks_ = 0;
  uint64_t trees_ = 0;
  uint64_t faults_ = 0;
};

}  // namespace

uint64_t CheckVolume(InspectedStore& store, TrailDevice& trail, std::ostream& out) {
  return VolumeCheck(store, trail, out).Run();
}

}  // namespace quire
