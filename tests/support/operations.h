// Operations as tests write them.
#ifndef QUIRE_TESTS_SUPPORT_OPERATIONS_H_
#define QUIRE_TESTS_SUPPORT_OPERATIONS_H_

#include <string_view>

#include "quire/operation.h"

namespace quire::test {

// `key` must outlive the operation.
inline Operation Keyed(OperationKind kind, std::string_view key = {}) {
  Operation operation;
  operation.kind = kind;
  operation.key = key;
  return operation;
}

// `record` must outlive the operation.
inline Operation WithRecord(OperationKind kind, std::string_view record) {
  Operation operation;
  operation.kind = kind;
  operation.record = record;
  return operation;
}

}  // namespace quire::test

#endif  // QUIRE_TESTS_SUPPORT_OPERATIONS_H_
