#include <algorithm>
#include <iterator>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/unit/filesystem/fake_volume.h"

namespace quire::testing {

// Records and single calls of FakeVolume.

OperationResult FakeVolume::ExecuteOne(Disc& disc, const Operation& operation, std::string* data) {
  OperationResult result;
  const FileAttributes& attributes = disc.info.attributes;
  auto& records = disc.records;
  const bool writes =
      operation.kind == OperationKind::kWrite || operation.kind == OperationKind::kUpdate;
  if (writes && operation.record.size() < attributes.key_offset + attributes.key_length) {
    result.status = MakeError(ErrorNumber::kIllegalCount, "the record is too short");
    return result;
  }
  const std::string key(writes
                            ? operation.record.substr(attributes.key_offset, attributes.key_length)
                            : operation.key);
  auto found = records.find(key);
  switch (operation.kind) {
    case OperationKind::kWrite:
      if (found != records.end()) {
        result.status = MakeError(ErrorNumber::kAlreadyExists, "the key exists");
      } else {
        records.emplace(key, operation.record);
      }
      return result;
    case OperationKind::kUpdate:
    case OperationKind::kDelete:
      if (found == records.end()) {
        result.status = MakeError(ErrorNumber::kNotFound, "no such record");
      } else if (operation.kind == OperationKind::kDelete) {
        records.erase(found);
      } else {
        found->second = std::string(operation.record);
      }
      return result;
    default:
      break;
  }
  if (operation.mode != ReadMode::kByKey) {
    const KeyRange range = operation.mode == ReadMode::kGeneric ? KeyRange::Prefix(key)
                           : operation.reverse ? KeyRange{"", key + std::string(1, '\0')}
                                               : KeyRange{key, ""};
    const auto first = records.lower_bound(range.start);
    const auto limit = range.limit.empty() ? records.end() : records.lower_bound(range.limit);
    found = first == limit ? records.end() : operation.reverse ? std::prev(limit) : first;
  }
  if (found == records.end()) {
    result.status = operation.mode == ReadMode::kByKey
                        ? MakeError(ErrorNumber::kNotFound, "no such record")
                        : MakeError(ErrorNumber::kEndOfFile, "no record in this partition");
    return result;
  }
  result.offset = static_cast<uint32_t>(data->size());
  result.length = static_cast<uint32_t>(found->second.size());
  data->append(found->second);
  return result;
}

BatchResult FakeVolume::ExecuteBatch(const FileReference& file, const OperationBatch& batch) {
  BatchResult result;
  result.first_sequence = batch.first_sequence;
  result.epoch = epoch_;
  const absl::StatusOr<Disc*> disc = Find(file);
  bool stopped = false;
  for (size_t i = 0; i < batch.size(); ++i) {
    OperationResult one;
    if (stopped) {
      one.status = MakeError(ErrorNumber::kBadParameter, "not executed");
    } else if (disc.ok()) {
      one = ExecuteOne(**disc, batch[i], &result.data);
    } else {
      one.status = disc.status();
    }
    stopped = stopped || (batch.stop_on_error && !one.status.ok());
    result.results.push_back(std::move(one));
  }
  return result;
}

void FakeVolume::Execute(UnaryRequest request, Done<BatchResult> done) {
  const Failure failure = Enter("Execute");
  Run([this, failure, request = std::move(request), done = std::move(done)]() mutable {
    if (!failure.status.ok() && !failure.lost_answer) {
      std::move(done)(failure.status);
      return;
    }
    absl::StatusOr<BatchResult> result;
    {
      MutexLock lock(&mutex_);
      const std::pair<uint64_t, uint64_t> id(request.file.client_id,
                                             request.operation.first_sequence);
      const bool numbered = id.first != 0 && id.second != 0 && request.operation.changes();
      const auto saved = unary_answers_.find(id);
      if (numbered && saved != unary_answers_.end()) {
        result = saved->second;
      } else {
        result = ExecuteBatch(request.file, request.operation);
        if (numbered) unary_answers_[id] = *result;
        if (numbered) ++executions_[id.second];
      }
    }
    if (!failure.status.ok()) result = failure.status;
    std::move(done)(std::move(result));
  });
}

}  // namespace quire::testing
