#include "server/volume/resolve.h"

#include "server/volume/errors.h"
#include "server/volume/reopened.h"

namespace quire {

FileEntry* FindFile(const VolumeState& state, const FileName& name) {
  return name.volume == state.options.name ? state.catalog->Find(name) : nullptr;
}

absl::StatusOr<FileEntry*> ResolveFile(const VolumeState& state, const FileReference& reference) {
  const FileName& name = reference.name;
  if (name.volume != state.options.name) {
    return volume_error::WrongVolume(name, state.options.name);
  }
  FileEntry* const entry = state.catalog->Find(name);
  if (entry == nullptr) {
    // Whoever routed here by a label must read it again: the file has left this volume.
    return reference.create_id != 0 ? volume_error::StaleRoute(name)
                                    : volume_error::NoSuchFile(name);
  }
  const FileLabel& label = entry->label();
  if (reference.create_id == 0 && label.partition != 0) {
    return volume_error::SecondaryByName(name, label.primary_volume);
  }
  if (reference.create_id != 0 && reference.create_id != label.create_id) {
    return volume_error::StaleRoute(name);
  }
  return entry;
}

absl::StatusOr<FileEntry*> ResolveNamed(const VolumeState& state, const FileReference& reference) {
  FileReference by_name = reference;
  const FileEntry* const named = FindFile(state, reference.name);
  if (named != nullptr && by_name.create_id == 0) {
    if (named->label().pending) return volume_error::NoSuchFile(reference.name);
    by_name.create_id = named->label().create_id;
  }
  return ResolveFile(state, by_name);
}

absl::StatusOr<FileEntry*> ResolveForAccess(const VolumeState& state,
                                            const FileReference& reference) {
  absl::StatusOr<FileEntry*> entry = ResolveFile(state, reference);
  if (entry.ok() && (*entry)->label().pending) {
    return volume_error::PendingPartition(reference.name);
  }
  return entry;
}

absl::StatusOr<OpenEntry*> ResolveOpen(VolumeState& state, const FileReference& reference) {
  if (reference.open_id != 0) {
    OpenEntry* const open = state.opens.Find(reference.open_id);
    if (open == nullptr) return state.opens.WhyNotOpen(reference.open_id);
    if (open->name.subvolume != reference.name.subvolume ||
        open->name.file != reference.name.file) {
      return volume_error::NotOpen(reference.open_id);
    }
    return open;
  }
  const absl::StatusOr<FileEntry*> entry = ResolveForAccess(state, reference);
  if (!entry.ok()) return entry.status();
  const int64_t now = state.NowMicros();
  absl::StatusOr<OpenEntry*> open = state.opens.Implicit(*entry, reference, now);
  if (!open.ok()) return open;
  (*open)->last_use_us = now;
  if (reference.client_id != 0 && !state.recovered_answers.empty()) AdoptAnswers(state, **open);
  return open;
}

}  // namespace quire
