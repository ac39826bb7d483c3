// Commands that change a label, as they stand in the audit trail (kCommand records): idempotent,
// each with its time, logged for every file whatever its mode (R-D1).
//
//   CREATE  the whole label          replay: the file exists with exactly this label
//   PURGE   nothing                  replay: the file is gone, its blocks are being freed
//   ALTER   the whole label's attributes and flags, no structural state
#ifndef QUIRE_SERVER_VOLUME_COMMAND_H_
#define QUIRE_SERVER_VOLUME_COMMAND_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/keyseq/file_label.h"

namespace quire {

// Values are on disc and never reused.
enum class CommandKind : uint8_t { kCreate = 1, kPurge = 2, kAlter = 3 };

struct Command {
  CommandKind kind = CommandKind::kCreate;
  int64_t time_us = 0;
  FileLabel label;  // kPurge: only id is meant
};

std::string EncodeCommand(const Command& command);
absl::StatusOr<Command> DecodeCommand(std::string_view bytes);  // 59

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_COMMAND_H_
