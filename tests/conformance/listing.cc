#include "tests/conformance/listing.h"

#include <algorithm>
#include <string_view>

#include "quire/text.h"

namespace quire::conformance {
namespace {

std::string NameOf(uint64_t open_id, const OpenNames& names) {
  const auto found = names.find(open_id);
  return found == names.end() ? StrCat("open ", open_id) : found->second;
}

std::string_view AccessWord(AccessMode access) {
  switch (access) {
    case AccessMode::kReadWrite:
      return "read-write";
    case AccessMode::kRead:
      return "read";
    case AccessMode::kWrite:
      return "write";
  }
  return "?";
}

std::string_view ExclusionWord(Exclusion exclusion) {
  switch (exclusion) {
    case Exclusion::kShared:
      return "shared";
    case Exclusion::kExclusive:
      return "exclusive";
    case Exclusion::kProtected:
      return "protected";
  }
  return "?";
}

// What one open has of the lock of the whole file.
struct FileLock {
  uint64_t open_id = 0;
  uint32_t granted = 0;  // partitions
  bool waits = false;
};

std::vector<FileLock> FileLocks(const std::vector<LockInfo>& locks) {
  std::vector<FileLock> files;
  for (const LockInfo& lock : locks) {
    if (lock.kind != LockKind::kFile) continue;
    auto file = std::find_if(files.begin(), files.end(),
                             [&](const FileLock& known) { return known.open_id == lock.open_id; });
    if (file == files.end()) file = files.insert(file, {.open_id = lock.open_id});
    if (lock.granted) {
      ++file->granted;
    } else {
      file->waits = true;
    }
  }
  // The holder first, those who wait in their order.
  std::stable_sort(files.begin(), files.end(),
                   [](const FileLock& a, const FileLock& b) { return !a.waits && b.waits; });
  return files;
}

}  // namespace

std::vector<std::string> LockLines(const std::vector<LockInfo>& locks, const OpenNames& names,
                                   uint32_t partitions) {
  std::vector<std::string> lines;
  for (const FileLock& file : FileLocks(locks)) {
    std::string line =
        StrCat(NameOf(file.open_id, names), file.waits ? " waits" : " holds", " file");
    if (!file.waits && file.granted != partitions) {
      StrAppend(&line, " in ", file.granted, " partitions of ", partitions);
    }
    lines.push_back(std::move(line));
  }
  for (const LockInfo& lock : locks) {
    if (lock.kind == LockKind::kFile) continue;
    lines.push_back(StrCat(NameOf(lock.open_id, names), lock.granted ? " holds " : " waits ",
                           lock.key, lock.kind == LockKind::kGeneric ? "*" : ""));
  }
  return lines;
}

std::vector<std::string> OpenLines(const std::vector<OpenInfo>& opens, const OpenNames& names) {
  std::vector<std::string> lines;
  for (const OpenInfo& open : opens) {
    lines.push_back(StrCat(NameOf(open.open_id, names), " ", AccessWord(open.access), " ",
                           ExclusionWord(open.exclusion), " depth ", open.sync_depth, " mode ",
                           open.lock_mode, open.implicit ? " implicit" : "",
                           open.detached ? " detached" : ""));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace quire::conformance
