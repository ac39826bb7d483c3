#include "server/volume/command.h"

#include "server/base/bytes.h"
#include "server/volume/errors.h"

namespace quire {

std::string EncodeCommand(const Command& command) {
  std::string bytes;
  ByteWriter writer(&bytes);
  writer.Put(static_cast<uint8_t>(command.kind));
  writer.Put(static_cast<uint64_t>(command.time_us));
  writer.PutString(EncodeLabel(command.label));
  return bytes;
}

absl::StatusOr<Command> DecodeCommand(std::string_view bytes) {
  ByteReader reader(bytes);
  Command command;
  const auto kind = reader.Get<uint8_t>();
  command.time_us = static_cast<int64_t>(reader.Get<uint64_t>());
  const std::string_view label_bytes = reader.GetString();
  if (!reader.ok() || !reader.at_end() || kind < static_cast<uint8_t>(CommandKind::kCreate) ||
      kind > static_cast<uint8_t>(CommandKind::kAlter)) {
    return volume_error::BadStore("a command record of the audit trail does not decode");
  }
  command.kind = static_cast<CommandKind>(kind);
  absl::StatusOr<FileLabel> label = DecodeLabel(label_bytes);
  if (!label.ok()) return label.status();
  command.label = *std::move(label);
  return command;
}

}  // namespace quire
