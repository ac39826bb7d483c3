#include "server/volume/open_table.h"

#include <algorithm>
#include <utility>

#include "quire/limits.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr int kRequestsOfOpen = 2;  // open and label fetch (R-C3)

}  // namespace

void OpenEntry::Count(Counter counter, int64_t amount) {
  counters.Add(counter, amount);
  if (entry != nullptr) entry->counters.Add(counter, amount);
}

void OpenEntry::CountCalls(const BlockCalls& calls) {
  counters.AddCalls(calls);
  if (entry != nullptr) entry->counters.AddCalls(calls);
}

bool Conflicts(AccessMode held_access, Exclusion held, AccessMode access, Exclusion exclusion) {
  if (held == Exclusion::kExclusive || exclusion == Exclusion::kExclusive) return true;
  const bool held_writes = held_access != AccessMode::kRead;
  const bool writes = access != AccessMode::kRead;
  // Protected: others may read, not write. It works both ways.
  return (held == Exclusion::kProtected && writes) ||
         (exclusion == Exclusion::kProtected && held_writes);
}

absl::Status OpenTable::CheckConflict(const FileEntry* entry, AccessMode access,
                                      Exclusion exclusion) const {
  // The common case must not walk all opens.
  if (exclusion == Exclusion::kShared && entry->excluding_opens == 0) return absl::OkStatus();
  for (const auto& [id, open] : opens_) {
    // An idle single call must not keep sessions out; it obeys them, they do not obey it.
    if (open->entry != entry || open->implicit) continue;
    if (Conflicts(open->access, open->exclusion, access, exclusion)) {
      return volume_error::FileInUse(entry->label().name, open->client_name);
    }
  }
  return absl::OkStatus();
}

OpenEntry* OpenTable::Add(FileEntry* entry, OpenEntry open) {
  auto owned = std::make_unique<OpenEntry>(std::move(open));
  OpenEntry* const raw = owned.get();
  raw->entry = entry;
  raw->name = entry->label().name;
  raw->last_use_us = raw->opened_us;
  opens_.emplace(raw->id, std::move(owned));
  if (!raw->implicit) ++entry->open_count;
  if (raw->exclusion != Exclusion::kShared) ++entry->excluding_opens;
  entry->file.mutable_label().last_open_us = raw->opened_us;
  entry->file.label_changed = true;
  raw->Count(Counter::kRequests, kRequestsOfOpen);
  return raw;
}

absl::StatusOr<OpenEntry*> OpenTable::Open(FileEntry* entry, const OpenRequest& request,
                                           int64_t now_us) {
  if (opens_.size() >= kMaxOpens) return volume_error::OpenTableFull(kMaxOpens);
  OpenEntry open;
  open.id = request.file.open_id;
  if (open.id == 0) {
    while (opens_.contains(next_own_id_)) ++next_own_id_;
    open.id = next_own_id_++;
  } else if (opens_.contains(open.id)) {
    return volume_error::AlreadyOpen(open.id);
  }
  absl::Status conflict = CheckConflict(entry, request.access, request.exclusion);
  if (!conflict.ok()) return conflict;
  open.client_name = request.file.client_name;
  open.access = request.access;
  open.exclusion = request.exclusion;
  open.sync_depth = request.sync_depth;
  open.opened_us = now_us;
  return Add(entry, std::move(open));
}

absl::StatusOr<OpenEntry*> OpenTable::Resume(const FileEntry* entry, const OpenRequest& request,
                                             uint64_t epoch) {
  const uint64_t id = request.file.open_id;
  if (OpenEntry* const open = Find(id); open != nullptr) {
    if (open->entry == entry && !open->implicit) return open;
    return volume_error::NotOpen(id);
  }
  const std::vector<PartitionMark>& marks = request.resume->state.partitions;
  const bool known = marks.size() == 1 && marks[0].epoch != 0;
  if (!known) return WhyNotOpen(id);
  if (marks[0].epoch == epoch) {
    // It was open here. Only the last opens closed are remembered, so that one which is not known
    // to have been closed ran out of its lease.
    const bool closed = std::any_of(closed_.begin(), closed_.end(), [id](const OpenEntry& open) {
      return open.id == id && !open.expired;
    });
    return closed ? volume_error::NotOpen(id) : volume_error::LeaseExpired(id);
  }
  if (marks[0].locks > 0) return volume_error::RestartedWithLocks(id, marks[0].locks);
  return nullptr;
}

absl::Status OpenTable::WhyNotOpen(uint64_t id) const {
  for (const OpenEntry& open : closed_) {
    if (open.id == id && open.expired) return volume_error::LeaseExpired(id);
  }
  return volume_error::NotOpen(id);
}

OpenTable::ImplicitKey OpenTable::KeyOf(const OpenEntry& open) {
  return ImplicitKey(open.entry, open.client_id, open.client_name);
}

absl::StatusOr<OpenEntry*> OpenTable::Implicit(FileEntry* entry, const FileReference& reference,
                                               int64_t now_us) {
  absl::Status conflict = CheckConflict(entry, AccessMode::kReadWrite, Exclusion::kShared);
  if (!conflict.ok()) return conflict;
  const ImplicitKey key(entry, reference.client_id, reference.client_name);
  if (const auto found = implicit_.find(key); found != implicit_.end()) return found->second;
  if (opens_.size() >= kMaxOpens) return volume_error::OpenTableFull(kMaxOpens);
  OpenEntry open;
  while (opens_.contains(next_own_id_)) ++next_own_id_;
  open.id = next_own_id_++;
  open.client_name = reference.client_name;
  open.client_id = reference.client_id;
  open.answers = SavedAnswers(kUnaryAnswersKept);
  open.implicit = true;
  open.opened_us = now_us;
  OpenEntry* const raw = Add(entry, std::move(open));
  entry->counters.Add(Counter::kTransientOpens);
  implicit_.emplace(key, raw);
  return raw;
}

OpenEntry* OpenTable::Find(uint64_t id) {
  const auto found = opens_.find(id);
  return found == opens_.end() ? nullptr : found->second.get();
}

void OpenTable::Close(OpenEntry* open, int64_t now_us) {
  open->Count(Counter::kRequests);
  if (open->implicit) {
    implicit_.erase(KeyOf(*open));
  } else {
    --open->entry->open_count;
    if (open->exclusion != Exclusion::kShared) --open->entry->excluding_opens;
  }
  const auto node = opens_.extract(open->id);
  OpenEntry closed = std::move(*node.mapped());
  closed.entry = nullptr;
  closed.position.reset();
  closed.answers = SavedAnswers(0);
  closed.end_stream = nullptr;
  closed.closed_us = now_us;
  closed_.push_back(std::move(closed));
  if (closed_.size() > kClosedOpensKept) closed_.pop_front();
}

std::vector<OpenEntry*> OpenTable::LeasesOver(int64_t now_us, int64_t lease_us) const {
  std::vector<OpenEntry*> over;
  for (const auto& [id, open] : opens_) {
    const bool idle = open->waits == 0 && (open->implicit || open->stream == 0);
    const int64_t since = open->implicit ? open->last_use_us : open->detached_us;
    if (idle && now_us - since >= lease_us) over.push_back(open.get());
  }
  return over;
}

void OpenTable::CloseImplicit(FileEntry* entry, int64_t now_us) {
  std::vector<OpenEntry*> ended;
  for (const auto& [key, open] : implicit_) {
    if (open->entry == entry) ended.push_back(open);
  }
  for (OpenEntry* open : ended) Close(open, now_us);
}

const OpenEntry* OpenTable::SessionOn(const FileEntry* entry) const {
  if (entry->open_count == 0) return nullptr;
  for (const auto& [id, open] : opens_) {
    if (open->entry == entry && !open->implicit) return open.get();
  }
  return nullptr;
}

}  // namespace quire
