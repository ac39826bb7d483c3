#include "server/main/inspect_command.h"

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "quire/error.h"
#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/main/inspect_check.h"
#include "server/main/inspect_errors.h"
#include "server/main/inspect_print.h"
#include "server/main/inspect_store.h"
#include "server/main/inspect_trail.h"
#include "server/trail/read_only_device.h"
#include "server/volume/control_point.h"
#include "server/volume/recovery.h"

namespace quire {
namespace {

class Inspection {
 public:
  Inspection(InspectedStore* store, TrailDevice* trail, std::ostream& out)
      : store_(store), trail_(trail), out_(out) {}

  absl::StatusOr<uint64_t> Meta(bool hex);
  absl::StatusOr<uint64_t> Files();
  absl::StatusOr<uint64_t> Label(const std::string& name);
  absl::StatusOr<uint64_t> Trail();
  absl::StatusOr<uint64_t> Blocks(const std::string& name, BlockNumber from);
  absl::StatusOr<uint64_t> Block(const std::string& name, BlockNumber block, bool hex);

  void Identify();
  // LSN to which the store is complete; 0 when it cannot be told.
  Lsn placed() const { return control_point_ ? control_point_->lsn : 0; }

 private:
  // The file that `name` means: "#id" or a name without pattern.
  absl::StatusOr<FileId> Find(const std::string& name);
  std::optional<FileLabel> LabelOf(FileId id);
  std::optional<std::string> LabelBytes(FileId id);
  // The number of faults: 1 for a trail that recovery would refuse, or meta values that are lost.
  uint64_t PrintFreshness();

  InspectedStore* const store_;
  TrailDevice* const trail_;
  std::ostream& out_;
  std::optional<VolumeIdentity> identity_;
  std::optional<ControlPointMeta> control_point_;
};

void Inspection::Identify() {
  const auto volume = store_->ReadMeta(meta_key::kVolume);
  if (volume.ok() && volume->has_value()) {
    if (auto identity = DecodeIdentity(**volume); identity.ok()) identity_ = *std::move(identity);
  }
  const auto bytes = store_->ReadMeta(meta_key::kControlPoint);
  if (bytes.ok() && bytes->has_value()) {
    if (auto meta = DecodeControlPointMeta(**bytes); meta.ok()) control_point_ = *meta;
  }
}

// What the trail holds beyond is newer than every block shown.
uint64_t Inspection::PrintFreshness() {
  if (!store_->length().ok()) out_ << Describe(store_->length()) << '\n';
  if (!identity_ || !control_point_) {
    out_ << "store of an unknown age: its meta values do not decode\n";
    return store_->length().ok() ? 0 : 1;
  }
  const absl::StatusOr<UnplacedTrail> unplaced =
      FindUnplaced(*trail_, identity_->volume_id, placed());
  out_ << "store as of LSN " << placed() << "; ";
  if (unplaced.ok()) {
    out_ << unplaced->batches << " batches in the trail not placed\n";
  } else {
    out_ << "trail: " << Describe(unplaced.status()) << '\n';
  }
  // A running server may have reused segments since the store was opened.
  const bool trail_bad = !unplaced.ok() && !store_->beside_server();
  return (trail_bad ? 1 : 0) + (store_->length().ok() ? 0 : 1);
}

absl::StatusOr<uint64_t> Inspection::Meta(bool hex) {
  if (identity_) {
    out_ << "volume " << identity_->name << ", id "
         << absl::StrCat(absl::Hex(identity_->volume_id, absl::kZeroPad16)) << '\n';
  }
  if (control_point_) {
    out_ << "epoch " << control_point_->epoch << ", next file id " << control_point_->next_file_id
         << ", change sequence " << control_point_->change_sequence << '\n';
  }
  // Other values are shown by their size: what they mean is their writer's business.
  uint64_t faults = identity_ && control_point_ ? 0 : 1;
  const absl::Status rest = store_->ForEachMeta([&](std::string_view key, std::string_view value) {
    out_ << "meta value " << Printable(key) << ": " << value.size() << " bytes\n";
    if (hex) PrintHex(value, out_);
  });
  if (!rest.ok()) {
    ++faults;
    out_ << Describe(rest) << '\n';
  }
  return faults + PrintFreshness();
}

absl::StatusOr<uint64_t> Inspection::Files() {
  uint64_t faults = 0;
  const absl::Status rest = store_->ForEachLabel([&](FileId id, std::string_view bytes) {
    const absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
    if (label.ok()) {
      PrintFileLine(*label, out_);
    } else {
      ++faults;
      out_ << '#' << id << "  " << Describe(label.status()) << '\n';
    }
  });
  if (!rest.ok()) {
    ++faults;
    out_ << Describe(rest) << '\n';
  }
  return faults;
}

absl::StatusOr<FileId> Inspection::Find(const std::string& name) {
  FileId id = 0;
  if (name.size() > 1 && name[0] == '#' && absl::SimpleAtoi(name.substr(1), &id)) return id;
  // Any volume will do when the store cannot tell its own: the directory is the volume.
  const NameDefaults defaults{"", identity_ ? identity_->name : "$VOLUME", ""};
  const absl::StatusOr<FileName> wanted = ParseFileName(name, defaults);
  if (!wanted.ok()) return wanted.status();
  std::optional<FileId> found;
  const absl::Status rest = store_->ForEachLabel([&](FileId number, std::string_view bytes) {
    const absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
    if (label.ok() && !label->purged && label->name.subvolume == wanted->subvolume &&
        label->name.file == wanted->file) {
      found = number;
    }
  });
  if (found) return *found;
  return rest.ok() ? inspect_error::NoSuchFile(name) : rest;
}

std::optional<FileLabel> Inspection::LabelOf(FileId id) {
  const std::optional<std::string> bytes = LabelBytes(id);
  if (!bytes) return std::nullopt;
  absl::StatusOr<FileLabel> label = DecodeLabel(*bytes);
  if (!label.ok()) return std::nullopt;
  return *std::move(label);
}

std::optional<std::string> Inspection::LabelBytes(FileId id) {
  std::optional<std::string> found;
  static_cast<void>(store_->ForEachLabel([&](FileId number, std::string_view bytes) {
    if (number == id) found.emplace(bytes);
  }));
  return found;
}

absl::StatusOr<uint64_t> Inspection::Trail() {
  const absl::StatusOr<uint64_t> faults = PrintTrail(*trail_, placed(), out_);
  if (!faults.ok()) return faults.status();
  const uint64_t refused = PrintFreshness();
  return store_->beside_server() ? 0 : *faults + refused;
}

absl::StatusOr<uint64_t> Inspection::Label(const std::string& name) {
  const absl::StatusOr<FileId> id = Find(name);
  if (!id.ok()) return id.status();
  const std::optional<std::string> bytes = LabelBytes(*id);
  if (!bytes) return inspect_error::NoSuchFile(name);
  const absl::StatusOr<FileLabel> label = DecodeLabel(*bytes);
  if (label.ok()) {
    PrintLabel(*label, out_);
  } else {
    out_ << '#' << *id << "  " << Describe(label.status()) << '\n';
    PrintHex(*bytes, out_);
  }
  PrintFreshness();
  return label.ok() ? 0 : 1;
}

absl::StatusOr<uint64_t> Inspection::Blocks(const std::string& name, BlockNumber from) {
  const absl::StatusOr<FileId> id = Find(name);
  if (!id.ok()) return id.status();
  uint64_t faults = 0;
  const absl::Status status =
      store_->ForEachBlock(*id, from, [&](FileId file, BlockNumber block, std::string_view image) {
        if (file != *id) return false;
        PrintBlockLine(file, block, image, out_);
        if (!VerifyImage(image, file, block).empty()) ++faults;
        return true;
      });
  if (!status.ok()) {
    ++faults;
    out_ << Describe(status) << '\n';
  }
  PrintFreshness();
  return faults;
}

absl::StatusOr<uint64_t> Inspection::Block(const std::string& name, BlockNumber block, bool hex) {
  const absl::StatusOr<FileId> id = Find(name);
  if (!id.ok()) return id.status();
  const absl::StatusOr<std::optional<std::string>> image = store_->RawBlock(*id, block);
  if (!image.ok()) return image.status();
  if (!image->has_value()) return inspect_error::NoSuchBlock(name, block);
  std::optional<KeyField> key;
  if (const std::optional<FileLabel> label = LabelOf(*id)) {
    key = KeyField{label->attributes.key_offset, label->attributes.key_length};
  }
  PrintBlock(*id, block, **image, key, out_);
  if (hex) PrintHex(**image, out_);
  PrintFreshness();
  return VerifyImage(**image, *id, block).empty() ? 0 : 1;
}

absl::StatusOr<BlockNumber> ParseBlockNumber(const std::string& word) {
  BlockNumber block = 0;
  if (!absl::SimpleAtoi(word, &block)) return inspect_error::BadBlockNumber(word);
  return block;
}

absl::StatusOr<uint64_t> RunFileCommand(const InspectRequest& request, Inspection& inspection) {
  const std::vector<std::string>& words = request.words;
  if (words.size() == 2 && words[0] == "label") return inspection.Label(words[1]);
  BlockNumber block = 0;
  if (words.size() == 3) {
    const absl::StatusOr<BlockNumber> number = ParseBlockNumber(words[2]);
    if (!number.ok()) return number.status();
    block = *number;
  }
  if ((words.size() == 2 || words.size() == 3) && words[0] == "blocks") {
    return inspection.Blocks(words[1], block);
  }
  if (words.size() == 3 && words[0] == "block") {
    return inspection.Block(words[1], block, request.hex);
  }
  return inspect_error::BadCommand(words[0]);
}

}  // namespace

absl::StatusOr<uint64_t> Inspect(const InspectRequest& request, std::ostream& out) {
  const std::unique_ptr<TrailDevice> trail = OpenReadOnlyDevice(
      request.trail_directory.empty() ? request.directory + "/trail" : request.trail_directory);
  const std::string command = request.words.size() == 1 ? request.words[0] : "";
  const absl::StatusOr<std::unique_ptr<InspectedStore>> store =
      InspectedStore::Open(request.directory, request.snapshot);
  if (!store.ok()) {
    // The trail of a volume whose store is gone can still be shown.
    if (command != "trail" || NumberOf(store.status()) == ErrorNumber::kFileInUse) {
      return store.status();
    }
    out << Describe(store.status()) << '\n';
    const absl::StatusOr<uint64_t> faults = PrintTrail(*trail, 0, out);
    if (!faults.ok()) return faults.status();
    return *faults + 1;
  }
  Inspection inspection(store->get(), trail.get(), out);
  inspection.Identify();
  if (command == "check") return CheckVolume(**store, *trail, out);
  if (command == "meta") return inspection.Meta(request.hex);
  if (command == "files") return inspection.Files();
  if (command == "trail") return inspection.Trail();
  if (!request.words.empty()) return RunFileCommand(request, inspection);
  const absl::StatusOr<uint64_t> meta = inspection.Meta(request.hex);
  const absl::StatusOr<uint64_t> files = inspection.Files();
  if (!meta.ok() || !files.ok()) return meta.ok() ? files.status() : meta.status();
  return *meta + *files;
}

}  // namespace quire
