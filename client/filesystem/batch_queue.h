// The batches of one open on their way through its partitions: what may be sent next (R-S5), the
// position of an open of several partitions, and the results put back into the order of the
// requests. No threads and no input or output here; not thread safe.
#ifndef QUIRE_CLIENT_FILESYSTEM_BATCH_QUEUE_H_
#define QUIRE_CLIENT_FILESYSTEM_BATCH_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/filesystem/batch_plan.h"
#include "client/filesystem/batch_result.h"
#include "quire/attributes.h"
#include "quire/operation.h"
#include "quire/position.h"

namespace quire {

// A batch with its plan; made outside of any lock.
struct PlannedBatch {
  PlannedBatch(const FileAttributes& attributes, OperationBatch batch);

  uint64_t first_sequence;
  std::vector<uint32_t> sequence_offsets;
  bool stop_on_error;
  size_t operations;                 // in all
  std::optional<Position> position;  // of several partitions: where the batch says that it begins
  std::vector<PlanStep> steps;

  uint64_t SequenceOf(size_t i) const {
    return first_sequence + (sequence_offsets.empty() ? i : sequence_offsets[i]);
  }
};

class BatchQueue {
 public:
  // `volumes`: names of the partitions' volumes, for error texts. `state`: of the open as it
  // stands. The position and the lock mode of a file that is not partitioned are its volume's
  // affair, and what the volume says of them is passed on.
  BatchQueue(FileAttributes attributes, std::vector<std::string> volumes, OpenState state);

  void Push(PlannedBatch batch);

  // Batches whose results were not taken yet.
  size_t size() const { return entries_.size(); }

  struct Outgoing {
    uint32_t partition = 0;
    OperationBatch operations;
  };
  // What is to be sent now, if anything. It then counts as sent.
  std::optional<Outgoing> NextToSend();

  // Results of the oldest part sent to `partition` that has none; ignored when there is none.
  void Answer(uint32_t partition, BatchResult result);
  // Every operation sent to `partition` and not answered gets `status`.
  void AnswerAll(uint32_t partition, const absl::Status& status);

  // The partition to pass the Cancel on to, when the operation is under way there. One that has not
  // been sent gets 40.
  std::optional<uint32_t> Cancel(uint64_t sequence);

  // Results of the oldest batch when it is finished. Epoch and change sequence are those of the one
  // volume the whole batch went to, else 0. The state is the open's, when it has changed.
  std::optional<BatchResult> TakeFinished();

 private:
  struct Place {
    uint32_t answer = kNotExecuted;  // in Entry::answers
    uint32_t index = 0;              // in its results
  };
  static constexpr uint32_t kNotExecuted = UINT32_MAX;
  static constexpr uint32_t kCancelled = UINT32_MAX - 1;

  struct Held {
    Position position;
    uint32_t lock_mode = 0;
  };

  struct Entry {
    explicit Entry(PlannedBatch planned) : batch(std::move(planned)) {}
    bool AllSent() const { return stopped || next_step == batch.steps.size(); }

    PlannedBatch batch;
    size_t next_step = 0;
    size_t next_part = 0;
    uint32_t outstanding = 0;  // parts without results
    bool stopped = false;      // by stop_on_error
    bool whole = false;        // answers[0] is the result of the whole batch
    std::vector<BatchResult> answers;
    std::vector<Place> places;  // per operation; empty when `whole`
    std::optional<Held> after;  // position and lock mode behind it, when it changed them
  };

  // A part at its volume.
  struct Sent {
    Entry* entry = nullptr;
    PlanStep* step = nullptr;
    PlanPart* part = nullptr;
    size_t operations = 0;
  };

  // The step that is alone, on its way from partition to partition.
  struct Tour {
    explicit Tour(const Sent& sent) : at(sent) {}

    Sent at;
    std::optional<uint32_t> next;  // to be sent there now
    // Of whole-file operations:
    std::optional<BatchResult> failure;  // what it will be answered with
    bool taking_back = false;
    uint32_t take_back_through = 0;
  };

  void BeginTour(Entry& entry, PlanStep& step, PlanPart& part);
  Outgoing SendTour();
  Outgoing Send(const Sent& sent, uint32_t partition, OperationBatch operations);
  // Goes on with the tour after an answer of `partition`; true when it is over, with its result.
  bool GoesOn(uint32_t partition, BatchResult& result);
  bool WholeFileGoesOn(uint32_t partition, BatchResult& result);
  // SET, SAVE, RESTORE_POSITION of several partitions need no volume. False for other operations.
  bool DoHere(Entry& entry, PlanPart& part);
  void Finish(const Sent& sent, BatchResult result);
  void Note(uint32_t partition, const BatchResult& result);
  std::optional<uint32_t> CancelAt(Entry& entry, uint32_t place);
  void CutOut(Entry& entry, PlanPart& part, size_t index, uint32_t place);
  BatchResult Merge(Entry& entry);

  const FileAttributes attributes_;
  const std::vector<std::string> volumes_;
  const bool partitioned_;
  Held held_;  // as the operations sent so far leave it
  std::vector<PartitionMark> marks_;
  OpenState told_;              // what the last result told
  bool told_is_stale_ = false;  // marks_ has changed since

  std::deque<std::unique_ptr<Entry>> entries_;
  size_t next_entry_ = 0;               // the first that is not all sent
  std::vector<std::deque<Sent>> sent_;  // per partition, oldest first
  uint32_t in_flight_ = 0;
  bool alone_ = false;  // a step that must be alone is under way
  std::optional<Tour> tour_;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_BATCH_QUEUE_H_
