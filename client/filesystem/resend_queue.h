// The batches of one open without results, kept so that they can be sent again when the stream
// breaks, and their results in the order of the batches. No threads and no input or output here;
// not thread safe.
#ifndef QUIRE_CLIENT_FILESYSTEM_RESEND_QUEUE_H_
#define QUIRE_CLIENT_FILESYSTEM_RESEND_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "quire/operation.h"

namespace quire {

class ResendQueue {
 public:
  // `repeats`: sync depth >= 1. Else nothing is sent twice, and nothing is kept once it is sent.
  // `where`: names the other end in error texts.
  ResendQueue(bool repeats, std::string where) : repeats_(repeats), where_(std::move(where)) {}

  void Push(OperationBatch batch);
  // Batches whose results were not taken.
  size_t size() const { return entries_.size(); }
  bool AllAnswered() const { return answered_ == entries_.size(); }

  struct Outgoing {
    OperationBatch batch;
    std::vector<uint64_t> cancels;  // to be passed on right behind it
  };
  // The next batch for the present stream, unless `credits` are under way on it. Counts as sent. A
  // batch with mutations waits for the answers of those without that read at the position: a volume
  // keeps what they found in memory only, and after its restart they would go on from records that
  // this batch has changed.
  std::optional<Outgoing> NextToSend(uint32_t credits);
  // Results of the oldest batch on the stream that has none; ignored when there is none.
  void Answer(BatchResult result);
  // Results of the oldest batch, when it has them.
  std::optional<BatchResult> TakeFinished();

  // The stream is gone: what was on it has to be sent again, or with sync depth 0 gets `unknown`.
  void StreamLost(const absl::Status& unknown);
  // The server has forgotten its answers: sent batches with mutations get `unknown`.
  void AnswersLost(const absl::Status& unknown);
  // Nothing goes on: sent batches with mutations get `unknown`, all others `refused`.
  void FailAll(const absl::Status& unknown, const absl::Status& refused);
  // The user will not be told anything of them.
  void Clear();

  // True when the operation is on the stream: pass the Cancel on. One that was never sent gets 40;
  // one that waits for being sent again is cancelled behind it.
  bool Cancel(uint64_t sequence);

 private:
  struct Entry {
    OperationBatch batch;  // empty once sent, when it will not be repeated
    uint64_t first_sequence = 0;
    size_t operations = 0;         // as submitted
    bool changes = false;          // has mutations
    bool reads_on = false;         // has none, and reads at the position
    bool sent = false;             // on some stream
    bool on_stream = false;        // on the present one
    std::vector<uint32_t> places;  // when operations were cut out: of those left
    bool cut = false;
    std::vector<uint64_t> cancels;  // of operations that may have been executed
    std::optional<BatchResult> answer;
  };

  void Finish(Entry& entry, BatchResult result);
  void LeaveStream(Entry& entry);
  void Fail(Entry& entry, const absl::Status& status);
  void CutOut(Entry& entry, size_t index);

  const bool repeats_;
  const std::string where_;
  std::deque<Entry> entries_;
  size_t answered_ = 0;   // entries with an answer
  size_t on_stream_ = 0;  // entries on the present stream without an answer
  size_t reads_on_ = 0;   // those of them that read on
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_RESEND_QUEUE_H_
