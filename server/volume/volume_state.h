// Everything the disc process role owns. Touched only by the thread that holds the role (and by
// Open before the threads start); trail and store have their own rules for the other two roles.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_STATE_H_
#define QUIRE_SERVER_VOLUME_VOLUME_STATE_H_

#include <cstdint>
#include <memory>

#include "server/cache/block_cache.h"
#include "server/counters/counters.h"
#include "server/keyseq/lock_table.h"
#include "server/store/block_store.h"
#include "server/trail/trail.h"
#include "server/volume/catalog.h"
#include "server/volume/covered_epochs.h"
#include "server/volume/directory_lock.h"
#include "server/volume/open_table.h"
#include "server/volume/recovered_answers.h"
#include "server/volume/volume.h"
#include "server/volume/volume_read_ahead.h"

namespace quire {

struct VolumeState {
  VolumeOptions options;
  std::unique_ptr<DirectoryLock> lock;
  std::unique_ptr<DirectoryLock> trail_lock;  // of a trail that has a directory of its own
  std::unique_ptr<BlockStore> store;
  std::unique_ptr<Trail> trail;
  std::unique_ptr<BlockCache> cache;
  std::unique_ptr<VolumeReadAhead> read_ahead;  // null: none
  std::unique_ptr<Catalog> catalog;
  OpenTable opens;
  LockTable locks;
  RecoveredAnswers recovered_answers;  // of opens of earlier epochs (R-D10)
  CoveredEpochs covered_epochs;        // ended ones (R-D9)
  CounterSet disc;                     // DISC, physical figures added when read
  uint64_t volume_id = 0;              // random, made with the volume
  uint64_t epoch = 0;                  // raised durably at every start (R-D2)
  uint64_t change_sequence = 0;        // changes executed, ever (R-D9)
  Lsn last_lsn = 0;                    // of the last trail record sealed
  int64_t snapshot_renewed_us = 0;
  int64_t started_us = 0;  // wall clock, when it began to serve

  int64_t NowMicros() const { return options.clock->WallMicros(); }
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_STATE_H_
