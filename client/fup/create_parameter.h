// The parameters that SET, CREATE, SHOW and RESET share: their names, and their text taken apart.
#ifndef QUIRE_CLIENT_FUP_CREATE_PARAMETER_H_
#define QUIRE_CLIENT_FUP_CREATE_PARAMETER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/fup/token_cursor.h"
#include "quire/attributes.h"

namespace quire {

// Those that Quire has. Names of the others are known too, and refused with a sentence.
enum class CreateKeyword : uint8_t {
  kType,
  kFormat,
  kCode,
  kExt,
  kMaxExtents,
  kRec,
  kBlock,
  kIblock,
  kKeyLen,
  kKeyOff,
  kLockLength,
  kPart,
  kLike,
  kBuffered,
  kAudit,
  kLookaside,
  kAlwaysSo,  // a default of Quire's said aloud: REFRESH, NO COMPRESS, …
};

enum class ExtentUnit : uint8_t { kPages, kBytes, kRecords, kMegabytes };

// An extent size as written. What RECS means depends on the attributes when it is applied.
struct ExtentText {
  uint64_t count = 1;
  ExtentUnit unit = ExtentUnit::kPages;

  bool operator==(const ExtentText&) const = default;
};

struct CreateParameter {
  CreateKeyword keyword = CreateKeyword::kAlwaysSo;
  bool on = true;                         // false: written with NO
  uint32_t number = 0;                    // the value; of PART: the partition's number
  std::string name;                       // LIKE: the file; PART: the volume; TYPE: the letter
  Lookaside lookaside = Lookaside::kOff;  // of LOOKASIDE
  ExtentText primary;                     // EXT, PART
  ExtentText secondary;
  std::string partial_key;  // PART; empty: not given
};

// `param [, param]…` up to the end of the command.
absl::StatusOr<std::vector<CreateParameter>> ParseCreateParameters(TokenCursor& cursor);

// The word behind LOOKASIDE: OFF, NOFREEZE or FREEZE.
absl::StatusOr<Lookaside> TakeLookaside(TokenCursor& cursor);

// `[name [, name]…]` for SHOW and RESET, e.g. "KEYLEN, PART".
absl::StatusOr<std::vector<CreateKeyword>> ParseCreateKeywords(TokenCursor& cursor);

// What RECS needs to know: the attributes as they are set when an extent size is applied.
struct RecordShape {
  uint32_t record_bytes = 0;
  uint32_t block_bytes = 0;
  uint32_t key_length = 0;
};
// Pages of an extent: rounded up to a full page, at least one, at most 2^40 (which CREATE refuses).
// RECS counts the data blocks the records fill and the index blocks above them.
uint64_t ExtentPages(const ExtentText& extent, const RecordShape& shape);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_CREATE_PARAMETER_H_
