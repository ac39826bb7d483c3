// What a kRedo record of the audit trail holds: one operation of an audited file that succeeded, by
// absolute key, with its time and sync id (R-D11). Executing it again on the file as it was before
// gives the same blocks; the file id stands in the record's header.
//
// Payload
//   offset size field
//        0    1 operation      OperationKind: 1 write, 3 update, 4 delete
//        1    1 flags          1: the open is one of single calls (OpenKey::implicit)
//        2    6 reserved       zero
//        8    8 time           wall clock, us since 1970: becomes the modification time
//       16    8 open           OpenKey::id; 0: nobody repeats it
//       24    8 sequence       sync id; 0: nobody repeats it
//       32      key (delete) or record (write, update), to the end
#ifndef QUIRE_SERVER_VOLUME_REDO_RECORD_H_
#define QUIRE_SERVER_VOLUME_REDO_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "quire/operation.h"
#include "server/volume/open_key.h"

namespace quire {

inline constexpr uint32_t kRedoHeaderBytes = 32;

struct RedoRecord {
  Operation operation;  // kind, and key or record: views into the payload
  int64_t time_us = 0;
  OpenKey open;
  uint64_t sequence = 0;
};

// Of the payload that stands for `operation`.
size_t RedoBytes(const Operation& operation);
// Replaces `bytes`, keeping its memory.
void EncodeRedo(const RedoRecord& redo, std::string* bytes);
// Views into `bytes`. 59 when it is none.
absl::StatusOr<RedoRecord> DecodeRedo(std::string_view bytes);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_REDO_RECORD_H_
