#include "client/filesystem/batch_plan.h"

#include <algorithm>
#include <utility>

#include "client/filesystem/batch_cut.h"
#include "quire/key_range.h"

namespace quire {
namespace {

// The partitions that may hold keys of the range.
PartitionWalk WalkOfRange(const FileAttributes& attributes, const KeyRange& range, bool reverse) {
  PartitionWalk walk;
  walk.first = PartitionOfKey(attributes, range.start);
  walk.last = walk.first;
  while (walk.last < attributes.partitions.size() &&
         (range.limit.empty() || attributes.partitions[walk.last].partial_key < range.limit)) {
    ++walk.last;
  }
  if (reverse) std::swap(walk.first, walk.last);
  return walk;
}

StepKind KindOf(const Operation& operation) {
  if (UsesPosition(operation)) return StepKind::kPosition;
  return IsForWholeFile(operation.kind) ? StepKind::kWholeFile : StepKind::kByKey;
}

// Steps of a batch that does not go to one partition whole.
class Planner {
 public:
  Planner(const FileAttributes& attributes, const OperationBatch& batch)
      : attributes_(attributes), batch_(batch) {}

  std::vector<PlanStep> Plan() {
    for (uint32_t place = 0; place < batch_.size(); ++place) {
      const Operation operation = batch_[place];
      const StepKind kind = KindOf(operation);
      const PartitionWalk walk =
          kind == StepKind::kByKey ? WalkOf(attributes_, operation) : PartitionWalk();
      PlanStep& step = StepFor(kind, walk);
      PlanPart& part = PartOf(step, walk.first);
      AddNumbered(batch_, place, &part.operations);
      part.places.push_back(place);
    }
    return std::move(steps_);
  }

 private:
  PlanStep& StepFor(StepKind kind, const PartitionWalk& walk) {
    const bool by_itself = kind != StepKind::kByKey || walk.CrossesBorder();
    if (!steps_.empty() && !by_itself) {
      PlanStep& last = steps_.back();
      const bool joins = last.kind == StepKind::kByKey && !last.walk.CrossesBorder();
      const bool same_partition = last.parts.back().partition == walk.first;
      if (joins && (!batch_.stop_on_error || same_partition)) return last;
    }
    PlanStep& step = steps_.emplace_back();
    step.kind = kind;
    step.walk = walk;
    step.alone = by_itself || batch_.stop_on_error;
    return step;
  }

  PlanPart& PartOf(PlanStep& step, uint32_t partition) {
    for (PlanPart& part : step.parts) {
      if (part.partition == partition) return part;
    }
    PlanPart& part = step.parts.emplace_back();
    part.partition = partition;
    part.operations = WithoutOperations(batch_);
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
    if (KindOf(batch[i]) != StepKind::kByKey) return false;
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
    return WalkOfRange(attributes, KeyRange::Prefix(operation.key), operation.reverse);
  }
  PartitionWalk walk;
  walk.first = PartitionOfKey(attributes, KeyOf(attributes, operation));
  walk.last = walk.first;
  if (positions) {
    walk.last = operation.reverse ? 0 : static_cast<uint32_t>(attributes.partitions.size());
  }
  return walk;
}

PartitionWalk WalkOfPosition(const FileAttributes& attributes, const Position& position,
                             OperationKind kind) {
  if (kind == OperationKind::kReadNext) {
    const Subset subset = SubsetFrom(position, attributes);
    if (!subset.empty) return WalkOfRange(attributes, subset.range, subset.reverse);
  }
  const uint32_t partition = PartitionOfKey(attributes, position.key);
  return PartitionWalk{partition, partition};
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
