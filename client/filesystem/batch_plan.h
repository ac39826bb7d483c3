// How a batch of operations is carried out over the partitions of a file: the one place where keys
// become partitions. Pure functions; any thread.
#ifndef QUIRE_CLIENT_FILESYSTEM_BATCH_PLAN_H_
#define QUIRE_CLIENT_FILESYSTEM_BATCH_PLAN_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "quire/attributes.h"
#include "quire/key_range.h"
#include "quire/operation.h"
#include "quire/position.h"

namespace quire {

// The partitions that may hold what an operation is after, in the order in which they are tried:
// the first with a record answers. Operations by key have one, generic and approximate reads may
// have more, downwards when last < first.
struct PartitionWalk {
  uint32_t first = 0;
  uint32_t last = 0;

  bool CrossesBorder() const { return first != last; }
  // The partition tried after `partition`, which is not the last.
  uint32_t After(uint32_t partition) const { return last < first ? partition - 1 : partition + 1; }

  bool operator==(const PartitionWalk&) const = default;
};

// Key of an operation: for WRITE and UPDATE the key field of the record. A record too short for one
// has the key it has; its partition then refuses it (21).
std::string_view KeyOf(const FileAttributes& attributes, const Operation& operation);
// Of an operation that neither uses the position nor concerns the whole file.
PartitionWalk WalkOf(const FileAttributes& attributes, const Operation& operation);
// Of one that uses it: READ walks the partitions of its subset, the others have the one of the
// current key.
PartitionWalk WalkOfPosition(const FileAttributes& attributes, const Position& position,
                             OperationKind kind);

// What goes to one partition at once.
struct PlanPart {
  uint32_t partition = 0;
  OperationBatch operations;
  // Places of the operations in the whole batch. Empty: this is the whole batch, in order.
  std::vector<uint32_t> places;
};

enum class StepKind : uint8_t {
  kByKey,      // the partitions are known from the keys
  kPosition,   // one operation that uses or sets the position: decided in its turn
  kWholeFile,  // one operation for all partitions, one after the other
};

// Parts that may run side by side, each on another partition.
struct PlanStep {
  StepKind kind = StepKind::kByKey;
  std::vector<PlanPart> parts;
  // Starts when all earlier operations of the open have ended, and the later ones wait for it.
  bool alone = false;
  // Of a step with one part of one operation: the partitions still to be tried on error 1.
  PartitionWalk walk;
};

// Steps in order (R-S5). Operations on one partition keep their order and their numbers; a read
// that may cross a border, what uses the position of the open and what concerns the whole file are
// steps of their own, alone. A file that is not partitioned has its position at its volume. A batch
// with stop_on_error over several partitions runs one partition at a time, in the order of its
// operations. A batch for one partition is passed on whole, nothing copied; an empty one has no
// steps.
std::vector<PlanStep> PlanBatch(const FileAttributes& attributes, OperationBatch batch);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_BATCH_PLAN_H_
