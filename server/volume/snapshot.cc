#include "server/volume/snapshot.h"

#include <unistd.h>

#include "quire/text.h"
#include "server/counters/process_counters.h"

namespace quire {
namespace {

EntityRecord NewRecord(const VolumeState& state, Entity entity) {
  EntityRecord record;
  record.entity = entity;
  record.volume = state.options.name;
  return record;
}

void AddLookaside(const LookasideFigures& figures, CounterSet& set) {
  constexpr int64_t kNanosecondsPerMicro = 1000;
  set.Set(Counter::kIndexReads, figures.index_reads);
  set.Set(Counter::kLookasideBypassed, figures.bypassed);
  set.Set(Counter::kLookasideCachedSamples, figures.cached_samples);
  set.Set(Counter::kLookasideCachedTime, figures.cached_sample_ns / kNanosecondsPerMicro);
  set.Set(Counter::kLookasideDecisions, figures.decisions);
  set.Set(Counter::kLookasideFrozenBlocks, static_cast<int64_t>(figures.frozen_blocks));
  set.Set(Counter::kLookasideFrozenBytes, static_cast<int64_t>(figures.frozen_bytes));
  set.Set(Counter::kLookasideKept, figures.kept);
  set.Set(Counter::kLookasideStoreSamples, figures.store_samples);
  set.Set(Counter::kLookasideStoreTime, figures.store_sample_ns / kNanosecondsPerMicro);
}

void AddReadAhead(const ReadAheadTotals& ahead, CounterSet& set) {
  set.Set(Counter::kReadAheadAsked, ahead.asked.load(std::memory_order_relaxed));
  set.Set(Counter::kReadAheadBrought, ahead.brought.load(std::memory_order_relaxed));
  set.Set(Counter::kReadAheadPauses, ahead.pauses.load(std::memory_order_relaxed));
  set.Set(Counter::kReadAheadUnused, ahead.unused.load(std::memory_order_relaxed));
  set.Set(Counter::kReadAheadUsed, ahead.used.load(std::memory_order_relaxed));
}

EntityRecord DiscRecord(VolumeState& state) {
  CounterSet set = state.disc;
  const StoreStatistics store = state.store->Statistics();
  set.Set(Counter::kReads, store.reads);
  set.Set(Counter::kInputBytes, store.read_bytes);
  set.Set(Counter::kReadTime, store.read_micros);
  set.Set(Counter::kWrites, store.writes);
  set.Set(Counter::kOutputBytes, store.written_bytes);
  set.Set(Counter::kSyncs, store.syncs);
  set.Set(Counter::kWriteTime, store.commit_micros);
  set.Set(Counter::kEndingFreeSpace, store.capacity_bytes - store.used_bytes);
  const TrailStatistics trail = state.trail->Statistics();
  set.Set(Counter::kTrailBatches, trail.batches);
  set.Set(Counter::kTrailBytes, trail.written_bytes);
  set.Set(Counter::kTrailSyncs, trail.syncs);
  set.Set(Counter::kTrailSyncTime, trail.sync_micros);
  set.Set(Counter::kDirtyBlocks, static_cast<int64_t>(state.cache->dirty_blocks()));
  set.Set(Counter::kCacheBytes, static_cast<int64_t>(state.cache->memory_bytes()));
  AddLookaside(state.cache->LookasideSoFar(), set);
  if (state.read_ahead != nullptr) AddReadAhead(state.read_ahead->totals(), set);
  set.Set(Counter::kOldestReaderAge,
          state.options.clock->MonotonicMicros() - state.snapshot_renewed_us);
  EntityRecord record = NewRecord(state, Entity::kDisc);
  record.counters = set.Values(Entity::kDisc);
  return record;
}

EntityRecord ProcessRecord(VolumeState& state) {
  CounterSet set;
  ReadProcessCounters(&set);
  EntityRecord record = NewRecord(state, Entity::kProcess);
  record.opener = StrCat(state.options.program, " pid ", getpid());
  record.counters = set.Values(Entity::kProcess);
  return record;
}

EntityRecord FileRecord(VolumeState& state, FileEntry& entry) {
  CounterSet set = entry.counters;
  set.Set(Counter::kEndingEof, static_cast<int64_t>(entry.file.eof_bytes()));
  EntityRecord record = NewRecord(state, Entity::kDiskfile);
  record.file = entry.label().name;
  record.counters = set.Values(Entity::kDiskfile);
  return record;
}

EntityRecord OpenRecord(VolumeState& state, const OpenEntry& open) {
  EntityRecord record = NewRecord(state, Entity::kDiscopen);
  record.file = open.name;
  record.open_id = open.id;
  record.opener = open.client_name;
  record.opened_us = open.opened_us;
  record.closed_us = open.closed_us;
  record.counters = open.counters.Values(Entity::kDiscopen);
  return record;
}

}  // namespace

VolumeSnapshot TakeSnapshot(VolumeState& state) {
  VolumeSnapshot snapshot;
  snapshot.volume = state.options.name;
  snapshot.epoch = state.epoch;
  snapshot.time_us = state.NowMicros();
  snapshot.records.push_back(DiscRecord(state));
  snapshot.records.push_back(ProcessRecord(state));
  for (const auto& [name, entry] : state.catalog->by_name()) {
    snapshot.records.push_back(FileRecord(state, *entry));
  }
  for (const OpenEntry& open : state.opens.closed()) {
    snapshot.records.push_back(OpenRecord(state, open));
  }
  for (const auto& [id, open] : state.opens.opens()) {
    snapshot.records.push_back(OpenRecord(state, *open));
  }
  return snapshot;
}

}  // namespace quire
