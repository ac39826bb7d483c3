#include "client/fup/create_parameter.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "client/command/keyword.h"
#include "client/fup/errors.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace {

// How a parameter is written, and what becomes of it.
enum class Form : uint8_t {
  kNumber,     // NAME n
  kType,       // TYPE K
  kExtents,    // EXT n [unit] | ( n [unit] [ , n [unit] ] )
  kPartition,  // PART ( n, $vol [ , pri [ , sec [ , key ] ] ] )
  kFile,       // LIKE name
  kLookaside,  // LOOKASIDE { OFF | NOFREEZE | FREEZE }
  kFlag,       // [NO] NAME
  kEither,     // [NO] NAME, and both mean what Quire does anyway
  kOffOnly,    // NO NAME; NAME itself is refused with the reason
};

struct Row {
  std::string_view name;
  CreateKeyword keyword;
  Form form;
  std::string_view reason;  // of kOffOnly
};

constexpr std::string_view kLater = "it is not built yet; leave it out";
constexpr std::string_view kUnstructured =
    "it belongs to unstructured files, and Quire has key-sequenced ones only; leave it out";

constexpr std::array kRows = {
    Row{"TYPE", CreateKeyword::kType, Form::kType, ""},
    Row{"FORMAT", CreateKeyword::kFormat, Form::kNumber, ""},
    Row{"CODE", CreateKeyword::kCode, Form::kNumber, ""},
    Row{"EXT", CreateKeyword::kExt, Form::kExtents, ""},
    Row{"MAXEXTENTS", CreateKeyword::kMaxExtents, Form::kNumber, ""},
    Row{"REC", CreateKeyword::kRec, Form::kNumber, ""},
    Row{"BLOCK", CreateKeyword::kBlock, Form::kNumber, ""},
    Row{"IBLOCK", CreateKeyword::kIblock, Form::kNumber, ""},
    Row{"KEYLEN", CreateKeyword::kKeyLen, Form::kNumber, ""},
    Row{"KEYOFF", CreateKeyword::kKeyOff, Form::kNumber, ""},
    Row{"LOCKLENGTH", CreateKeyword::kLockLength, Form::kNumber, ""},
    Row{"PART", CreateKeyword::kPart, Form::kPartition, ""},
    Row{"LIKE", CreateKeyword::kLike, Form::kFile, ""},
    Row{"BUFFERED", CreateKeyword::kBuffered, Form::kFlag, ""},
    Row{"LOOKASIDE", CreateKeyword::kLookaside, Form::kLookaside, ""},
    Row{"REFRESH", CreateKeyword::kAlwaysSo, Form::kEither, ""},
    Row{"ALTCREATE", CreateKeyword::kAlwaysSo, Form::kEither, ""},
    Row{"AUDIT", CreateKeyword::kAudit, Form::kFlag, ""},
    Row{"AUDITCOMPRESS", CreateKeyword::kAlwaysSo, Form::kOffOnly, kLater},
    Row{"COMPRESS", CreateKeyword::kAlwaysSo, Form::kOffOnly, kLater},
    Row{"DCOMPRESS", CreateKeyword::kAlwaysSo, Form::kOffOnly, kLater},
    Row{"ICOMPRESS", CreateKeyword::kAlwaysSo, Form::kOffOnly,
        "index blocks are always compacted in Quire's own way; leave it out"},
    Row{"SERIALWRITES", CreateKeyword::kAlwaysSo, Form::kOffOnly,
        "it belongs to mirrored discs; leave it out"},
    Row{"VERIFIEDWRITES", CreateKeyword::kAlwaysSo, Form::kOffOnly,
        "blocks carry checksums instead, checked at every read; leave it out"},
    Row{"ODDUNSTR", CreateKeyword::kAlwaysSo, Form::kOffOnly, kUnstructured},
    Row{"BUFFERSIZE", CreateKeyword::kAlwaysSo, Form::kOffOnly, kUnstructured},
    Row{"NOPURGEUNTIL", CreateKeyword::kAlwaysSo, Form::kOffOnly, kLater},
    Row{"QUEUEFILE", CreateKeyword::kAlwaysSo, Form::kOffOnly, kLater},
    Row{"PHYSVOL", CreateKeyword::kAlwaysSo, Form::kOffOnly,
        "Quire has no virtual discs; leave it out"},
    Row{"ALTKEY", CreateKeyword::kAlwaysSo, Form::kOffOnly, kLater},
    Row{"ALTFILE", CreateKeyword::kAlwaysSo, Form::kOffOnly, kLater},
    Row{"PARTONLY", CreateKeyword::kAlwaysSo, Form::kOffOnly,
        "CREATE makes all partitions of a file or none; leave it out"},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kRows.size()> names;
  for (size_t i = 0; i < kRows.size(); ++i) names[i] = kRows[i].name;
  return names;
}();

constexpr std::string_view kAttribute = "attribute";
constexpr uint64_t kAnyNumber = std::numeric_limits<uint32_t>::max();

absl::StatusOr<ExtentText> ParseExtent(TokenCursor& cursor, std::string_view what) {
  static constexpr std::array<std::string_view, 8> kUnits = {
      "PAGE", "PAGES", "BYTE", "BYTES", "REC", "RECS", "MEGABYTE", "MEGABYTES"};
  absl::StatusOr<uint64_t> count = cursor.TakeNumber(what, 0, std::numeric_limits<uint64_t>::max());
  if (!count.ok()) return count.status();
  ExtentText extent{*count, ExtentUnit::kPages};
  if (cursor.Peek().kind == TokenKind::kWord) {
    // Singular and plural are one unit, so an abbreviation that fits both is not ambiguous.
    const std::string word = absl::AsciiStrToUpper(cursor.Peek().text);
    for (size_t i = 1; i < kUnits.size(); i += 2) {
      if (!kUnits[i].starts_with(word)) continue;
      cursor.Take();
      extent.unit = static_cast<ExtentUnit>(i / 2);
      return extent;
    }
    return FindKeyword("unit", word, kUnits).status();
  }
  return extent;
}

absl::Status ParseExtents(TokenCursor& cursor, CreateParameter& parameter) {
  const bool in_parentheses = cursor.TakeSymbol('(');
  absl::StatusOr<ExtentText> primary = ParseExtent(cursor, "the extent size");
  if (!primary.ok()) return primary.status();
  parameter.primary = parameter.secondary = *primary;
  if (!in_parentheses) return absl::OkStatus();
  if (cursor.TakeSymbol(',')) {
    absl::StatusOr<ExtentText> secondary = ParseExtent(cursor, "the secondary extent size");
    if (!secondary.ok()) return secondary.status();
    parameter.secondary = *secondary;
  }
  return cursor.ExpectSymbol(')');
}

// After "PART (": the rest up to ")". Extents are optional from the right; the secondary size is
// the primary's unless given.
absl::Status ParsePartition(TokenCursor& cursor, CreateParameter& parameter) {
  if (absl::Status s = cursor.ExpectSymbol('('); !s.ok()) return s;
  absl::StatusOr<uint64_t> number =
      cursor.TakeNumber("the number of PART", 1, kMaxPartitionsFormat2 - 1);
  if (!number.ok()) return number.status();
  parameter.number = static_cast<uint32_t>(*number);
  if (absl::Status s = cursor.ExpectSymbol(','); !s.ok()) return s;
  absl::StatusOr<std::string> volume = cursor.TakeWord("the volume of PART");
  if (!volume.ok()) return volume.status();
  parameter.name = *std::move(volume);
  if (cursor.TakeSymbol(',')) {
    absl::StatusOr<ExtentText> primary = ParseExtent(cursor, "the extent size of PART");
    if (!primary.ok()) return primary.status();
    parameter.primary = parameter.secondary = *primary;
  }
  if (cursor.TakeSymbol(',')) {
    absl::StatusOr<ExtentText> secondary = ParseExtent(cursor, "the secondary extent size of PART");
    if (!secondary.ok()) return secondary.status();
    parameter.secondary = *secondary;
  }
  if (cursor.TakeSymbol(',')) {
    absl::StatusOr<std::string> key = cursor.TakeBytes("the partial key");
    if (!key.ok()) return key.status();
    parameter.partial_key = *std::move(key);
  }
  return cursor.ExpectSymbol(')');
}

absl::Status ParseType(TokenCursor& cursor, CreateParameter& parameter) {
  static constexpr std::string_view kTypes = "UREK";  // by number, as Enscribe has them
  const Token& token = cursor.Take();
  if (token.kind == TokenKind::kNumber && token.number < kTypes.size()) {
    parameter.name = std::string(1, kTypes[token.number]);
  } else if (token.kind == TokenKind::kWord && token.text.size() == 1) {
    parameter.name = absl::AsciiStrToUpper(token.text);
  }
  if (parameter.name.empty() || kTypes.find(parameter.name) == std::string_view::npos) {
    return fup_errors::Expected("U, R, E, K or 0 to 3 for TYPE", TokenText(token));
  }
  if (parameter.name == "K") return absl::OkStatus();
  return fup_errors::AttributeNotBuilt(StrCat("TYPE ", parameter.name),
                                       "Quire has key-sequenced files only; use SET TYPE K");
}

absl::Status ParseValue(TokenCursor& cursor, const Row& row, CreateParameter& parameter) {
  switch (row.form) {
    case Form::kNumber: {
      absl::StatusOr<uint64_t> number = cursor.TakeNumber(row.name, 0, kAnyNumber);
      if (!number.ok()) return number.status();
      parameter.number = static_cast<uint32_t>(*number);
      return absl::OkStatus();
    }
    case Form::kType:
      return ParseType(cursor, parameter);
    case Form::kExtents:
      return ParseExtents(cursor, parameter);
    case Form::kPartition:
      return ParsePartition(cursor, parameter);
    case Form::kFile: {
      absl::StatusOr<std::string> name = cursor.TakeWord("a file name for LIKE");
      if (!name.ok()) return name.status();
      parameter.name = *std::move(name);
      return absl::OkStatus();
    }
    case Form::kLookaside: {
      const absl::StatusOr<Lookaside> lookaside = TakeLookaside(cursor);
      if (!lookaside.ok()) return lookaside.status();
      parameter.lookaside = *lookaside;
      return absl::OkStatus();
    }
    case Form::kFlag:
    case Form::kEither:
      return absl::OkStatus();
    case Form::kOffOnly:
      return fup_errors::AttributeNotBuilt(row.name, row.reason);
  }
  return absl::OkStatus();
}

absl::StatusOr<CreateParameter> ParseParameter(TokenCursor& cursor) {
  CreateParameter parameter;
  if (absl::AsciiStrToUpper(cursor.Peek().text) == "NO" &&
      cursor.Peek(1).kind == TokenKind::kWord) {
    cursor.Take();
    parameter.on = false;
  }
  const std::string written = cursor.Peek().text;
  absl::StatusOr<size_t> index = cursor.TakeKeyword(kAttribute, kNames);
  if (!index.ok()) return index.status();
  const Row& row = kRows[*index];
  parameter.keyword = row.keyword;
  if (parameter.on) {
    if (absl::Status s = ParseValue(cursor, row, parameter); !s.ok()) return s;
  } else if (row.form != Form::kFlag && row.form != Form::kEither && row.form != Form::kOffOnly) {
    return fup_errors::Expected("a flag after NO, e.g. NO BUFFERED", StrCat("\"", written, "\""));
  }
  return parameter;
}

uint64_t SaturatingMultiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<uint64_t>::max() : product;
}

uint64_t DivideUp(uint64_t a, uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

// Block header with LMDB's part of it, and the overhead of one record or index entry in a block:
// what makes a record of BLOCK - 56 bytes fit exactly (R-B1); index entries hold block and slot.
constexpr uint64_t kBlockOverheadBytes = 52;
constexpr uint64_t kRecordSlotBytes = 4;
constexpr uint64_t kIndexEntryBytes = 6;

uint64_t BlocksForRecords(uint64_t records, const RecordShape& shape) {
  if (shape.block_bytes <= kBlockOverheadBytes) return records;
  const uint64_t room = shape.block_bytes - kBlockOverheadBytes;
  const uint64_t per_block = std::max<uint64_t>(1, room / (shape.record_bytes + kRecordSlotBytes));
  const uint64_t fan_out = std::max<uint64_t>(2, room / (shape.key_length + kIndexEntryBytes));
  uint64_t level = DivideUp(records, per_block);
  uint64_t blocks = level;
  while (level > 1) {
    level = DivideUp(level, fan_out);
    blocks += level;
  }
  return blocks;
}

// Far above every legal size, so that the check at CREATE still sees it as too large, and far below
// where the sums of that check would overflow.
constexpr uint64_t kMostExtentPages = uint64_t{1} << 40;

}  // namespace

absl::StatusOr<Lookaside> TakeLookaside(TokenCursor& cursor) {
  static constexpr std::array<std::string_view, 3> kWords = {"OFF", "NOFREEZE", "FREEZE"};
  const absl::StatusOr<size_t> index = cursor.TakeKeyword("value of LOOKASIDE", kWords);
  if (!index.ok()) return index.status();
  return static_cast<Lookaside>(*index);
}

absl::StatusOr<std::vector<CreateParameter>> ParseCreateParameters(TokenCursor& cursor) {
  std::vector<CreateParameter> parameters;
  do {
    absl::StatusOr<CreateParameter> parameter = ParseParameter(cursor);
    if (!parameter.ok()) return parameter.status();
    parameters.push_back(*std::move(parameter));
  } while (cursor.TakeSymbol(','));
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return parameters;
}

absl::StatusOr<std::vector<CreateKeyword>> ParseCreateKeywords(TokenCursor& cursor) {
  std::vector<CreateKeyword> keywords;
  if (cursor.AtEnd()) return keywords;
  do {
    absl::StatusOr<size_t> index = cursor.TakeKeyword(kAttribute, kNames);
    if (!index.ok()) return index.status();
    keywords.push_back(kRows[*index].keyword);
  } while (cursor.TakeSymbol(','));
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return keywords;
}

uint64_t ExtentPages(const ExtentText& extent, const RecordShape& shape) {
  constexpr uint64_t kMegabyte = 1000000;  // as FUP counts them
  uint64_t pages = extent.count;
  switch (extent.unit) {
    case ExtentUnit::kPages:
      break;
    case ExtentUnit::kBytes:
      pages = DivideUp(extent.count, kPageBytes);
      break;
    case ExtentUnit::kMegabytes:
      pages = DivideUp(SaturatingMultiply(extent.count, kMegabyte), kPageBytes);
      break;
    case ExtentUnit::kRecords:
      pages = DivideUp(SaturatingMultiply(BlocksForRecords(extent.count, shape), shape.block_bytes),
                       kPageBytes);
      break;
  }
  return std::clamp<uint64_t>(pages, 1, kMostExtentPages);
}

}  // namespace quire
