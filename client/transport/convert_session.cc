#include "client/transport/convert_session.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_file.h"
#include "client/transport/convert_record.h"
#include "client/transport/errors.h"
#include "quire/limits.h"

namespace quire {
namespace {

constexpr uint32_t kMaxSyncDepth = 15;

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

absl::StatusOr<AccessMode> AccessFromProto(v1::AccessMode access) {
  switch (access) {
    case v1::ACCESS_MODE_UNSPECIFIED:
    case v1::ACCESS_MODE_READ_WRITE:
      return AccessMode::kReadWrite;
    case v1::ACCESS_MODE_READ:
      return AccessMode::kRead;
    case v1::ACCESS_MODE_WRITE:
      return AccessMode::kWrite;
    default:
      return transport_errors::UnknownEnumerator("access", access);
  }
}

absl::StatusOr<Exclusion> ExclusionFromProto(v1::Exclusion exclusion) {
  switch (exclusion) {
    case v1::EXCLUSION_UNSPECIFIED:
    case v1::EXCLUSION_SHARED:
      return Exclusion::kShared;
    case v1::EXCLUSION_EXCLUSIVE:
      return Exclusion::kExclusive;
    case v1::EXCLUSION_PROTECTED:
      return Exclusion::kProtected;
    default:
      return transport_errors::UnknownEnumerator("exclusion", exclusion);
  }
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
    const absl::StatusOr<OperationKind> kind = KindFromProto(operation.kind());
    if (!kind.ok()) return kind.status();
    const absl::StatusOr<ReadMode> mode = FromProto(operation.mode());
    if (!mode.ok()) return mode.status();
    if (operation.length() > in.data().size() - position) {
      return transport_errors::LengthsDisagree("batch", position + operation.length(),
                                               in.data().size());
    }
    entries->push_back({*kind, *mode, operation.reverse(), operation.skip_exact(),
                        static_cast<uint32_t>(position), operation.length()});
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

void ToProto(const OpenRequest& request, v1::Open* out) {
  ToProto(request.file, out->mutable_file());
  switch (request.access) {
    case AccessMode::kReadWrite:
      out->set_access(v1::ACCESS_MODE_READ_WRITE);
      break;
    case AccessMode::kRead:
      out->set_access(v1::ACCESS_MODE_READ);
      break;
    case AccessMode::kWrite:
      out->set_access(v1::ACCESS_MODE_WRITE);
      break;
  }
  switch (request.exclusion) {
    case Exclusion::kShared:
      out->set_exclusion(v1::EXCLUSION_SHARED);
      break;
    case Exclusion::kExclusive:
      out->set_exclusion(v1::EXCLUSION_EXCLUSIVE);
      break;
    case Exclusion::kProtected:
      out->set_exclusion(v1::EXCLUSION_PROTECTED);
      break;
  }
  out->set_sync_depth(request.sync_depth);
}

absl::StatusOr<OpenRequest> FromProto(const v1::Open& in) {
  absl::StatusOr<FileReference> file = FromProto(in.file());
  if (!file.ok()) return file.status();
  const absl::StatusOr<AccessMode> access = AccessFromProto(in.access());
  if (!access.ok()) return access.status();
  const absl::StatusOr<Exclusion> exclusion = ExclusionFromProto(in.exclusion());
  if (!exclusion.ok()) return exclusion.status();
  OpenRequest request;
  request.file = *std::move(file);
  request.access = *access;
  request.exclusion = *exclusion;
  if (in.has_sync_depth()) request.sync_depth = in.sync_depth();
  if (request.sync_depth <= kMaxSyncDepth) return request;
  return transport_errors::TooLarge("sync_depth", request.sync_depth, kMaxSyncDepth);
}

void ToProto(const Opened& opened, v1::Opened* out) {
  out->set_open_id(opened.open_id);
  out->set_lease_ms(opened.lease_ms);
  out->set_credits(opened.credits);
  out->set_max_batch_bytes(opened.max_batch_bytes);
  out->set_max_batch_operations(opened.max_batch_operations);
  out->set_epoch(opened.epoch);
  ToProto(opened.info, out->mutable_info());
  out->set_warning(static_cast<int32_t>(opened.warning));
}

absl::StatusOr<Opened> FromProto(const v1::Opened& in) {
  absl::StatusOr<FileInfo> info = FromProto(in.info());
  if (!info.ok()) return info.status();
  Opened opened;
  opened.open_id = in.open_id();
  opened.lease_ms = in.lease_ms();
  opened.credits = in.credits();
  opened.max_batch_bytes = in.max_batch_bytes();
  opened.max_batch_operations = in.max_batch_operations();
  opened.epoch = in.epoch();
  opened.info = *std::move(info);
  opened.warning = static_cast<ErrorNumber>(in.warning());
  return opened;
}

void ToProto(OperationBatch&& batch, v1::Batch* out) {
  out->set_first_sequence(batch.first_sequence);
  out->set_stop_on_error(batch.stop_on_error);
  const auto& entries = batch.entries();
  const bool writes_alone = std::all_of(entries.begin(), entries.end(), [](const auto& entry) {
    return entry.kind == OperationKind::kWrite;
  });
  if (writes_alone) {
    auto* lengths = out->mutable_write_lengths();
    lengths->Reserve(static_cast<int>(entries.size()));
    for (const auto& entry : entries) lengths->AddAlreadyReserved(entry.length);
  } else {
    for (const auto& entry : entries) {
      v1::Operation* operation = out->add_operations();
      operation->set_kind(KindToProto(entry.kind));
      operation->set_length(entry.length);
      operation->set_mode(ToProto(entry.mode));
      operation->set_reverse(entry.reverse);
      operation->set_skip_exact(entry.skip_exact);
    }
  }
  *out->mutable_data() = PackedData(std::move(batch));
}

absl::StatusOr<OperationBatch> FromProto(v1::Batch&& in) {
  if (absl::Status status = CheckLimits(in); !status.ok()) return status;
  if (in.operations_size() > 0 && in.write_lengths_size() > 0) {
    return transport_errors::MalformedBatch("operations and write_lengths are both given");
  }
  std::vector<OperationBatch::Entry> entries;
  entries.reserve(static_cast<size_t>(in.operations_size() + in.write_lengths_size()));
  absl::Status status =
      in.operations_size() > 0 ? AddOperations(in, &entries) : AddWrites(in, &entries);
  if (!status.ok()) return status;
  OperationBatch batch;
  batch.first_sequence = in.first_sequence();
  batch.stop_on_error = in.stop_on_error();
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
  result.data = std::move(*in.mutable_data());
  return result;
}

}  // namespace quire
