// What a volume's end leaves in store and trail, for tests of recovery.
#ifndef QUIRE_TESTS_UNIT_VOLUME_STORED_STATE_H_
#define QUIRE_TESTS_UNIT_VOLUME_STORED_STATE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/base/clock.h"
#include "server/keyseq/file_label.h"
#include "server/trail/trail_batch.h"
#include "tests/support/test_volume.h"

namespace quire::test {

// Labels and blocks of files of BLOCK 512 in a store.
struct StoredFiles {
  std::map<std::string, FileLabel> labels;
  std::map<std::string, std::map<BlockNumber, std::string>> blocks;  // those in use
};
StoredFiles ReadStoredFiles(const std::shared_ptr<MemoryDisc>& disc);
// The first thing that is not the same in both; empty: nothing.
std::string DifferenceOf(const StoredFiles& one, const StoredFiles& other);

struct StoredRecord {
  TrailRecordKind kind;
  FileId file;
  std::string payload;
};
// What recovery would replay now. The volume is closed or has crashed.
std::vector<StoredRecord> ReadStoredTrail(TestVolume& volume);

// A wall clock moved by hand: labels hold times.
class WallClock : public Clock {
 public:
  int64_t WallMicros() const override { return wall_us; }
  int64_t MonotonicMicros() const override { return Clock::Real()->MonotonicMicros(); }
  int64_t wall_us = 1'000'000;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_VOLUME_STORED_STATE_H_
