#include "server/volume/execute_batch.h"

#include "server/volume/errors.h"

namespace quire {
namespace {

// Blocks a change may touch beside the index path: bitmap and a new one, up to three data blocks,
// the neighbour; and per level the old and the new index block, and a new root.
constexpr uint32_t kBlocksOfChange = 8;
constexpr uint32_t kBlocksPerLevel = 2;

absl::Status CheckAccess(const OpenEntry& open, OperationKind kind) {
  if (Changes(kind)) {
    if (open.access == AccessMode::kRead) return volume_error::ReadOnlyOpen(open.name);
  } else if (open.access == AccessMode::kWrite) {
    return volume_error::WriteOnlyOpen(open.name);
  }
  return absl::OkStatus();
}

void CountOnAll(VolumeState& state, OpenEntry& open, const BlockCalls& calls) {
  open.CountCalls(calls);
  state.disc.AddCalls(calls);
  open.Count(Counter::kRequests);
  state.disc.Add(Counter::kRequests);
}

}  // namespace

OperationResult ExecuteOperation(VolumeState& state, DiscProcess& process, Request& request,
                                 OpenEntry& open, const Operation& operation, std::string* data) {
  FileEntry& entry = *open.entry;
  BlockCalls calls;
  OperationResult result;
  const bool changes = Changes(operation.kind);
  result.status = CheckAccess(open, operation.kind);
  if (result.status.ok() && changes) {
    const uint32_t blocks = kBlocksOfChange + kBlocksPerLevel * entry.label().tree.index_levels;
    result.status = process.EnsureRoom(entry, blocks, operation.kind == OperationKind::kDelete);
  }
  if (result.status.ok()) {
    result = entry.file.Execute(operation, state.NowMicros(), calls, data);
    if (changes && result.status.ok()) process.NoteChange(entry, request);
  }
  CountOnAll(state, open, calls);
  return result;
}

void ExecuteBatch(VolumeState& state, DiscProcess& process, Request& request, OpenEntry& open,
                  const OperationBatch& batch, BatchResult* result) {
  result->first_sequence = batch.first_sequence;
  result->results.reserve(batch.size());
  bool stopped = false;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (stopped) {
      result->results.push_back(OperationResult{volume_error::NotExecuted()});
      continue;
    }
    result->results.push_back(
        ExecuteOperation(state, process, request, open, batch[i], &result->data));
    stopped = batch.stop_on_error && !result->results.back().status.ok();
  }
  open.last_use_us = state.NowMicros();
  result->epoch = state.epoch;
  result->change_sequence = state.change_sequence;
  // A refusal may rest on a change that is not durable yet, as a read may.
  process.WaitForFile(*open.entry, request);
}

BatchResult SameForAll(const OperationBatch& batch, const absl::Status& status) {
  BatchResult result;
  result.first_sequence = batch.first_sequence;
  result.results.assign(batch.size(), OperationResult{status});
  return result;
}

absl::Status ExecuteScan(VolumeState& state, OpenEntry& open,
                         absl::FunctionRef<absl::Status(BlockCalls&)> fill) {
  BlockCalls calls;
  absl::Status status = CheckAccess(open, OperationKind::kRead);
  if (status.ok()) status = fill(calls);
  CountOnAll(state, open, calls);
  open.last_use_us = state.NowMicros();
  return status;
}

}  // namespace quire
