// The opens of a volume: sessions and implicit ones, with their DISCOPEN counters; the last closed
// ones stay for Snapshot (R-C4). Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_OPEN_TABLE_H_
#define QUIRE_SERVER_VOLUME_OPEN_TABLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/service.h"
#include "server/counters/counters.h"
#include "server/volume/catalog.h"

namespace quire {

struct OpenEntry {
  uint64_t id = 0;
  FileEntry* entry = nullptr;
  FileName name;
  std::string client_name;
  AccessMode access = AccessMode::kReadWrite;
  Exclusion exclusion = Exclusion::kShared;
  uint32_t sync_depth = 1;
  bool implicit = false;  // of a single call; ends after the lease without calls (R-S1)
  int64_t opened_us = 0;
  int64_t last_use_us = 0;
  int64_t closed_us = 0;
  CounterSet counters;

  // Counts on the open and on its file.
  void Count(Counter counter, int64_t amount = 1);
  void CountCalls(const BlockCalls& calls);
};

class OpenTable {
 public:
  // A session's open: 12 when it conflicts (Enscribe's exclusion matrix), 22 id in use, 35 table
  // full. Counts two requests: the open and the label that goes with it.
  absl::StatusOr<OpenEntry*> Open(FileEntry* entry, const OpenRequest& request, int64_t now_us);
  // The implicit open of (client name, file), made at need: 12, 35.
  absl::StatusOr<OpenEntry*> Implicit(FileEntry* entry, const std::string& client_name,
                                      int64_t now_us);
  OpenEntry* Find(uint64_t id);  // nullptr when not open
  // Counts the request of the close.
  void Close(OpenEntry* open, int64_t now_us);
  // Closes implicit opens unused for lease_us.
  void EndLeases(int64_t now_us, int64_t lease_us);
  // Closes the implicit opens of a file that is being purged.
  void CloseImplicit(FileEntry* entry, int64_t now_us);
  // Who keeps `entry` open with a session; nullptr: nobody.
  const OpenEntry* SessionOn(const FileEntry* entry) const;

  const std::map<uint64_t, std::unique_ptr<OpenEntry>>& opens() const { return opens_; }
  const std::deque<OpenEntry>& closed() const { return closed_; }

 private:
  using ImplicitKey = std::pair<const FileEntry*, std::string>;
  absl::Status CheckConflict(const FileEntry* entry, AccessMode access, Exclusion exclusion) const;
  OpenEntry* Add(FileEntry* entry, OpenEntry open);

  std::map<uint64_t, std::unique_ptr<OpenEntry>> opens_;
  std::map<ImplicitKey, OpenEntry*> implicit_;
  std::deque<OpenEntry> closed_;
  // Ids of opens this volume had to name itself have the top bit set; clients' random ids may too,
  // so each is tried against the table.
  uint64_t next_own_id_ = uint64_t{1} << 63;
};

// Enscribe's matrix: whether an open in the first way excludes one in the second.
bool Conflicts(AccessMode held_access, Exclusion held, AccessMode access, Exclusion exclusion);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_OPEN_TABLE_H_
