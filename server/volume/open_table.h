// The opens of a volume: sessions and implicit ones, with their DISCOPEN counters; the last closed
// ones stay for Snapshot (R-C4). Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_OPEN_TABLE_H_
#define QUIRE_SERVER_VOLUME_OPEN_TABLE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/limits.h"
#include "quire/service.h"
#include "server/counters/counters.h"
#include "server/keyseq/open_position.h"
#include "server/volume/catalog.h"
#include "server/volume/open_key.h"
#include "server/volume/saved_answers.h"

namespace quire {

struct OpenEntry {
  uint64_t id = 0;
  FileEntry* entry = nullptr;
  FileName name;
  std::string client_name;
  AccessMode access = AccessMode::kReadWrite;
  Exclusion exclusion = Exclusion::kShared;
  uint32_t sync_depth = 1;
  bool implicit = false;   // of a single call; ends after the lease without calls (R-S1)
  uint64_t client_id = 0;  // of an implicit open, 0: by name only
  uint32_t lock_mode = 0;  // a LockMode
  std::unique_ptr<OpenPosition> position;  // of sessions
  SavedAnswers answers{kMaxSavedAnswers};
  // Epoch: a client that last heard of the volume before it may miss answers here.
  uint64_t answers_since = 0;
  uint64_t buffered_change = 0;  // change sequence of its last change of a BUFFERED file (R-D9)
  // Acknowledged changes of it were lost: its next operation gets 122. What its client told of it,
  // and goes on to be told until then, so that another restart does not hide the loss.
  std::optional<PartitionMark> lost;
  // The stream that holds it (its order key); 0: none, and the lease runs since detached_us.
  uint64_t stream = 0;
  int64_t detached_us = 0;
  std::function<void()> end_stream;  // tells that stream that another has taken the open over
  bool expired = false;              // closed because its lease ended
  uint32_t waits = 0;                // requests of it that wait for locks
  int64_t opened_us = 0;
  int64_t last_use_us = 0;
  int64_t closed_us = 0;
  CounterSet counters;

  // Counts on the open and on its file.
  void Count(Counter counter, int64_t amount = 1);
  void CountCalls(const BlockCalls& calls);
};

// Whether the answers of its numbered mutations are kept for repeating (R-S2).
inline bool KeepsAnswers(const OpenEntry& open) {
  return open.implicit ? open.client_id != 0 : open.sync_depth > 0;
}
// What names it over restarts of the volume.
inline OpenKey AnswerKey(const OpenEntry& open) {
  return open.implicit ? OpenKey{open.client_id, true} : OpenKey{open.id, false};
}

class OpenTable {
 public:
  // A session's open: 12 when it conflicts (Enscribe's exclusion matrix), 22 id in use, 35 table
  // full. Counts two requests: the open and the label that goes with it.
  absl::StatusOr<OpenEntry*> Open(FileEntry* entry, const OpenRequest& request, int64_t now_us);
  // The open that `request` resumes. 60 when its lease has ended, or its volume was restarted (it
  // has another epoch than `epoch`) while it held locks; 16 when it was closed, or is of another
  // file. nullptr: the volume was restarted, open it anew (R-S3).
  absl::StatusOr<OpenEntry*> Resume(const FileEntry* entry, const OpenRequest& request,
                                    uint64_t epoch);
  // The implicit open of (client, file), made at need: 12, 35.
  absl::StatusOr<OpenEntry*> Implicit(FileEntry* entry, const FileReference& reference,
                                      int64_t now_us);
  OpenEntry* Find(uint64_t id);  // nullptr when not open
  // Why Find has nothing: 60 when the lease of that open ended, else 16.
  absl::Status WhyNotOpen(uint64_t id) const;
  // Counts the request of the close.
  void Close(OpenEntry* open, int64_t now_us);
  // Opens whose lease is over: implicit ones unused, and those without a stream, for lease_us.
  std::vector<OpenEntry*> LeasesOver(int64_t now_us, int64_t lease_us) const;
  // Closes the implicit opens of a file that is being purged.
  void CloseImplicit(FileEntry* entry, int64_t now_us);
  // Who keeps `entry` open with a session; nullptr: nobody.
  const OpenEntry* SessionOn(const FileEntry* entry) const;

  const std::map<uint64_t, std::unique_ptr<OpenEntry>>& opens() const { return opens_; }
  const std::deque<OpenEntry>& closed() const { return closed_; }

 private:
  using ImplicitKey = std::tuple<const FileEntry*, uint64_t, std::string>;
  static ImplicitKey KeyOf(const OpenEntry& open);
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
