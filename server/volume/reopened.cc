#include "server/volume/reopened.h"

#include <optional>
#include <utility>

#include "server/volume/errors.h"

namespace quire {

bool GoOnAsBefore(const VolumeState& state, OpenEntry& open, const PartitionMark& mark) {
  if (mark.epoch >= open.answers_since) return true;
  // It has come back before, but its client did not hear of it.
  if (!CheckNothingLost(state, mark).ok()) open.lost = mark;
  return false;
}

bool GoOnAfterRestart(VolumeState& state, OpenEntry& open, const PartitionMark& mark) {
  if (!CheckNothingLost(state, mark).ok()) open.lost = mark;
  open.answers_since = state.recovered_answers.floor();
  AdoptAnswers(state, open);
  // A later epoch than the present one: the volume was restored to what it was before.
  const bool kept =
      open.entry->durable() && mark.epoch < state.epoch && mark.epoch >= open.answers_since;
  if (!kept) open.answers_since = state.epoch;
  return kept;
}

void AdoptAnswers(VolumeState& state, OpenEntry& open) {
  std::optional<RecoveredAnswers::Entry> entry =
      state.recovered_answers.Take(open.entry->id(), AnswerKey(open));
  if (!entry.has_value()) return;
  open.answers = std::move(entry->answers);
  open.answers_since = entry->since;
}

absl::Status CheckNothingLost(const VolumeState& state, const PartitionMark& mark) {
  const std::optional<uint64_t> first = state.covered_epochs.FirstLost(mark, state.epoch);
  if (!first.has_value()) return absl::OkStatus();
  return volume_error::ChangesLost(state.options.name, *first, mark.change_sequence);
}

}  // namespace quire
