#include "client/transport/convert_session.h"

#include <utility>

#include "client/transport/convert_common.h"
#include "client/transport/convert_file.h"
#include "client/transport/errors.h"
#include "quire/limits.h"
#include "quire/position.h"

namespace quire {
namespace {

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

absl::StatusOr<OpenState> StateFromToken(const std::string& token) {
  if (token.empty()) return OpenState();
  return DecodeOpenState(token);
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
  out->set_lock_mode(LockModeToProto(request.lock_mode));
  if (!request.resume) return;
  v1::Resume* resume = out->mutable_resume();
  resume->set_token(EncodeOpenState(request.resume->state));
  resume->set_acked_through(request.resume->acked_through);
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
  if (request.sync_depth > kMaxSyncDepth) {
    return transport_errors::OutOfRange("sync_depth", request.sync_depth, kMaxSyncDepth);
  }
  request.lock_mode = LockModeFromProto(in.lock_mode());
  if (!in.has_resume()) return request;
  absl::StatusOr<OpenState> state = StateFromToken(in.resume().token());
  if (!state.ok()) return state.status();
  request.resume = OpenResume{*std::move(state), in.resume().acked_through()};
  return request;
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
  out->set_token(EncodeOpenState(opened.state));
  out->set_answers_kept(opened.answers_kept);
}

absl::StatusOr<Opened> FromProto(const v1::Opened& in) {
  absl::StatusOr<FileInfo> info = FromProto(in.info());
  if (!info.ok()) return info.status();
  absl::StatusOr<OpenState> state = StateFromToken(in.token());
  if (!state.ok()) return state.status();
  Opened opened;
  opened.open_id = in.open_id();
  opened.lease_ms = in.lease_ms();
  opened.credits = in.credits();
  opened.max_batch_bytes = in.max_batch_bytes();
  opened.max_batch_operations = in.max_batch_operations();
  opened.epoch = in.epoch();
  opened.info = *std::move(info);
  opened.warning = static_cast<ErrorNumber>(in.warning());
  opened.state = *std::move(state);
  opened.answers_kept = in.answers_kept();
  return opened;
}

}  // namespace quire
