// What a kAnswers record of the audit trail holds: results of one open's mutations of one file, by
// sync id, since the last such record of that open (R-D10). The file id stands in the record's
// header. The live table in the meta database (saved_answers_meta) is a list of the same.
//
// Payload, little-endian (bytes.h)
//   1 byte   version, 1
//   1 byte   flags: 1 the open is one of single calls
//   8 bytes  open (OpenKey::id)
//   8 bytes  acked through: answers up to here may be forgotten
//   4 bytes  count of runs, then each: 8 bytes first, 8 bytes last sequence, all answered OK
//   4 bytes  count of others, then each: 8 bytes sequence, 4 bytes error number (int32), 1 byte
//            retry advice, 4 bytes warning number, string message (4-byte length)
//
// Mutations of an audited file that succeeded stand in their redo records instead.
#ifndef QUIRE_SERVER_VOLUME_ANSWER_RECORD_H_
#define QUIRE_SERVER_VOLUME_ANSWER_RECORD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/error.h"
#include "server/volume/open_key.h"

namespace quire {

struct AnswerRecord {
  struct Run {
    uint64_t first = 0;
    uint64_t last = 0;
  };
  struct Other {
    uint64_t sequence = 0;
    absl::Status status;
    ErrorNumber warning = ErrorNumber::kOk;
  };

  OpenKey open;
  uint64_t acked_through = 0;
  std::vector<Run> runs;
  std::vector<Other> others;
};

std::string EncodeAnswers(const AnswerRecord& answers);
absl::StatusOr<AnswerRecord> DecodeAnswers(std::string_view bytes);  // 59

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_ANSWER_RECORD_H_
