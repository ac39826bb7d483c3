#include "client/fup/open_listing.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/fup/attribute_text.h"
#include "nlohmann/json.hpp"
#include "quire/text.h"

namespace quire {
namespace {

constexpr size_t kProcessWidth = 11;    // column PID of LISTOPENS
constexpr size_t kRequesterWidth = 27;  // column REQUESTER ID of LISTLOCKS
constexpr size_t kKeyColumn = 47;
constexpr size_t kKeyWidth = 80 - kKeyColumn;

// Names come from clients: what a terminal would act upon is not shown.
std::string ShownName(std::string_view name, size_t width = std::string_view::npos) {
  std::string shown(name.substr(0, width));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return shown;
}

std::string ModeText(const OpenInfo& open) {
  const auto access = [&]() -> std::string_view {
    switch (open.access) {
      case AccessMode::kReadWrite:
        return "R/W";
      case AccessMode::kRead:
        return "R";
      case AccessMode::kWrite:
        return "W";
    }
    return "";
  };
  const auto exclusion = [&]() -> std::string_view {
    switch (open.exclusion) {
      case Exclusion::kShared:
        return "S";
      case Exclusion::kExclusive:
        return "E";
      case Exclusion::kProtected:
        return "P";
    }
    return "";
  };
  return StrCat(access(), "-", exclusion());
}

std::string_view TypeText(LockKind kind) {
  switch (kind) {
    case LockKind::kFile:
      return "F";
    case LockKind::kRecord:
      return "R";
    case LockKind::kGeneric:
      return "RG";
  }
  return "";
}

void PrintLock(const LockInfo& lock, bool detail, std::ostream& out) {
  const bool has_key = lock.kind != LockKind::kFile;
  const std::string text = has_key ? LockKeyText(lock.key) : "";
  std::string line = absl::StrFormat(
      "%-4s  %-5s  %-*s  %-3s  %s", TypeText(lock.kind), lock.granted ? "G" : "W",
      static_cast<int>(kRequesterWidth), ShownName(lock.client_name, kRequesterWidth),
      has_key ? StrCat(lock.key.size()) : "", text.substr(0, kKeyWidth));
  absl::StripTrailingAsciiWhitespace(&line);
  out << line << "\n";
  for (size_t at = kKeyWidth; at < text.size(); at += kKeyWidth) {
    out << std::string(kKeyColumn, ' ') << text.substr(at, kKeyWidth) << "\n";
  }
  // All locks of Enscribe are exclusive.
  if (detail) out << std::string(13, ' ') << "LOCK STATE = LK^X\n";
}

}  // namespace

void PrintOpens(const FileName& name, const std::vector<OpenInfo>& opens, std::ostream& out) {
  if (opens.empty()) return;
  out << name.ToString() << "\n"
      << "PID          MODE   USERID   SD  MYTERM               PROGRAM FILE NAME\n";
  for (const OpenInfo& open : opens) {
    std::string line = absl::StrFormat(
        "%-*s  %-5s  %03d,%03d  %02d  %19s  %s", static_cast<int>(kProcessWidth),
        ShownName(open.client_name, kProcessWidth), ModeText(open), open.owner_group,
        open.owner_user, open.sync_depth, "", ShownName(open.client_name));
    absl::StripTrailingAsciiWhitespace(&line);
    out << line << "\n";
  }
}

void PrintLocks(const std::vector<LockInfo>& locks, bool detail, std::ostream& out) {
  const FileName* partition = nullptr;
  for (const LockInfo& lock : locks) {
    if (partition == nullptr || *partition != lock.file) {
      out << lock.file.ToString() << "\n"
          << "LOCK         REQUESTER                    KEY\n"
          << "TYPE  STATE  ID                           LEN  KEY/RECORD ADDRESS\n";
      partition = &lock.file;
    }
    PrintLock(lock, detail, out);
  }
}

std::string LockKeyText(std::string_view key) {
  const auto quoted = [](std::string_view text) {
    return StrCat("\"", absl::StrReplaceAll(ToAbsl(text), {{"\"", "\"\""}}), "\"");
  };
  if (IsPrintable(key)) return quoted(key);
  std::string text;
  while (!key.empty()) {
    const auto odd = std::find_if(key.begin(), key.end(),
                                  [](char c) { return !IsPrintable(std::string_view(&c, 1)); });
    const size_t printable = static_cast<size_t>(odd - key.begin());
    if (!text.empty()) text += ',';
    if (printable > 0) {
      text += quoted(key.substr(0, printable));
    } else {
      text += absl::StrFormat("%%H%02X", static_cast<unsigned char>(key.front()));
    }
    key.remove_prefix(std::max<size_t>(printable, 1));
  }
  return StrCat("[", text, "]");
}

nlohmann::json OpenJson(const OpenInfo& open) {
  return {{"file", open.file.ToString()},    {"open_id", open.open_id},
          {"client_name", open.client_name}, {"mode", ModeText(open)},
          {"sync_depth", open.sync_depth},   {"lock_mode", open.lock_mode},
          {"owner_group", open.owner_group}, {"owner_user", open.owner_user},
          {"opened_us", open.opened_us},     {"implicit", open.implicit},
          {"detached", open.detached},       {"locks", open.locks}};
}

nlohmann::json LockJson(const LockInfo& lock) {
  nlohmann::json json = {
      {"file", lock.file.ToString()},    {"type", std::string(TypeText(lock.kind))},
      {"granted", lock.granted},         {"open_id", lock.open_id},
      {"client_name", lock.client_name}, {"key_hex", absl::BytesToHexString(lock.key)},
      {"since_us", lock.since_us}};
  // JSON text is Unicode; a key of any other bytes has its hexadecimal form only.
  if (IsPrintable(lock.key)) json["key"] = lock.key;
  return json;
}

}  // namespace quire
