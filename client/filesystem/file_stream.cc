#include "client/filesystem/file_stream.h"

#include <algorithm>
#include <utility>

#include "client/filesystem/batch_queue.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/file_operations.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

// What operations get that are called for after the stream ended.
absl::Status AfterEnd(const absl::Status& status, const std::string& where) {
  const ErrorNumber number = NumberOf(status);
  if (status.ok() || number == ErrorNumber::kPathDown || number == ErrorNumber::kVolumeDown) {
    return filesystem_errors::OpenBroken(
        where, status.ok() ? "the open was ended" : ToStd(status.message()));
  }
  return status;
}

}  // namespace

// ---- Opening --------------------------------------------------------------------------------

absl::StatusOr<Opened> FileStream::AwaitOpened() {
  opened_signal_.Wait();
  return *opened_;
}

void FileStream::OnOpened(absl::StatusOr<Opened> opened) {
  if (opened.ok()) gate_.SetLimit(opened->credits);
  opened_ = std::move(opened);
  opened_signal_.Set();
}

void FileStream::Start(std::shared_ptr<Session> session, const Packing& packing) {
  packing_ = packing;
  MutexLock lock(&mutex_);
  session_ = std::move(session);
  slots_.resize(packing.slots);
}

// ---- Collecting and sending -----------------------------------------------------------------

bool FileStream::Fits(size_t slot, size_t operations, size_t bytes) {
  MutexLock lock(&mutex_);
  const OperationBatch& batch = slots_[slot].operations;
  return batch.empty() || (batch.size() + operations <= std::max(packing_.operations, 2u) &&
                           batch.data_bytes() + bytes <= packing_.bytes);
}

uint64_t FileStream::Take(size_t slot, const Operation& operation, Waiting waiting, bool* full) {
  MutexLock lock(&mutex_);
  Collected& batch = slots_[slot];
  if (batch.waiting.empty()) {
    batch.operations.Reserve(usual_operations_, usual_bytes_);
    batch.waiting.reserve(usual_operations_);
  }
  batch.operations.Add(operation);
  waiting.number = next_number_++;
  if (waiting.answer != nullptr) blocking_ = waiting.number;
  const uint64_t number = waiting.number;
  batch.waiting.push_back(std::move(waiting));
  *full = batch.operations.size() >= packing_.operations;
  return number;
}

uint64_t FileStream::Add(size_t slot, const Operation& operation, File::Completion done) {
  if (!Fits(slot, 1, BytesOf(operation))) Send(slot);
  bool full = false;
  const uint64_t number = Take(slot, operation, Waiting{0, std::move(done), nullptr}, &full);
  if (full) Send(slot);
  return number;
}

void FileStream::Hold(size_t slot, const Operation& operation, size_t next_bytes,
                      File::Completion done) {
  if (!Fits(slot, 2, BytesOf(operation) + next_bytes)) Send(slot);
  bool full = false;  // its companion comes
  Take(slot, operation, Waiting{0, std::move(done), nullptr}, &full);
}

FileStream::Outcome FileStream::Execute(size_t slot, const Operation& operation,
                                        std::string* record) {
  auto answer = std::make_shared<Answer>();
  if (!Fits(slot, 1, BytesOf(operation))) Send(slot);
  bool full = false;  // sent in any case
  Take(slot, operation, Waiting{0, nullptr, answer}, &full);
  SendAllBut(slot);
  Send(slot, /*caller_waits=*/true);
  answer->ready.Wait();
  {
    MutexLock lock(&mutex_);
    blocking_ = 0;
  }
  if (record != nullptr) *record = std::move(answer->record);
  return std::move(answer->outcome);
}

std::optional<absl::Status> FileStream::TryRead(std::string_view key, std::string* record) {
  Session* session = nullptr;  // only Close, called by this thread too, gives it up
  {
    MutexLock lock(&mutex_);
    if (closed_ || !sent_.empty()) return std::nullopt;
    for (const Collected& batch : slots_) {
      if (!batch.waiting.empty()) return std::nullopt;
    }
    session = session_.get();
  }
  return session == nullptr ? std::nullopt : session->TryRead(key, record);
}

void FileStream::SendAllBut(size_t kept) {
  std::vector<size_t> filled;
  {
    MutexLock lock(&mutex_);
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slot != kept && !slots_[slot].waiting.empty()) filled.push_back(slot);
    }
  }
  for (const size_t slot : filled) Send(slot);
}

void FileStream::Send(size_t slot, bool caller_waits) {
  {
    MutexLock lock(&mutex_);
    if (slots_[slot].waiting.empty()) return;
  }
  gate_.Take();
  std::shared_ptr<Session> session;
  OperationBatch operations;
  std::vector<Waiting> failed;
  absl::Status ended;
  {
    MutexLock lock(&mutex_);
    Collected batch = std::exchange(slots_[slot], Collected());
    if (closed_) {
      ended = AfterEnd(closed_status_, where_);
      failed = std::move(batch.waiting);
    } else if (!batch.waiting.empty()) {  // else a Cancel took the last one
      session = session_;
      operations = std::move(batch.operations);
      usual_operations_ = operations.size();
      usual_bytes_ = operations.data_bytes();
      operations.first_sequence = next_sequence_;
      operations.acked_through = acked_through_;
      operations.lock_timeout_ms = packing_.lock_timeout_ms;
      operations.caller_waits = caller_waits;
      next_sequence_ += operations.size();
      submitting_ = operations.first_sequence;
      sent_.push_back(Sent{operations.first_sequence, std::move(batch.waiting)});
    }
  }
  if (session == nullptr) {
    FailAll(std::move(failed), ended);
    gate_.Give();
    return;
  }
  session->Submit(std::move(operations));
  std::vector<uint64_t> cancelled;
  {
    MutexLock lock(&mutex_);
    submitting_ = 0;
    cancelled.swap(cancel_later_);
  }
  for (const uint64_t sequence : cancelled) session->Cancel(sequence);
}

// ---- Cancelling -----------------------------------------------------------------------------

void FileStream::Cancel(uint64_t number) {
  std::optional<Waiting> collected;
  std::optional<uint64_t> sequence;
  std::shared_ptr<Session> session;
  {
    MutexLock lock(&mutex_);
    collected = TakeCollected(number);
    if (!collected) sequence = SequenceOf(number);
    if (sequence && submitting_ != 0 && *sequence >= submitting_) {
      cancel_later_.push_back(*sequence);
      return;
    }
    session = session_;
  }
  if (collected) {
    OperationResult result;
    result.status = filesystem_errors::Cancelled();
    Complete(*std::move(collected), result, {});
  } else if (sequence && session != nullptr) {
    session->Cancel(*sequence);
  }
}

void FileStream::CancelWait() {
  uint64_t number = 0;
  {
    MutexLock lock(&mutex_);
    number = blocking_;
  }
  if (number != 0) Cancel(number);
}

std::optional<FileStream::Waiting> FileStream::TakeCollected(uint64_t number) {
  for (Collected& batch : slots_) {
    for (size_t taken = 0; taken < batch.waiting.size(); ++taken) {
      if (batch.waiting[taken].number != number) continue;
      Waiting waiting = std::move(batch.waiting[taken]);
      batch.waiting.erase(batch.waiting.begin() + static_cast<ptrdiff_t>(taken));
      OperationBatch rest;
      for (size_t i = 0; i < batch.operations.size(); ++i) {
        if (i != taken) rest.Add(batch.operations[i]);
      }
      batch.operations = std::move(rest);
      return waiting;
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> FileStream::SequenceOf(uint64_t number) {
  for (const Sent& batch : sent_) {
    for (size_t i = 0; i < batch.waiting.size(); ++i) {
      if (batch.waiting[i].number == number) return batch.first_sequence + i;
    }
  }
  return std::nullopt;
}

// ---- Results --------------------------------------------------------------------------------

void FileStream::OnResults(BatchResult result) {
  Sent batch;
  {
    MutexLock lock(&mutex_);
    if (sent_.empty()) return;  // more results than batches: bytes from the wire
    batch = std::move(sent_.front());
    sent_.pop_front();
    acked_through_ = batch.first_sequence + batch.waiting.size() - 1;
  }
  CompleteResult(&result, batch.waiting.size(), where_);
  for (size_t i = 0; i < batch.waiting.size(); ++i) {
    Complete(std::move(batch.waiting[i]), result.results[i], result.record(i));
  }
  gate_.Give();
}

void FileStream::OnClosed(absl::Status status) {
  std::deque<Sent> lost;
  {
    MutexLock lock(&mutex_);
    closed_ = true;
    closed_status_ = status;
    lost.swap(sent_);
  }
  if (!opened_signal_.IsSet()) {
    OnOpened(AfterEnd(status, where_));
  }
  const absl::Status unknown = filesystem_errors::OutcomeUnknown(
      where_, status.ok() ? "the open was ended" : ToStd(status.message()));
  for (Sent& batch : lost) {
    FailAll(std::move(batch.waiting), unknown);
    gate_.Give();
  }
  closed_signal_.Set();
}

void FileStream::Complete(Waiting waiting, const OperationResult& result, std::string_view record) {
  if (waiting.answer != nullptr) {
    waiting.answer->outcome = Outcome{result.status, result.warning};
    waiting.answer->record.assign(record);
    waiting.answer->ready.Set();
  } else if (waiting.done) {
    std::move(waiting.done)(result.status, record);
  }
}

void FileStream::FailAll(std::vector<Waiting> waiting, const absl::Status& status) {
  OperationResult result;
  result.status = status;
  for (Waiting& one : waiting) Complete(std::move(one), result, {});
}

// ---- The end --------------------------------------------------------------------------------

absl::Status FileStream::status() {
  MutexLock lock(&mutex_);
  return closed_ ? AfterEnd(closed_status_, where_) : absl::OkStatus();
}

absl::Status FileStream::Close() {
  std::shared_ptr<Session> session;
  {
    MutexLock lock(&mutex_);
    session = session_;
  }
  session->Close();
  closed_signal_.Wait();
  MutexLock lock(&mutex_);
  session_ = nullptr;  // `session` outlives the lock, or a Cancel under way holds it
  return closed_status_;
}

}  // namespace quire
