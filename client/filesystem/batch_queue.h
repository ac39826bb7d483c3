// The batches of one open on their way through its partitions: what may be sent next (R-S5), and
// the results put back into the order of the requests. No threads and no input or output here; not
// thread safe.
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
#include "quire/operation.h"

namespace quire {

// A batch with its plan; made outside of any lock.
struct PlannedBatch {
  PlannedBatch(const FileAttributes& attributes, OperationBatch batch);

  uint64_t first_sequence;
  bool stop_on_error;
  size_t operations;  // in all
  std::vector<PlanStep> steps;
};

class BatchQueue {
 public:
  // Names of the partitions' volumes, for error texts.
  explicit BatchQueue(std::vector<std::string> volumes);

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

  // Results of the oldest batch when it is finished. Epoch and change sequence are those of the
  // one volume the whole batch went to, else 0.
  std::optional<BatchResult> TakeFinished();

 private:
  struct Place {
    uint32_t answer = kNotExecuted;  // in Entry::answers
    uint32_t index = 0;              // in its results
  };
  static constexpr uint32_t kNotExecuted = UINT32_MAX;

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
  };

  // A part at its volume.
  struct Sent {
    Entry* entry = nullptr;
    const PlanStep* step = nullptr;
    const PlanPart* part = nullptr;
    size_t operations = 0;
  };

  Outgoing Send(Entry& entry, PlanStep& step, PlanPart& part, uint32_t partition);
  // True when the read goes on in another partition.
  bool GoesOn(const Sent& sent, uint32_t partition, const BatchResult& result);
  static BatchResult Merge(Entry& entry);

  const std::vector<std::string> volumes_;
  std::deque<std::unique_ptr<Entry>> entries_;
  size_t next_entry_ = 0;               // the first that is not all sent
  std::vector<std::deque<Sent>> sent_;  // per partition, oldest first
  uint32_t in_flight_ = 0;
  bool alone_ = false;  // a step that must be alone is under way
  struct Crossing {
    Entry* entry = nullptr;
    uint32_t partition = 0;
  };
  std::optional<Crossing> crossing_;  // a read to be tried in its next partition
};

// A result with `status` for each of `operations`.
BatchResult FailedResult(size_t operations, const absl::Status& status);

// Bytes from the wire: makes `result` hold exactly `operations` results whose records lie within
// its data. What is missing or out of bounds becomes 201.
void CompleteResult(BatchResult* result, size_t operations, std::string_view from);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_BATCH_QUEUE_H_
