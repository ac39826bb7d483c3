#include "client/transport/convert_record.h"

#include <utility>

#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/errors.h"
#include "quire/limits.h"

namespace quire {
namespace {

Operation RecordOperation(OperationKind kind, std::string_view record) {
  Operation operation;
  operation.kind = kind;
  operation.record = record;
  return operation;
}

Operation KeyOperation(OperationKind kind, std::string_view key) {
  Operation operation;
  operation.kind = kind;
  operation.key = key;
  return operation;
}

absl::StatusOr<UnaryRequest> MakeRequest(const v1::FileReference& file, const Operation& operation,
                                         uint64_t sequence) {
  absl::StatusOr<FileReference> reference = FromProto(file);
  if (!reference.ok()) return reference.status();
  UnaryRequest request;
  request.file = *std::move(reference);
  request.operation.Add(operation);
  request.operation.first_sequence = sequence;
  return request;
}

absl::Status OneResult(const BatchResult& result) {
  if (result.results.size() != 1) {
    return transport_errors::MalformedAnswer("not one result for one operation");
  }
  return result.results.front().status;
}

void OutcomeToProto(const BatchResult& result, v1::Outcome* out) {
  out->set_warning(static_cast<int32_t>(result.results.front().warning));
  out->set_epoch(result.epoch);
  out->set_change_sequence(result.change_sequence);
}

BatchResult OutcomeFromProto(const v1::Outcome& in) {
  BatchResult result;
  result.results.resize(1);
  result.results.front().warning = static_cast<ErrorNumber>(in.warning());
  result.epoch = in.epoch();
  result.change_sequence = in.change_sequence();
  return result;
}

template <typename Response>
absl::Status ChangeToProto(const BatchResult& result, Response* out) {
  if (absl::Status status = OneResult(result); !status.ok()) return status;
  OutcomeToProto(result, out->mutable_outcome());
  return absl::OkStatus();
}

}  // namespace

v1::ReadMode ToProto(ReadMode mode) {
  switch (mode) {
    case ReadMode::kByKey:
      return v1::READ_MODE_UNSPECIFIED;
    case ReadMode::kGeneric:
      return v1::READ_MODE_GENERIC;
    case ReadMode::kApproximate:
      return v1::READ_MODE_APPROXIMATE;
  }
  // For the receiver to refuse.
  return static_cast<v1::ReadMode>(v1::ReadMode_MAX + 1);
}

absl::StatusOr<ReadMode> FromProto(v1::ReadMode mode) {
  switch (mode) {
    case v1::READ_MODE_UNSPECIFIED:
    case v1::READ_MODE_BY_KEY:
      return ReadMode::kByKey;
    case v1::READ_MODE_GENERIC:
      return ReadMode::kGeneric;
    case v1::READ_MODE_APPROXIMATE:
      return ReadMode::kApproximate;
    default:
      return transport_errors::UnknownEnumerator("mode", mode);
  }
}

void ToProto(const UnaryRequest& request, v1::WriteRequest* out) {
  ToProto(request.file, out->mutable_file());
  out->set_record(std::string(request.operation[0].record));
  out->set_sequence(request.operation.first_sequence);
}

void ToProto(const UnaryRequest& request, v1::UpdateRequest* out) {
  ToProto(request.file, out->mutable_file());
  out->set_record(std::string(request.operation[0].record));
  out->set_sequence(request.operation.first_sequence);
}

void ToProto(const UnaryRequest& request, v1::DeleteRequest* out) {
  ToProto(request.file, out->mutable_file());
  out->set_key(std::string(request.operation[0].key));
  out->set_sequence(request.operation.first_sequence);
}

void ToProto(const UnaryRequest& request, v1::ReadRequest* out) {
  const Operation operation = request.operation[0];
  ToProto(request.file, out->mutable_file());
  out->set_key(std::string(operation.key));
  out->set_mode(ToProto(operation.mode));
  out->set_reverse(operation.reverse);
  out->set_skip_exact(operation.skip_exact);
  out->set_lock_timeout_ms(request.operation.lock_timeout_ms);
}

absl::StatusOr<UnaryRequest> FromProto(const v1::WriteRequest& in) {
  return MakeRequest(in.file(), RecordOperation(OperationKind::kWrite, in.record()), in.sequence());
}

absl::StatusOr<UnaryRequest> FromProto(const v1::UpdateRequest& in) {
  return MakeRequest(in.file(), RecordOperation(OperationKind::kUpdate, in.record()),
                     in.sequence());
}

absl::StatusOr<UnaryRequest> FromProto(const v1::DeleteRequest& in) {
  return MakeRequest(in.file(), KeyOperation(OperationKind::kDelete, in.key()), in.sequence());
}

absl::StatusOr<UnaryRequest> FromProto(const v1::ReadRequest& in) {
  absl::StatusOr<ReadMode> mode = FromProto(in.mode());
  if (!mode.ok()) return mode.status();
  Operation operation = KeyOperation(OperationKind::kRead, in.key());
  operation.mode = *mode;
  operation.reverse = in.reverse();
  operation.skip_exact = in.skip_exact();
  absl::StatusOr<UnaryRequest> request = MakeRequest(in.file(), operation, 0);
  if (request.ok()) request->operation.lock_timeout_ms = in.lock_timeout_ms();
  return request;
}

absl::Status ToProto(BatchResult&& result, v1::WriteResponse* out) {
  return ChangeToProto(result, out);
}

absl::Status ToProto(BatchResult&& result, v1::UpdateResponse* out) {
  return ChangeToProto(result, out);
}

absl::Status ToProto(BatchResult&& result, v1::DeleteResponse* out) {
  return ChangeToProto(result, out);
}

absl::Status ToProto(BatchResult&& result, v1::ReadResponse* out) {
  if (absl::Status status = ChangeToProto(result, out); !status.ok()) return status;
  const OperationResult& one = result.results.front();
  if (one.offset == 0 && one.length == result.data.size()) {
    *out->mutable_record() = std::move(result.data);
  } else {
    out->set_record(std::string(result.record(0)));
  }
  return absl::OkStatus();
}

BatchResult FromProto(v1::WriteResponse&& in) {
  return OutcomeFromProto(in.outcome());
}
BatchResult FromProto(v1::UpdateResponse&& in) {
  return OutcomeFromProto(in.outcome());
}
BatchResult FromProto(v1::DeleteResponse&& in) {
  return OutcomeFromProto(in.outcome());
}

BatchResult FromProto(v1::ReadResponse&& in) {
  BatchResult result = OutcomeFromProto(in.outcome());
  result.data = std::move(*in.mutable_record());
  result.results.front().length = static_cast<uint32_t>(result.data.size());
  return result;
}

void ToProto(const ScanRequest& request, v1::ScanRequest* out) {
  ToProto(request.file, out->mutable_file());
  ToProto(request.range, out->mutable_range());
  out->set_reverse(request.reverse);
  out->set_start_exclusive(request.start_exclusive);
  out->set_chunk_bytes(request.chunk_bytes);
  out->set_max_records(request.max_records);
  out->set_lock_timeout_ms(request.lock_timeout_ms);
  if (!request.lock_mode) return;
  // Here UNSPECIFIED means no mode at all.
  out->set_lock_mode(*request.lock_mode == LockMode::kNormal
                         ? v1::LOCK_MODE_NORMAL
                         : LockModeToProto(static_cast<uint32_t>(*request.lock_mode)));
}

absl::StatusOr<ScanRequest> FromProto(const v1::ScanRequest& in) {
  absl::StatusOr<FileReference> file = FromProto(in.file());
  if (!file.ok()) return file.status();
  if (in.chunk_bytes() > kMaxMessageBytes) {
    return transport_errors::TooLarge("chunk_bytes", in.chunk_bytes(), kMaxMessageBytes);
  }
  ScanRequest request;
  request.file = *std::move(file);
  request.range = FromProto(in.range());
  request.reverse = in.reverse();
  request.start_exclusive = in.start_exclusive();
  request.chunk_bytes = in.chunk_bytes();
  request.max_records = in.max_records();
  request.lock_timeout_ms = in.lock_timeout_ms();
  if (in.lock_mode() == v1::LOCK_MODE_UNSPECIFIED) return request;
  const uint32_t mode = LockModeFromProto(in.lock_mode());
  if (!IsLockMode(mode)) return transport_errors::UnknownEnumerator("lock_mode", in.lock_mode());
  request.lock_mode = static_cast<LockMode>(mode);
  return request;
}

absl::StatusOr<ScanPage> FromProto(v1::ScanResponse&& in) {
  ScanPage page;
  page.end = in.end();
  if (!in.has_chunk()) return page;
  absl::StatusOr<RecordChunk> chunk = FromProto(std::move(*in.mutable_chunk()));
  if (!chunk.ok()) return chunk.status();
  page.chunk = *std::move(chunk);
  return page;
}

void ToProto(const LoadRequest& request, v1::LoadHeader* out) {
  ToProto(request.file, out->mutable_file());
  out->set_on_error(request.continue_on_error ? v1::ON_ERROR_CONTINUE : v1::ON_ERROR_STOP);
}

absl::StatusOr<LoadRequest> FromProto(const v1::LoadHeader& in) {
  absl::StatusOr<FileReference> file = FromProto(in.file());
  if (!file.ok()) return file.status();
  switch (in.on_error()) {
    case v1::ON_ERROR_UNSPECIFIED:
    case v1::ON_ERROR_STOP:
      return LoadRequest{*std::move(file), false};
    case v1::ON_ERROR_CONTINUE:
      return LoadRequest{*std::move(file), true};
    default:
      return transport_errors::UnknownEnumerator("on_error", in.on_error());
  }
}

void ToProto(const LoadAnswer& answer, v1::LoadResponse* out) {
  out->set_chunk(answer.chunk);
  out->set_accepted(answer.accepted);
  for (const auto& [index, status] : answer.refused) {
    v1::RefusedRecord* refused = out->add_refused();
    refused->set_index(index);
    ToProto(status, refused->mutable_error());
  }
  out->set_stopped(answer.stopped);
}

LoadAnswer FromProto(const v1::LoadResponse& in) {
  LoadAnswer answer;
  answer.chunk = in.chunk();
  answer.accepted = in.accepted();
  for (const v1::RefusedRecord& refused : in.refused()) {
    answer.refused.emplace_back(refused.index(), FromProto(refused.error()));
  }
  answer.stopped = in.stopped();
  return answer;
}

}  // namespace quire
