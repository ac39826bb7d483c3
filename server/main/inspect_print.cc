#include "server/main/inspect_print.h"

#include <algorithm>
#include <string>

#include "absl/time/time.h"
#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/base/bytes.h"
#include "server/btree/bitmap.h"
#include "server/btree/block_view.h"

namespace quire {
namespace {

constexpr size_t kHexLineBytes = 16;
constexpr size_t kRunLineBytes = 96;
constexpr size_t kShownItemBytes = 100;  // a long record is cut so that a line stays readable

bool IsPrintable(char c) {
  return c >= ' ' && c <= '~';
}

void PrintItem(BlockView& view, uint32_t item, std::optional<KeyField> key, std::ostream& out) {
  out << "  item " << item << ", slot " << view.SlotAt(item) << ": ";
  const std::string_view bytes = view.Item(item);
  if (view.level() != kDataLevel) {
    const std::string_view separator = view.Separator(item);
    out << "block " << view.Child(item) << " from \"" << Printable(separator) << '"';
  } else {
    if (key.has_value() && bytes.size() >= key->end()) {
      out << "key \"" << Printable(key->Of(bytes)) << "\", ";
    }
    out << bytes.size() << " bytes \"" << ItemText(bytes) << '"';
  }
  out << '\n';
}

// Runs of blocks as "3 5-17", in lines.
class RunPrinter {
 public:
  explicit RunPrinter(std::ostream& out) : out_(out) {}
  void Add(BlockNumber first, BlockNumber last) {
    const std::string run = first == last ? StrCat(first) : StrCat(first, "-", last);
    if (line_.size() + run.size() > kRunLineBytes) Flush();
    StrAppend(&line_, line_.empty() ? "   " : "", " ", run);
  }
  void Flush() {
    if (!line_.empty()) out_ << line_ << '\n';
    line_.clear();
  }

 private:
  std::ostream& out_;
  std::string line_;
};

void PrintBitmap(BlockNumber bitmap, std::string_view image, std::ostream& out) {
  const auto image_bytes = static_cast<uint32_t>(image.size());
  if (!IsBitmapBlock(bitmap, image_bytes)) {
    out << "  no bitmap belongs here\n";
    return;
  }
  const uint64_t end = uint64_t{bitmap} + BitmapInterval(image_bytes);
  out << "  of blocks " << bitmap + 1 << " to " << end - 1 << "; used:\n";
  RunPrinter runs(out);
  for (uint64_t block = uint64_t{bitmap} + 1; block < end; ++block) {
    const uint64_t first = block;
    while (block < end && !IsFree(image, static_cast<BlockNumber>(block))) ++block;
    if (block > first) {
      runs.Add(static_cast<BlockNumber>(first), static_cast<BlockNumber>(block - 1));
    }
  }
  runs.Flush();
}

}  // namespace

std::string TimeText(int64_t time_us) {
  if (time_us == 0) return "never";
  return absl::FormatTime("%Y-%m-%d %H:%M:%E6S UTC", absl::FromUnixMicros(time_us),
                          absl::UTCTimeZone());
}

std::string FlagsText(const FileLabel& label) {
  std::string flags;
  if (label.attributes.buffered) flags += " BUFFERED";
  if (label.attributes.audit) flags += " AUDIT";
  if (label.attributes.lookaside != Lookaside::kOff) {
    StrAppend(&flags, " LOOKASIDE ", LookasideName(label.attributes.lookaside));
  }
  if (label.purged) flags += " purged";
  if (label.pending) flags += " pending";
  if (label.bad) flags += " BAD";
  return flags;
}

std::string LevelText(uint8_t level) {
  if (level == kDataLevel) return "data";
  if (level == kBitmapLevel) return "bitmap";
  return StrCat("index level ", uint32_t{level});
}

std::string ItemText(std::string_view item) {
  if (item.size() <= kShownItemBytes) return Printable(item);
  return StrCat(Printable(item.substr(0, kShownItemBytes)), " …");
}

std::string Printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    if (IsPrintable(c) && c != '\\' && c != '"') {
      text += c;
    } else {
      StrAppend(&text, "\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    }
  }
  return text;
}

void PrintFileLine(const FileLabel& label, std::ostream& out) {
  out << '#' << label.id << "  " << label.name.ToString() << "  partition " << label.partition
      << ", BLOCK " << label.attributes.block_bytes << ", " << label.tree.record_count
      << " records, EOF " << uint64_t{label.tree.eof_blocks} * label.attributes.block_bytes << ", "
      << label.tree.index_levels << " index levels" << FlagsText(label) << '\n';
}

void PrintLabel(const FileLabel& label, std::ostream& out) {
  const FileAttributes& attributes = label.attributes;
  PrintFileLine(label, out);
  out << "  TYPE " << attributes.type << ", FORMAT " << attributes.format << ", CODE "
      << attributes.code << ", REC " << attributes.record_bytes << ", KEYLEN "
      << attributes.key_length << ", KEYOFF " << attributes.key_offset << ", LOCKLENGTH "
      << attributes.lock_length << '\n';
  out << "  EXT ( " << attributes.extents.primary_pages << ", "
      << attributes.extents.secondary_pages << " ), MAXEXTENTS " << attributes.max_extents << ", "
      << label.extents_allocated << " allocated\n";
  for (size_t i = 0; i < attributes.partitions.size(); ++i) {
    const PartitionSpec& part = attributes.partitions[i];
    out << "  PART ( " << i + 1 << ", " << part.volume << ", " << part.extents.primary_pages << ", "
        << part.extents.secondary_pages << ", \"" << Printable(part.partial_key) << "\" )\n";
  }
  out << "  primary on " << label.primary_volume << ", create id " << label.create_id
      << (label.confirmed ? ", confirmed" : ", not confirmed") << '\n';
  out << "  owner " << label.owner_group << ',' << label.owner_user << ", security "
      << Printable(label.security) << '\n';
  out << "  created " << TimeText(label.created_us) << ", modified " << TimeText(label.modified_us)
      << ", last open " << TimeText(label.last_open_us) << '\n';
  const TreeState& tree = label.tree;
  out << "  root block " << tree.root << ", EOF block " << tree.eof_blocks << ", free blocks "
      << tree.free_blocks << ", free hint " << tree.free_hint << '\n';
}

void PrintBlockLine(FileId file, BlockNumber block, std::string_view image, std::ostream& out) {
  const std::string reason = VerifyImage(image, file, block);
  out << "block " << block << ": ";
  if (image.size() >= kBlockHeaderBytes) {
    const BlockView view(image);
    out << LevelText(view.level()) << ", " << view.count() << " items, previous " << view.previous()
        << ", next " << view.next() << ", ";
  }
  out << (reason.empty() ? "checks" : StrCat("BAD: ", reason)) << '\n';
}

void PrintBlock(FileId file, BlockNumber block, std::string_view image, std::optional<KeyField> key,
                std::ostream& out) {
  PrintBlockLine(file, block, image, out);
  out << "  image of " << image.size() << " bytes\n";
  if (image.size() < kBlockHeaderBytes) return;
  const char* const at = image.data();
  out << "  checksum " << absl::StrCat(absl::Hex(LoadLittle<uint64_t>(at), absl::kZeroPad16))
      << ", file id " << LoadLittle<uint64_t>(at + block_offset::kFileId) << ", block number "
      << LoadLittle<uint32_t>(at + block_offset::kBlockNumber) << ", version "
      << uint32_t{LoadLittle<uint8_t>(at + block_offset::kVersion)} << '\n';
  BlockView view(image);
  if (view.level() == kBitmapLevel) return PrintBitmap(block, image, out);
  for (uint32_t i = 0; i < view.count(); ++i) PrintItem(view, i, key, out);
  if (view.damaged()) out << "  some slots are out of order or bounds\n";
}

void PrintHex(std::string_view bytes, std::ostream& out) {
  for (size_t offset = 0; offset < bytes.size(); offset += kHexLineBytes) {
    const std::string_view line = bytes.substr(offset, kHexLineBytes);
    std::string text = StrCat(absl::Hex(offset, absl::kZeroPad8), " ");
    for (const char c : line) {
      StrAppend(&text, " ", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    }
    text.append(3 * (kHexLineBytes - line.size()) + 2, ' ');
    for (const char c : line) text += IsPrintable(c) ? c : '.';
    out << text << '\n';
  }
}

}  // namespace quire
