#include "server/volume/list_opens.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "quire/limits.h"
#include "quire/text.h"
#include "server/volume/errors.h"
#include "server/volume/resolve.h"

namespace quire {
namespace {

size_t PageSize(uint32_t asked) {
  return asked == 0 ? kListPageSize : std::min(asked, kListPageSize);
}

// Page tokens of ListLocks: "F" behind the file lock, "R" and the last key in hexadecimal.
std::string TokenBehind(const LockLine& line) {
  if (line.kind == LockKind::kFile) return "F";
  return "R" + absl::BytesToHexString(ToAbsl(line.key));
}

bool IsHexadecimal(std::string_view text) {
  return text.size() % 2 == 0 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Whether `line` comes behind the page that gave `token`.
bool IsBehind(const LockLine& line, std::string_view token, std::string_view last_key) {
  if (token.empty()) return true;
  if (line.kind == LockKind::kFile) return false;
  return token == "F" || std::string_view(line.key) > last_key;
}

bool SameGroup(const LockLine& a, const LockLine& b) {
  return (a.kind == LockKind::kFile) == (b.kind == LockKind::kFile) && a.key == b.key;
}

OpenInfo InfoOf(const VolumeState& state, const OpenEntry& open) {
  const FileLabel& label = open.entry->label();
  OpenInfo info;
  info.file = label.name;
  info.open_id = open.id;
  info.client_name = open.client_name;
  info.access = open.access;
  info.exclusion = open.exclusion;
  info.sync_depth = open.sync_depth;
  info.lock_mode = open.lock_mode;
  // Callers have no identity until security is built: they act as the volume's default user.
  info.owner_group = state.options.default_owner_group;
  info.owner_user = state.options.default_owner_user;
  info.opened_us = open.opened_us;
  info.implicit = open.implicit;
  info.detached = !open.implicit && open.stream == 0;
  info.locks = state.locks.Held(open.id);
  return info;
}

}  // namespace

absl::StatusOr<ListOpensPage> ListOpens(const VolumeState& state, const ListOpensRequest& request) {
  const absl::StatusOr<FileEntry*> entry = ResolveFile(state, request.file);
  if (!entry.ok()) return entry.status();
  uint64_t last = 0;
  if (!request.page_token.empty() && !absl::SimpleAtoi(request.page_token, &last)) {
    return volume_error::BadPageToken();
  }
  ListOpensPage page;
  const auto& opens = state.opens.opens();
  for (auto open = opens.upper_bound(last); open != opens.end(); ++open) {
    if (open->second->entry != *entry) continue;
    if (page.opens.size() == PageSize(request.page_size)) {
      page.next_page_token = StrCat(page.opens.back().open_id);
      break;
    }
    page.opens.push_back(InfoOf(state, *open->second));
  }
  return page;
}

absl::StatusOr<ListLocksPage> ListLocks(VolumeState& state, const ListLocksRequest& request) {
  const absl::StatusOr<FileEntry*> entry = ResolveFile(state, request.file);
  if (!entry.ok()) return entry.status();
  const std::string_view token = request.page_token;
  const bool good =
      token.empty() || token == "F" || (token.front() == 'R' && IsHexadecimal(token.substr(1)));
  if (!good) return volume_error::BadPageToken();
  std::string last_key;
  if (token.size() > 1) last_key = absl::HexStringToBytes(ToAbsl(token.substr(1)));
  ListLocksPage page;
  const LockLine* previous = nullptr;
  const std::vector<LockLine> lines = state.locks.List((*entry)->id());
  for (const LockLine& line : lines) {
    if (!IsBehind(line, token, last_key) || (request.granted_only && !line.granted)) continue;
    const bool full = page.locks.size() >= PageSize(request.page_size);
    if (full && !SameGroup(*previous, line)) {
      page.next_page_token = TokenBehind(*previous);
      break;
    }
    previous = &line;
    const OpenEntry* const open = state.opens.Find(line.owner);
    page.locks.push_back(LockInfo{(*entry)->label().name, line.kind, line.granted, line.owner,
                                  open == nullptr ? "" : open->client_name, line.key,
                                  line.since_us});
  }
  return page;
}

}  // namespace quire
