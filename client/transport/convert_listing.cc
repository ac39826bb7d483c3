#include "client/transport/convert_listing.h"

#include <algorithm>
#include <utility>

#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/errors.h"
#include "quire/limits.h"

namespace quire {
namespace {

void OpenToProto(const OpenInfo& open, v1::OpenDescription* out) {
  ToProto(open.file, out->mutable_file());
  out->set_open_id(open.open_id);
  out->set_client_name(WireText(open.client_name, kMaxClientNameBytes));
  out->set_access(static_cast<uint32_t>(open.access));
  out->set_exclusion(static_cast<uint32_t>(open.exclusion));
  out->set_sync_depth(open.sync_depth);
  out->set_lock_mode(open.lock_mode);
  out->set_owner_group(open.owner_group);
  out->set_owner_user(open.owner_user);
  out->set_opened_us(open.opened_us);
  out->set_implicit(open.implicit);
  out->set_detached(open.detached);
  out->set_locks(open.locks);
}

absl::StatusOr<OpenInfo> OpenFromProto(const v1::OpenDescription& in) {
  constexpr uint32_t kNoExclusion = 2;  // FILE_OPEN_ leaves it out
  if (in.access() > static_cast<uint32_t>(AccessMode::kWrite)) {
    return transport_errors::MalformedAnswer("an open with an unknown access mode");
  }
  if (in.exclusion() > static_cast<uint32_t>(Exclusion::kProtected) ||
      in.exclusion() == kNoExclusion) {
    return transport_errors::MalformedAnswer("an open with an unknown exclusion");
  }
  OpenInfo open;
  open.file = FromProto(in.file());
  open.open_id = in.open_id();
  open.client_name = in.client_name();
  open.access = static_cast<AccessMode>(in.access());
  open.exclusion = static_cast<Exclusion>(in.exclusion());
  open.sync_depth = in.sync_depth();
  open.lock_mode = in.lock_mode();
  open.owner_group = in.owner_group();
  open.owner_user = in.owner_user();
  open.opened_us = in.opened_us();
  open.implicit = in.implicit();
  open.detached = in.detached();
  open.locks = in.locks();
  return open;
}

// Kinds have the same numbers on the wire; 0 is a record lock.
absl::StatusOr<LockKind> LockKindFromProto(v1::LockKind kind) {
  if (kind == v1::LOCK_KIND_UNSPECIFIED) return LockKind::kRecord;
  if (v1::LockKind_IsValid(kind)) return static_cast<LockKind>(kind);
  return transport_errors::MalformedAnswer("a lock of an unknown kind");
}

void LockToProto(const LockInfo& lock, v1::LockDescription* out) {
  ToProto(lock.file, out->mutable_file());
  out->set_kind(static_cast<v1::LockKind>(lock.kind));
  out->set_granted(lock.granted);
  out->set_open_id(lock.open_id);
  out->set_client_name(WireText(lock.client_name, kMaxClientNameBytes));
  out->set_key(lock.key);
  out->set_since_us(lock.since_us);
}

absl::StatusOr<LockInfo> LockFromProto(const v1::LockDescription& in) {
  const absl::StatusOr<LockKind> kind = LockKindFromProto(in.kind());
  if (!kind.ok()) return kind.status();
  LockInfo lock;
  lock.file = FromProto(in.file());
  lock.kind = *kind;
  lock.granted = in.granted();
  lock.open_id = in.open_id();
  lock.client_name = in.client_name();
  lock.key = in.key();
  lock.since_us = in.since_us();
  return lock;
}

}  // namespace

void ToProto(const ListOpensRequest& request, v1::ListOpensRequest* out) {
  ToProto(request.file, out->mutable_file());
  out->set_page_size(request.page_size);
  out->set_page_token(request.page_token);
}

absl::StatusOr<ListOpensRequest> FromProto(const v1::ListOpensRequest& in) {
  absl::StatusOr<FileReference> file = FromProto(in.file());
  if (!file.ok()) return file.status();
  return ListOpensRequest{*std::move(file), std::min(in.page_size(), kListPageSize),
                          in.page_token()};
}

void ToProto(const ListOpensPage& page, v1::ListOpensResponse* out) {
  for (const OpenInfo& open : page.opens) OpenToProto(open, out->add_opens());
  out->set_next_page_token(page.next_page_token);
}

absl::StatusOr<ListOpensPage> FromProto(const v1::ListOpensResponse& in) {
  ListOpensPage page;
  for (const v1::OpenDescription& one : in.opens()) {
    absl::StatusOr<OpenInfo> open = OpenFromProto(one);
    if (!open.ok()) return open.status();
    page.opens.push_back(*std::move(open));
  }
  page.next_page_token = in.next_page_token();
  return page;
}

void ToProto(const ListLocksRequest& request, v1::ListLocksRequest* out) {
  ToProto(request.file, out->mutable_file());
  out->set_granted_only(request.granted_only);
  out->set_page_size(request.page_size);
  out->set_page_token(request.page_token);
}

absl::StatusOr<ListLocksRequest> FromProto(const v1::ListLocksRequest& in) {
  absl::StatusOr<FileReference> file = FromProto(in.file());
  if (!file.ok()) return file.status();
  return ListLocksRequest{*std::move(file), in.granted_only(),
                          std::min(in.page_size(), kListPageSize), in.page_token()};
}

void ToProto(const ListLocksPage& page, v1::ListLocksResponse* out) {
  for (const LockInfo& lock : page.locks) LockToProto(lock, out->add_locks());
  out->set_next_page_token(page.next_page_token);
}

absl::StatusOr<ListLocksPage> FromProto(const v1::ListLocksResponse& in) {
  ListLocksPage page;
  for (const v1::LockDescription& one : in.locks()) {
    absl::StatusOr<LockInfo> lock = LockFromProto(one);
    if (!lock.ok()) return lock.status();
    page.locks.push_back(*std::move(lock));
  }
  page.next_page_token = in.next_page_token();
  return page;
}

}  // namespace quire
