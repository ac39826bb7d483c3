#include "client/fup/attribute_text.h"

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "quire/text.h"

namespace quire {
namespace {

std::string PagesText(const ExtentSizes& extents) {
  return StrCat(extents.primary_pages, " PAGES, ", extents.secondary_pages, " PAGES");
}

std::string PartitionLine(uint32_t number, const PartitionSpec& partition, uint32_t max_extents,
                          PartitionStyle style) {
  std::string text =
      StrCat("PART ( ", number, ", ", partition.volume, ", ", PagesText(partition.extents));
  if (style == PartitionStyle::kInfo) StrAppend(&text, ", MAXEXTENTS ", max_extents);
  if (!partition.partial_key.empty()) {
    StrAppend(&text, ", ", PartialKeyText(partition.partial_key));
  }
  return text + " )";
}

}  // namespace

std::vector<AttributeLine> AttributeLines(const CreateSettings& settings, PartitionStyle style) {
  const FileAttributes& a = settings.attributes;
  std::vector<AttributeLine> lines;
  const auto add = [&lines](CreateKeyword keyword, std::string text) {
    lines.push_back({keyword, std::move(text)});
  };
  add(CreateKeyword::kType, StrCat("TYPE ", std::string(1, a.type)));
  if (a.format != 0) add(CreateKeyword::kFormat, StrCat("FORMAT ", a.format));
  if (a.code != 0) add(CreateKeyword::kCode, StrCat("CODE ", a.code));
  add(CreateKeyword::kExt, ExtentsLine(a.extents));
  add(CreateKeyword::kRec, StrCat("REC ", a.record_bytes));
  add(CreateKeyword::kBlock, StrCat("BLOCK ", a.block_bytes));
  add(CreateKeyword::kKeyLen, StrCat("KEYLEN ", a.key_length));
  add(CreateKeyword::kKeyOff, StrCat("KEYOFF ", a.key_offset));
  if (a.lock_length != 0 && a.lock_length != a.key_length) {
    add(CreateKeyword::kLockLength, StrCat("LOCKLENGTH ", a.lock_length));
  }
  for (const auto& [number, partition] : settings.partitions) {
    add(CreateKeyword::kPart, PartitionLine(number, partition, a.max_extents, style));
  }
  add(CreateKeyword::kMaxExtents, StrCat("MAXEXTENTS ", a.max_extents));
  if (a.audit) add(CreateKeyword::kAudit, "AUDIT");
  if (a.buffered) add(CreateKeyword::kBuffered, "BUFFERED");
  if (a.lookaside != Lookaside::kOff) {
    add(CreateKeyword::kLookaside, StrCat("LOOKASIDE ", LookasideName(a.lookaside)));
  }
  return lines;
}

std::string ExtentsLine(const ExtentSizes& extents) {
  return StrCat("EXT ( ", PagesText(extents), " )");
}

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string PartialKeyText(std::string_view partial_key) {
  const size_t last = partial_key.find_last_not_of('\0');
  partial_key = partial_key.substr(0, last == std::string_view::npos ? 1 : last + 1);
  if (IsPrintable(partial_key)) {
    return StrCat("\"", absl::StrReplaceAll(ToAbsl(partial_key), {{"\"", "\"\""}}), "\"");
  }
  std::string bytes;
  for (char c : partial_key) {
    StrAppend(&bytes, bytes.empty() ? "" : ",", static_cast<int>(static_cast<unsigned char>(c)));
  }
  return StrCat("[", bytes, "]");
}

}  // namespace quire
