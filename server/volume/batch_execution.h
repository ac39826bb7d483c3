// Runs the operations of a batch on one open, in order. Where one has to wait for a lock the batch
// stops, and goes on when its request is executed again. Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_BATCH_EXECUTION_H_
#define QUIRE_SERVER_VOLUME_BATCH_EXECUTION_H_

#include <cstdint>
#include <optional>
#include <set>

#include "quire/operation.h"
#include "server/volume/disc_process.h"
#include "server/volume/execute_operation.h"
#include "server/volume/open_table.h"
#include "server/volume/request.h"

namespace quire {

// What the batches of one stream have in common. Disc process role only.
struct StreamProgress {
  uint64_t executed_through = 0;  // sequence of the last operation executed
  uint64_t waiting_sequence = 0;  // of the operation that waits for a lock; 0: none does
  std::set<uint64_t> cancelled;   // not to be executed
  bool may_wait = true;           // false once the stream ends
  OpenState told;                 // last OpenState given to the client
};

class BatchExecution {
 public:
  // `progress`: of the stream; nullptr for a single call. Outlives this.
  BatchExecution(OperationBatch batch, StreamProgress* progress)
      : batch_(std::move(batch)), progress_(progress) {
    result_.results.reserve(batch_.size());  // before there is an answer to owe
  }

  const OperationBatch& batch() const { return batch_; }

  // True when every operation has its result, and the request knows what its reply waits for; false
  // when one waits for a lock.
  bool Run(VolumeState& state, DiscProcess& process, Request& request, OpenEntry& open);
  // The operations without a result get `status`.
  void EndWith(const absl::Status& status);
  // All get it, whatever they were answered.
  void ReplaceBy(const absl::Status& status);

  BatchResult TakeResult() { return std::move(result_); }

 private:
  // 22 when the batch's position does not fit the file.
  absl::Status Begin(OpenEntry& open);
  void MakeRoom(const OperationResult& first);
  // The result of an operation that is not executed: repeated, cancelled, refused, or
  // the one that gets 122.
  std::optional<OperationResult> Without(const OperationContext& context,
                                         const Operation& operation, uint64_t sequence);
  void Save(DiscProcess& process, OpenEntry& open, const Operation& operation, uint64_t sequence,
            const OperationResult& result);
  // False: there is no memory to keep it.
  bool CopyRecord(const OperationResult& result, std::string* copy) const;
  void Finish(VolumeState& state, DiscProcess& process, Request& request, OpenEntry& open);

  OperationBatch batch_;
  StreamProgress* const progress_;
  BatchResult result_;
  bool begun_ = false;
  bool saves_ = false;    // answers are kept for repeating
  bool stopped_ = false;  // by stop_on_error
};

// What a resume of a session's open needs, as of now; and whether `told` is that, without making
// it.
OpenState StateOf(const VolumeState& state, const OpenEntry& open);
bool IsStateOf(const VolumeState& state, const OpenEntry& open, const OpenState& told);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_BATCH_EXECUTION_H_
