#include "server/volume/redo_record.h"

#include "server/base/bytes.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

enum RedoFlag : uint8_t { kImplicit = 1 };

namespace redo_offset {
constexpr size_t kKind = 0;
constexpr size_t kFlags = 1;
constexpr size_t kReserved = 2;
constexpr size_t kReservedBytes = 6;
constexpr size_t kTime = 8;
constexpr size_t kOpen = 16;
constexpr size_t kSequence = 24;
}  // namespace redo_offset

bool IsRedone(OperationKind kind) {
  return kind == OperationKind::kWrite || kind == OperationKind::kUpdate ||
         kind == OperationKind::kDelete;
}

std::string_view Content(const Operation& operation) {
  return HasRecord(operation.kind) ? operation.record : operation.key;
}

absl::Status Bad() {
  return volume_error::BadStore("a redo record of the audit trail does not decode");
}

}  // namespace

size_t RedoBytes(const Operation& operation) {
  return kRedoHeaderBytes + Content(operation).size();
}

void EncodeRedo(const RedoRecord& redo, std::string* bytes) {
  bytes->assign(kRedoHeaderBytes, '\0');
  char* const to = bytes->data();
  StoreLittle(to + redo_offset::kKind, static_cast<uint8_t>(redo.operation.kind));
  StoreLittle(to + redo_offset::kFlags, static_cast<uint8_t>(redo.open.implicit ? kImplicit : 0));
  StoreLittle(to + redo_offset::kTime, static_cast<uint64_t>(redo.time_us));
  StoreLittle(to + redo_offset::kOpen, redo.open.id);
  StoreLittle(to + redo_offset::kSequence, redo.sequence);
  bytes->append(Content(redo.operation));
}

absl::StatusOr<RedoRecord> DecodeRedo(std::string_view bytes) {
  if (bytes.size() < kRedoHeaderBytes) return Bad();
  const char* const from = bytes.data();
  RedoRecord redo;
  redo.operation.kind = static_cast<OperationKind>(LoadLittle<uint8_t>(from + redo_offset::kKind));
  const auto flags = LoadLittle<uint8_t>(from + redo_offset::kFlags);
  const std::string_view reserved =
      bytes.substr(redo_offset::kReserved, redo_offset::kReservedBytes);
  if (!IsRedone(redo.operation.kind) || flags > kImplicit ||
      reserved.find_first_not_of('\0') != std::string_view::npos) {
    return Bad();
  }
  redo.time_us = static_cast<int64_t>(LoadLittle<uint64_t>(from + redo_offset::kTime));
  redo.open = {LoadLittle<uint64_t>(from + redo_offset::kOpen), flags == kImplicit};
  redo.sequence = LoadLittle<uint64_t>(from + redo_offset::kSequence);
  const std::string_view rest = bytes.substr(kRedoHeaderBytes);
  (HasRecord(redo.operation.kind) ? redo.operation.record : redo.operation.key) = rest;
  return redo;
}

}  // namespace quire
