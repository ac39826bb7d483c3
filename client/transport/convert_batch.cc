#include "client/transport/convert_batch.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_record.h"
#include "client/transport/errors.h"
#include "quire/limits.h"
#include "quire/position.h"

namespace quire {
namespace {

// Leaves a quarter of the message to the lists of a BatchResult.
constexpr uint64_t kMaxResultDataBytes = kMaxMessageBytes / 4 * 3;

// Kinds have the same numbers on the wire; 0 is a read.
v1::OperationKind KindToProto(OperationKind kind) {
  return static_cast<v1::OperationKind>(kind);
}

absl::StatusOr<OperationKind> KindFromProto(v1::OperationKind kind) {
  if (kind == v1::OPERATION_KIND_UNSPECIFIED) return OperationKind::kRead;
  if (v1::OperationKind_IsValid(kind)) return static_cast<OperationKind>(kind);
  return transport_errors::UnknownEnumerator("kind", kind);
}

// A mode that does not exist stays one that does not: the operation is answered with 22, and the
// rest of the batch goes on (R-S5).
constexpr auto kNoMode = static_cast<ReadMode>(255);

ReadMode ModeFromProto(v1::ReadMode mode) {
  const absl::StatusOr<ReadMode> known = FromProto(mode);
  return known.ok() ? *known : kNoMode;
}

// A position is chosen by the same three modes as a read; its 0 is another one.
v1::Positioning PositioningToProto(ReadMode mode) {
  switch (mode) {
    case ReadMode::kByKey:
      return v1::POSITIONING_EXACT;
    case ReadMode::kGeneric:
      return v1::POSITIONING_GENERIC;
    case ReadMode::kApproximate:
      return v1::POSITIONING_APPROXIMATE;
  }
  // For the receiver to refuse.
  return static_cast<v1::Positioning>(v1::Positioning_MAX + 1);
}

ReadMode PositioningFromProto(v1::Positioning positioning) {
  switch (positioning) {
    case v1::POSITIONING_UNSPECIFIED:
    case v1::POSITIONING_APPROXIMATE:
      return ReadMode::kApproximate;
    case v1::POSITIONING_GENERIC:
      return ReadMode::kGeneric;
    case v1::POSITIONING_EXACT:
      return ReadMode::kByKey;
    default:
      return kNoMode;
  }
}

// A WRITE of which nothing needs saying but its length.
bool IsPlainWrite(const OperationBatch::Entry& entry) {
  return entry.kind == OperationKind::kWrite && entry.mode == ReadMode::kByKey && !entry.reverse &&
         !entry.skip_exact && !entry.last_of_set && !entry.lock && !entry.unlock &&
         entry.compare_length == 0 && entry.key_specifier == 0 && entry.lock_mode == 0;
}

void EntryToProto(const OperationBatch::Entry& entry, v1::Operation* out) {
  out->set_kind(KindToProto(entry.kind));
  out->set_length(entry.length);
  if (entry.kind == OperationKind::kSetPosition) {
    out->set_positioning(PositioningToProto(entry.mode));
  } else {
    out->set_mode(ToProto(entry.mode));
  }
  out->set_reverse(entry.reverse);
  out->set_skip_exact(entry.skip_exact);
  out->set_compare_length(entry.compare_length);
  out->set_last_of_set(entry.last_of_set);
  out->set_key_specifier(entry.key_specifier);
  out->set_lock(entry.lock);
  out->set_unlock(entry.unlock);
  out->set_lock_mode(LockModeToProto(entry.lock_mode));
}

// Of the operation whose bytes start at `offset` of the data.
absl::StatusOr<OperationBatch::Entry> EntryFromProto(const v1::Operation& in, uint32_t offset) {
  const absl::StatusOr<OperationKind> kind = KindFromProto(in.kind());
  if (!kind.ok()) return kind.status();
  const ReadMode mode = *kind == OperationKind::kSetPosition
                            ? PositioningFromProto(in.positioning())
                            : ModeFromProto(in.mode());
  OperationBatch::Entry entry{*kind, mode, in.reverse(), in.skip_exact(), offset, in.length()};
  entry.last_of_set = in.last_of_set();
  entry.lock = in.lock();
  entry.unlock = in.unlock();
  entry.compare_length = in.compare_length();
  entry.key_specifier = in.key_specifier();
  entry.lock_mode = LockModeFromProto(in.lock_mode());
  return entry;
}

// True when the entries' bytes lie back to back and fill the data.
bool IsPacked(const OperationBatch& batch) {
  uint64_t position = 0;
  for (const OperationBatch::Entry& entry : batch.entries()) {
    if (entry.offset != position) return false;
    position += entry.length;
  }
  return position == batch.data_bytes();
}

std::string PackedData(OperationBatch&& batch) {
  if (IsPacked(batch)) return std::move(batch).TakeData();
  std::string data;
  data.reserve(batch.data_bytes());
  for (const OperationBatch::Entry& entry : batch.entries()) {
    data.append(batch.data(), entry.offset, entry.length);
  }
  return data;
}

absl::Status CheckLimits(const v1::Batch& in) {
  const auto operations = static_cast<uint64_t>(in.operations_size() + in.write_lengths_size());
  if (operations > kMaxBatchOperations) {
    return transport_errors::TooLarge("the number of operations of the batch", operations,
                                      kMaxBatchOperations);
  }
  if (in.data().size() > kMaxBatchBytes) {
    return transport_errors::TooLarge("the data of the batch in bytes", in.data().size(),
                                      kMaxBatchBytes);
  }
  return absl::OkStatus();
}

absl::Status AddOperations(const v1::Batch& in, std::vector<OperationBatch::Entry>* entries) {
  uint64_t position = 0;
  for (const v1::Operation& operation : in.operations()) {
    absl::StatusOr<OperationBatch::Entry> entry =
        EntryFromProto(operation, static_cast<uint32_t>(position));
    if (!entry.ok()) return entry.status();
    if (operation.length() > in.data().size() - position) {
      return transport_errors::LengthsDisagree("batch", position + operation.length(),
                                               in.data().size());
    }
    entries->push_back(*entry);
    position += operation.length();
  }
  if (position == in.data().size()) return absl::OkStatus();
  return transport_errors::LengthsDisagree("batch", position, in.data().size());
}

absl::Status AddWrites(const v1::Batch& in, std::vector<OperationBatch::Entry>* entries) {
  const uint64_t sum =
      std::accumulate(in.write_lengths().begin(), in.write_lengths().end(), uint64_t{0});
  if (sum != in.data().size()) {
    return transport_errors::LengthsDisagree("batch", sum, in.data().size());
  }
  uint32_t position = 0;
  for (const uint32_t length : in.write_lengths()) {
    entries->push_back({OperationKind::kWrite, ReadMode::kByKey, false, false, position, length});
    position += length;
  }
  return absl::OkStatus();
}

absl::Status CheckOffsets(const v1::Batch& in) {
  const auto& offsets = in.sequence_offsets();
  if (offsets.empty()) return absl::OkStatus();
  if (offsets.size() != in.operations_size() + in.write_lengths_size()) {
    return transport_errors::MalformedBatch("not one sequence offset per operation");
  }
  const auto not_rising = [](uint32_t one, uint32_t next) { return one >= next; };
  if (std::adjacent_find(offsets.begin(), offsets.end(), not_rising) == offsets.end()) {
    return absl::OkStatus();
  }
  return transport_errors::MalformedBatch("the sequence offsets do not rise");
}

// Drops records beyond what one message takes, and packs the rest if it is not packed already.
void PackRecords(BatchResult* result) {
  uint64_t position = 0;
  bool packed = true;
  for (OperationResult& one : result->results) {
    if (one.length > 0 && position + one.length > kMaxResultDataBytes) {
      one = OperationResult();
      one.status = transport_errors::ResultTooLarge(kMaxResultDataBytes);
    }
    packed = packed && (one.length == 0 || one.offset == position);
    position += one.length;
  }
  if (packed && position == result->data.size()) return;
  std::string data;
  data.reserve(position);
  for (size_t i = 0; i < result->results.size(); ++i) data.append(result->record(i));
  result->data = std::move(data);
}

}  // namespace

void ToProto(OperationBatch&& batch, v1::Batch* out) {
  out->set_first_sequence(batch.first_sequence);
  out->set_stop_on_error(batch.stop_on_error);
  out->set_acked_through(batch.acked_through);
  out->set_lock_timeout_ms(batch.lock_timeout_ms);
  out->mutable_sequence_offsets()->Assign(batch.sequence_offsets.begin(),
                                          batch.sequence_offsets.end());
  if (batch.position) out->set_position(EncodePosition(*batch.position));
  const auto& entries = batch.entries();
  if (std::all_of(entries.begin(), entries.end(), IsPlainWrite)) {
    auto* lengths = out->mutable_write_lengths();
    lengths->Reserve(static_cast<int>(entries.size()));
    for (const auto& entry : entries) lengths->AddAlreadyReserved(entry.length);
  } else {
    for (const auto& entry : entries) EntryToProto(entry, out->add_operations());
  }
  *out->mutable_data() = PackedData(std::move(batch));
}

absl::StatusOr<OperationBatch> FromProto(v1::Batch&& in) {
  if (absl::Status status = CheckLimits(in); !status.ok()) return status;
  if (in.operations_size() > 0 && in.write_lengths_size() > 0) {
    return transport_errors::MalformedBatch("operations and write_lengths are both given");
  }
  if (absl::Status status = CheckOffsets(in); !status.ok()) return status;
  std::vector<OperationBatch::Entry> entries;
  entries.reserve(static_cast<size_t>(in.operations_size() + in.write_lengths_size()));
  absl::Status status =
      in.operations_size() > 0 ? AddOperations(in, &entries) : AddWrites(in, &entries);
  if (!status.ok()) return status;
  OperationBatch batch;
  batch.first_sequence = in.first_sequence();
  batch.sequence_offsets.assign(in.sequence_offsets().begin(), in.sequence_offsets().end());
  batch.acked_through = in.acked_through();
  batch.stop_on_error = in.stop_on_error();
  batch.lock_timeout_ms = in.lock_timeout_ms();
  if (in.has_position()) {
    absl::StatusOr<Position> position = DecodePosition(in.position());
    if (!position.ok()) return position.status();
    batch.position = *std::move(position);
  }
  if (!batch.Adopt(std::move(entries), std::move(*in.mutable_data()))) {
    return transport_errors::MalformedBatch("an operation lies outside of its data");
  }
  return batch;
}

void ToProto(BatchResult&& result, v1::BatchResult* out) {
  PackRecords(&result);
  out->set_first_sequence(result.first_sequence);
  out->set_count(static_cast<uint32_t>(result.results.size()));
  out->set_epoch(result.epoch);
  out->set_change_sequence(result.change_sequence);
  if (result.state) out->set_token(EncodeOpenState(*result.state));
  for (size_t i = 0; i < result.results.size(); ++i) {
    const OperationResult& one = result.results[i];
    if (!one.status.ok()) {
      v1::FailedOperation* failed = out->add_failed();
      failed->set_index(static_cast<uint32_t>(i));
      ToProto(one.status, failed->mutable_error());
    } else if (one.warning != ErrorNumber::kOk) {
      v1::WarnedOperation* warned = out->add_warned();
      warned->set_index(static_cast<uint32_t>(i));
      warned->set_warning(static_cast<int32_t>(one.warning));
    }
  }
  if (result.data.empty()) return;
  auto* lengths = out->mutable_record_lengths();
  lengths->Reserve(static_cast<int>(result.results.size()));
  for (const OperationResult& one : result.results) lengths->AddAlreadyReserved(one.length);
  *out->mutable_data() = std::move(result.data);
}

absl::StatusOr<BatchResult> FromProto(v1::BatchResult&& in) {
  const auto lengths = static_cast<uint32_t>(in.record_lengths_size());
  if (in.count() > kMaxBatchOperations || (lengths != 0 && lengths != in.count())) {
    return transport_errors::MalformedAnswer("a batch result with a wrong number of operations");
  }
  BatchResult result;
  result.first_sequence = in.first_sequence();
  result.epoch = in.epoch();
  result.change_sequence = in.change_sequence();
  result.results.resize(in.count());
  uint64_t position = 0;
  for (uint32_t i = 0; i < lengths; ++i) {
    result.results[i].offset = static_cast<uint32_t>(position);
    result.results[i].length = in.record_lengths(static_cast<int>(i));
    position += result.results[i].length;
  }
  if (position != in.data().size()) {
    return transport_errors::MalformedAnswer("record lengths do not add up to the data");
  }
  for (const v1::FailedOperation& failed : in.failed()) {
    if (failed.index() >= in.count()) {
      return transport_errors::MalformedAnswer("a failed operation that was not asked for");
    }
    result.results[failed.index()].status = FromProto(failed.error());
  }
  for (const v1::WarnedOperation& warned : in.warned()) {
    if (warned.index() >= in.count()) {
      return transport_errors::MalformedAnswer("a warning for an operation not asked for");
    }
    result.results[warned.index()].warning = static_cast<ErrorNumber>(warned.warning());
  }
  if (!in.token().empty()) {
    absl::StatusOr<OpenState> state = DecodeOpenState(in.token());
    if (!state.ok()) return state.status();
    result.state = *std::move(state);
  }
  result.data = std::move(*in.mutable_data());
  return result;
}

}  // namespace quire
