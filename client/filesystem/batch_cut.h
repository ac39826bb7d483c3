// Taking an operation out of a batch: what Cancel does to one that has not been sent.
#ifndef QUIRE_CLIENT_FILESYSTEM_BATCH_CUT_H_
#define QUIRE_CLIENT_FILESYSTEM_BATCH_CUT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quire/operation.h"

namespace quire {

// The operation of `batch` with this sequence.
std::optional<size_t> FindSequence(const OperationBatch& batch, uint64_t sequence);

// Everything about `batch` but its operations: numbers, acknowledgement, stop_on_error, time-out,
// position. With sequence_offsets empty.
OperationBatch WithoutOperations(const OperationBatch& batch);

// Adds operation `i` of `from` to `to`, made by WithoutOperations, with the number it had.
void AddNumbered(const OperationBatch& from, size_t i, OperationBatch* to);

// `batch` without operation `index`; the others keep their numbers.
OperationBatch WithoutOperation(const OperationBatch& batch, size_t index);

// Puts results of a cut batch back into the places that its operations had: result i becomes the
// one at places[i] of `operations`, the others get 40 (cancelled).
BatchResult RestoreCut(BatchResult result, const std::vector<uint32_t>& places, size_t operations);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_BATCH_CUT_H_
