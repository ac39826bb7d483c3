#include "client/filesystem/batch_cut.h"

#include <utility>

#include "client/filesystem/errors.h"

namespace quire {

std::optional<size_t> FindSequence(const OperationBatch& batch, uint64_t sequence) {
  for (size_t i = 0; i < batch.size(); ++i) {
    if (batch.SequenceOf(i) == sequence) return i;
  }
  return std::nullopt;
}

OperationBatch WithoutOperations(const OperationBatch& batch) {
  OperationBatch rest;
  rest.first_sequence = batch.first_sequence;
  rest.acked_through = batch.acked_through;
  rest.stop_on_error = batch.stop_on_error;
  rest.lock_timeout_ms = batch.lock_timeout_ms;
  rest.position = batch.position;
  return rest;
}

void AddNumbered(const OperationBatch& from, size_t i, OperationBatch* to) {
  to->Add(from[i]);
  to->sequence_offsets.push_back(static_cast<uint32_t>(from.SequenceOf(i) - from.first_sequence));
}

OperationBatch WithoutOperation(const OperationBatch& batch, size_t index) {
  OperationBatch rest = WithoutOperations(batch);
  for (size_t i = 0; i < batch.size(); ++i) {
    if (i != index) AddNumbered(batch, i, &rest);
  }
  return rest;
}

BatchResult RestoreCut(BatchResult result, const std::vector<uint32_t>& places, size_t operations) {
  std::vector<OperationResult> all(operations);
  for (OperationResult& one : all) one.status = filesystem_errors::Cancelled();
  for (size_t i = 0; i < places.size() && i < result.results.size(); ++i) {
    all[places[i]] = std::move(result.results[i]);
  }
  result.results = std::move(all);
  return result;
}

}  // namespace quire
