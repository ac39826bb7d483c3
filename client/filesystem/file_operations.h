// The operations behind the calls of a File.
#ifndef QUIRE_CLIENT_FILESYSTEM_FILE_OPERATIONS_H_
#define QUIRE_CLIENT_FILESYSTEM_FILE_OPERATIONS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "quire/filesystem.h"
#include "quire/operation.h"

namespace quire {

inline Operation OfKind(OperationKind kind) {
  Operation operation;
  operation.kind = kind;
  return operation;
}

inline Operation Locking(OperationKind kind) {
  Operation operation = OfKind(kind);
  operation.lock = true;
  return operation;
}

inline Operation Change(OperationKind kind, std::string_view record) {
  Operation operation = OfKind(kind);
  operation.record = record;
  return operation;
}

inline Operation ByKey(OperationKind kind, std::string_view key) {
  Operation operation = OfKind(kind);
  operation.key = key;
  return operation;
}

// What it takes of a batch.
inline size_t BytesOf(const Operation& operation) {
  return HasRecord(operation.kind) ? operation.record.size() : operation.key.size();
}

// WRITEUPDATE: an empty record deletes (R-S7).
inline Operation ChangeCurrent(std::string_view record, bool unlock) {
  Operation operation = record.empty() ? OfKind(OperationKind::kDeleteCurrent)
                                       : Change(OperationKind::kWriteUpdate, record);
  operation.unlock = unlock;
  return operation;
}

// A mode that does not exist stays one that does not (22).
inline ReadMode ReadModeOf(PositioningMode mode) {
  switch (mode) {
    case PositioningMode::kApproximate:
      return ReadMode::kApproximate;
    case PositioningMode::kGeneric:
      return ReadMode::kGeneric;
    case PositioningMode::kExact:
      return ReadMode::kByKey;
  }
  return static_cast<ReadMode>(UINT8_MAX);
}

// KEYPOSITION.
inline Operation SettingOf(const KeyPosition& position) {
  Operation operation = ByKey(OperationKind::kSetPosition, position.key);
  operation.mode = ReadModeOf(position.mode);
  operation.reverse = position.reverse;
  operation.skip_exact = position.skip_exact;
  operation.last_of_set = position.last_of_set;
  operation.compare_length = position.compare_length;
  operation.key_specifier = position.key_specifier;
  return operation;
}

inline bool MovesPosition(OperationKind kind) {
  return kind == OperationKind::kSetPosition || kind == OperationKind::kReadNext ||
         kind == OperationKind::kRestorePosition;
}

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_FILE_OPERATIONS_H_
