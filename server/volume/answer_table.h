// The live table of saved answers that a control point keeps in the meta database under
// meta_key::kSavedAnswers (R-D10): everything executed before its cut, so that the trail tells only
// what came after.
//
// Value, little-endian (bytes.h)
//   1 byte   version, 1
//   8 bytes  floor (recovered_answers.h): opens last here in an earlier epoch and not listed have
//            been forgotten
//   4 bytes  count of entries, then each:
//            8 bytes file id
//            8 bytes epoch from which on it is complete (RecoveredAnswers::Entry)
//            string  answer record (answer_record.h), with a 4-byte length
//
// Listed are the opens that keep answers, sessions also when they have none, and those of earlier
// epochs that have not come back yet. For BUFFERED files too: a control point holds their changes
// up to its cut, and so their answers.
#ifndef QUIRE_SERVER_VOLUME_ANSWER_TABLE_H_
#define QUIRE_SERVER_VOLUME_ANSWER_TABLE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "server/volume/open_table.h"
#include "server/volume/recovered_answers.h"

namespace quire {

// In the role, at the cut; or while recovering, without opens.
std::string EncodeAnswerTable(const OpenTable& opens, const RecoveredAnswers& recovered);
// Fills an empty `recovered`. 59 for bytes that are no such value.
absl::Status DecodeAnswerTable(std::string_view bytes, RecoveredAnswers* recovered);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_ANSWER_TABLE_H_
