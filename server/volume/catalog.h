// The files of a volume: by name, by id, and those being purged. Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_CATALOG_H_
#define QUIRE_SERVER_VOLUME_CATALOG_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "server/cache/block_cache.h"
#include "server/counters/counters.h"
#include "server/keyseq/key_sequenced_file.h"

namespace quire {

// A file with what the disc process keeps about it. Stays at its address until purged.
struct FileEntry {
  FileEntry(FileLabel label, BlockCache* cache) : file(std::move(label), cache) {}

  KeySequencedFile file;
  CounterSet counters;             // DISKFILE: all opens together
  uint64_t last_change_batch = 0;  // trail batch that holds the last change (R-D7)
  uint64_t buffered_change = 0;    // change sequence of the last change while it was BUFFERED
  uint64_t state_batch = 0;        // open batch that will carry the structural state (R-D1)
  bool barrier = false;            // ALTER of the mode under way: requests wait (R-D6)
  uint32_t open_count = 0;         // sessions; implicit opens are not counted
  uint32_t excluding_opens = 0;    // of them: exclusive or protected

  // Changes are in the trail before their replies: write-through or audited.
  bool durable() const { return file.cached().write_through || label().attributes.audit; }

  const FileLabel& label() const { return file.label(); }
  FileId id() const { return file.label().id; }
};

class Catalog {
 public:
  // Both outlive the catalog. Without `read_ahead` nothing is brought ahead of sequential readers.
  explicit Catalog(BlockCache* cache, ReadAhead* read_ahead = nullptr)
      : cache_(cache), read_ahead_(read_ahead) {}

  // Recovery and CREATE. The label's id and name must be free.
  FileEntry* Add(FileLabel label);
  // Takes the file out of the names and drops its cached blocks; its label becomes a tombstone
  // whose blocks control points delete slice by slice (R-D12).
  void Purge(FileEntry* entry);
  // Recovery: a tombstone found in the store.
  void AddTombstone(FileLabel label);
  // A control point deleted the last block: the tombstone's label may go.
  void Forget(FileId id) { tombstones_.erase(id); }

  FileEntry* Find(const FileName& name) const;  // node part ignored; nullptr when absent
  FileEntry* FindId(FileId id) const;

  const std::map<std::string, FileEntry*>& by_name() const { return by_name_; }
  const std::map<FileId, FileLabel>& tombstones() const { return tombstones_; }
  const absl::flat_hash_map<FileId, std::unique_ptr<FileEntry>>& by_id() const { return by_id_; }

  FileId next_file_id = 1;  // ids are never reused; kept in meta and in CREATE records

 private:
  BlockCache* cache_;
  ReadAhead* read_ahead_;
  absl::flat_hash_map<FileId, std::unique_ptr<FileEntry>> by_id_;
  std::map<std::string, FileEntry*> by_name_;  // "SUBVOL.FILE": listings are in this order
  std::map<FileId, FileLabel> tombstones_;
};

// Key of Catalog::by_name.
std::string CatalogKey(const FileName& name);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_CATALOG_H_
