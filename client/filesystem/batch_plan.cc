#include "client/filesystem/batch_plan.h"

#include <algorithm>
#include <utility>

#include "quire/key_range.h"

namespace quire {
namespace {

PartitionWalk GenericWalk(const FileAttributes& attributes, std::string_view prefix, bool reverse) {
  PartitionWalk walk;
  walk.first = PartitionOfKey(attributes, prefix);
  walk.last = walk.first;
  // Later partitions that begin below the prefix's limit may hold its keys too.
  const std::string limit = PrefixLimit(prefix);
  while (walk.last < attributes.partitions.size() &&
         (limit.empty() || attributes.partitions[walk.last].partial_key < limit)) {
    ++walk.last;
  }
  if (reverse) std::swap(walk.first, walk.last);
  return walk;
}

// Steps of a batch that does not go to one partition whole.
class Planner {
 public:
  Planner(const FileAttributes& attributes, const OperationBatch& batch)
      : attributes_(attributes), batch_(batch) {}

  std::vector<PlanStep> Plan() {
    for (uint32_t place = 0; place < batch_.size(); ++place) {
      const Operation operation = batch_[place];
      const PartitionWalk walk = WalkOf(attributes_, operation);
      PlanStep& step = StepFor(walk);
      PlanPart& part = PartOf(step, walk.first);
      part.operations.Add(operation);
      part.places.push_back(place);
    }
    return std::move(steps_);
  }

 private:
  PlanStep& StepFor(const PartitionWalk& walk) {
    if (!steps_.empty() && !walk.CrossesBorder()) {
      PlanStep& last = steps_.back();
      const bool same_partition = last.parts.back().partition == walk.first;
      if (!last.walk.CrossesBorder() && (!batch_.stop_on_error || same_partition)) return last;
    }
    PlanStep& step = steps_.emplace_back();
    step.walk = walk;
    step.alone = walk.CrossesBorder() || batch_.stop_on_error;
    return step;
  }

  PlanPart& PartOf(PlanStep& step, uint32_t partition) {
    for (PlanPart& part : step.parts) {
      if (part.partition == partition) return part;
    }
    PlanPart& part = step.parts.emplace_back();
    part.partition = partition;
    part.operations.stop_on_error = batch_.stop_on_error;
    return part;
  }

  const FileAttributes& attributes_;
  const OperationBatch& batch_;
  std::vector<PlanStep> steps_;
};

bool GoesToOnePartition(const FileAttributes& attributes, const OperationBatch& batch,
                        uint32_t* partition) {
  *partition = 0;
  if (attributes.partitions.empty()) return true;
  for (size_t i = 0; i < batch.size(); ++i) {
    const PartitionWalk walk = WalkOf(attributes, batch[i]);
    if (walk.CrossesBorder() || (i > 0 && walk.first != *partition)) return false;
    *partition = walk.first;
  }
  return true;
}

}  // namespace

std::string_view KeyOf(const FileAttributes& attributes, const Operation& operation) {
  if (operation.kind != OperationKind::kWrite && operation.kind != OperationKind::kUpdate) {
    return operation.key;
  }
  if (operation.record.size() <= attributes.key_offset) return {};
  return operation.record.substr(attributes.key_offset, attributes.key_length);
}

PartitionWalk WalkOf(const FileAttributes& attributes, const Operation& operation) {
  const bool positions =
      operation.kind == OperationKind::kRead && operation.mode != ReadMode::kByKey;
  if (positions && operation.mode == ReadMode::kGeneric) {
    return GenericWalk(attributes, operation.key, operation.reverse);
  }
  PartitionWalk walk;
  walk.first = PartitionOfKey(attributes, KeyOf(attributes, operation));
  walk.last = walk.first;
  if (positions) {
    walk.last = operation.reverse ? 0 : static_cast<uint32_t>(attributes.partitions.size());
  }
  return walk;
}

std::vector<PlanStep> PlanBatch(const FileAttributes& attributes, OperationBatch batch) {
  if (batch.empty()) return {};
  uint32_t partition = 0;
  if (!GoesToOnePartition(attributes, batch, &partition)) {
    return Planner(attributes, batch).Plan();
  }
  std::vector<PlanStep> steps(1);
  steps[0].walk = PartitionWalk{partition, partition};
  steps[0].parts.resize(1);
  steps[0].parts[0].partition = partition;
  steps[0].parts[0].operations = std::move(batch);
  return steps;
}

}  // namespace quire
