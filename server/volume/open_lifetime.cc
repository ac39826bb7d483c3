#include "server/volume/open_lifetime.h"

#include <utility>

namespace quire {

void EndOpen(VolumeState& state, OpenEntry* open) {
  state.locks.ReleaseOwner(open->id);
  state.opens.Close(open, state.NowMicros());
  state.disc.Add(Counter::kRequests);
}

void DetachOpen(VolumeState& state, DiscProcess& process, OpenEntry* open) {
  process.EndLockWait(std::exchange(open->stream, 0), LockWaitEnd::kGivenUp);
  open->end_stream = nullptr;
  open->detached_us = state.NowMicros();
}

void EndLeases(VolumeState& state) {
  const int64_t lease_us = int64_t{state.options.lease_ms} * 1000;
  if (!state.recovered_answers.empty() && state.NowMicros() - state.started_us >= lease_us) {
    state.recovered_answers.DropAll(state.epoch);
  }
  for (OpenEntry* open : state.opens.LeasesOver(state.NowMicros(), lease_us)) {
    if (open->implicit) {  // holds no locks
      state.opens.Close(open, state.NowMicros());
      continue;
    }
    open->expired = true;
    // Should it come back after a restart, it must not pass for one that had nothing to forget.
    if (open->answers.size() > 0) state.recovered_answers.RaiseFloor(state.epoch + 1);
    EndOpen(state, open);
  }
}

}  // namespace quire
