#include "server/volume/file_commands.h"

#include <algorithm>
#include <random>
#include <utility>

#include "quire/limits.h"
#include "server/volume/errors.h"
#include "server/volume/resolve.h"
#include "server/volume/security.h"

namespace quire {
namespace {

uint64_t RandomId() {
  std::random_device device;
  const uint64_t id = (uint64_t{device()} << 32) | device();
  return id == 0 ? 1 : id;
}

FileInfo Describe(const FileEntry& entry) {
  FileInfo info = InfoOf(entry.label());
  info.open_count = entry.open_count;
  return info;
}

absl::Status CheckPlace(const VolumeState& state, const CreateRequest& create,
                        const FileAttributes& attributes) {
  if (create.name.volume != state.options.name) {
    return volume_error::WrongVolume(create.name, state.options.name);
  }
  if (create.partition_only) {
    const bool exists = create.partition < PartitionCount(attributes);
    if (!exists || create.create_id == 0 || create.primary_volume.empty()) {
      return volume_error::BadOption("a partition needs its number, create id and primary volume");
    }
    return absl::OkStatus();
  }
  for (uint32_t i = 0; i < attributes.partitions.size(); ++i) {
    if (attributes.partitions[i].volume == state.options.name) {
      return volume_error::PartitionHere(i + 1, state.options.name);
    }
  }
  if (!attributes.partitions.empty()) {
    return volume_error::PartitionElsewhere(1, attributes.partitions[0].volume, state.options.name);
  }
  return absl::OkStatus();
}

FileLabel NewLabel(VolumeState& state, const CreateRequest& create, FileAttributes attributes) {
  FileLabel label;
  label.id = state.catalog->next_file_id;
  label.name = create.name;
  label.partition = create.partition_only ? create.partition : 0;
  label.primary_volume = create.partition_only ? create.primary_volume : create.name.volume;
  label.create_id = create.create_id != 0 ? create.create_id : RandomId();
  label.pending = label.partition != 0;
  label.confirmed = attributes.partitions.empty();
  label.attributes = std::move(attributes);
  label.owner_group = create.owner_group.value_or(state.options.default_owner_group);
  label.owner_user = create.owner_user.value_or(state.options.default_owner_user);
  label.security = create.security.empty() ? state.options.default_security : create.security;
  label.created_us = state.NowMicros();
  label.modified_us = label.created_us;
  return label;
}

// Whether a secondary may make way for one of a new file of the same name.
bool IsLeftOver(const FileEntry& entry, const CreateRequest& create) {
  const FileLabel& label = entry.label();
  return create.partition_only && create.partition != 0 && label.partition != 0 &&
         label.primary_volume == create.primary_volume && entry.open_count == 0;
}

void PurgeEntry(VolumeState& state, DiscProcess& process, Request& request, FileEntry* entry) {
  process.BeginChange();
  state.opens.CloseImplicit(entry, state.NowMicros());
  state.recovered_answers.DropFile(entry->id());
  Command command{CommandKind::kPurge, state.NowMicros(), entry->label()};
  process.Log(command, entry, request);
  state.catalog->Purge(entry);
}

void LogAlter(VolumeState& state, DiscProcess& process, Request& request, FileEntry* entry) {
  entry->file.label_changed = true;
  process.Log(Command{CommandKind::kAlter, state.NowMicros(), entry->label()}, entry, request);
}

// How changes become durable (DESIGN §4).
struct FileMode {
  bool buffered = false;
  bool audit = false;
};

FileMode ModeOf(const FileLabel& label) {
  return {label.attributes.buffered, label.attributes.audit};
}

FileMode ModeAfter(const AlterRequest& alter, const FileLabel& label) {
  FileMode mode = ModeOf(label);
  if (alter.audit) mode = {*alter.audit, *alter.audit};
  if (alter.buffered) mode.buffered = *alter.buffered;
  return mode;
}

bool IsMode(FileMode mode) {
  return mode.buffered || !mode.audit;
}

}  // namespace

absl::StatusOr<FileInfo> CreateFile(VolumeState& state, DiscProcess& process, Request& request,
                                    const CreateRequest& create) {
  absl::StatusOr<FileAttributes> attributes = Normalize(create.attributes);
  if (!attributes.ok()) return attributes.status();
  if (absl::Status s = CheckPlace(state, create, *attributes); !s.ok()) return s;
  if (!create.security.empty()) {
    if (absl::Status s = CheckSecurityString(create.security); !s.ok()) return s;
  }
  if (FileEntry* const existing = state.catalog->Find(create.name); existing != nullptr) {
    const FileLabel& label = existing->label();
    if (create.create_id != 0 && label.create_id == create.create_id &&
        label.partition == create.partition) {
      process.WaitForFile(*existing, request);
      return Describe(*existing);
    }
    if (!IsLeftOver(*existing, create)) return volume_error::FileExists(create.name);
    PurgeEntry(state, process, request, existing);
  }
  FileLabel label = NewLabel(state, create, *std::move(attributes));
  const Command command{CommandKind::kCreate, label.created_us, label};
  process.BeginChange();
  FileEntry* const entry = state.catalog->Add(std::move(label));
  entry->file.label_changed = true;
  process.Log(command, entry, request);
  return Describe(*entry);
}

absl::StatusOr<FileDescription> DescribeFile(VolumeState& state, DiscProcess& process,
                                             Request& request, const FileReference& file) {
  state.disc.Add(Counter::kRequests);
  const absl::StatusOr<FileEntry*> entry = ResolveNamed(state, file);
  if (!entry.ok()) return entry.status();
  process.WaitForFile(**entry, request);
  return FileDescription{Describe(**entry), {}};
}

absl::Status AlterFile(VolumeState& state, DiscProcess& process, Request& request,
                       const AlterRequest& alter) {
  const absl::StatusOr<FileEntry*> found = ResolveFile(state, alter.file);
  if (!found.ok()) return found.status();
  FileEntry* const entry = *found;
  if (!alter.max_extents && !alter.step && !alter.buffered && !alter.audit && !alter.lookaside) {
    return volume_error::NothingToAlter();
  }
  process.BeginChange();
  if (alter.max_extents) {
    if (absl::Status s = entry->file.SetMaxExtents(*alter.max_extents); !s.ok()) return s;
  }
  if (alter.step == PartitionStep::kConfirm) entry->file.mutable_label().pending = false;
  if (alter.step == PartitionStep::kConfirmed) entry->file.mutable_label().confirmed = true;
  if (alter.lookaside) entry->file.SetLookaside(*alter.lookaside);
  if (alter.max_extents || alter.step || alter.lookaside) LogAlter(state, process, request, entry);
  return absl::OkStatus();
}

void AlterMode(VolumeState& state, DiscProcess& process, Request& request,
               const AlterRequest& alter, DoneStatus done) {
  const absl::StatusOr<FileEntry*> found = ResolveFile(state, alter.file);
  absl::Status status = found.status();
  if (status.ok() && !IsMode(ModeAfter(alter, (*found)->label()))) {
    status = volume_error::AuditIsBuffered();
  }
  if (status.ok()) status = AlterFile(state, process, request, alter);
  if (!status.ok()) {
    std::move(done)(std::move(status));
    return;
  }
  FileEntry* const entry = *found;
  const FileId id = entry->id();
  const FileMode before = ModeOf(entry->label());
  entry->barrier = true;
  const auto set = [&state, id](FileMode mode) {
    // PURGE waits at the barrier too, so the file is still there.
    state.catalog->FindId(id)->file.SetMode(mode.buffered, mode.audit);
  };
  process.WantControlPoint([set, to = ModeAfter(alter, entry->label())] { set(to); },
                           [&state, id, set, before, done = std::move(done)](
                               absl::StatusOr<ControlPointReport> report) mutable {
                             state.catalog->FindId(id)->barrier = false;
                             if (!report.ok()) set(before);
                             std::move(done)(report.status());
                           });
}

absl::Status PurgeFile(VolumeState& state, DiscProcess& process, Request& request,
                       const PurgeRequest& purge) {
  const absl::StatusOr<FileEntry*> found = ResolveFile(state, purge.file);
  if (!found.ok()) return found.status();
  FileEntry* const entry = *found;
  if (const OpenEntry* open = state.opens.SessionOn(entry); open != nullptr) {
    return volume_error::FileInUse(purge.file.name, open->client_name);
  }
  if (!purge.partition_only && !entry->label().attributes.partitions.empty()) {
    return volume_error::PartitionElsewhere(1, entry->label().attributes.partitions[0].volume,
                                            state.options.name);
  }
  // The primary decides; its secondaries follow, and those of an unfinished CREATE may always go.
  if (entry->label().partition == 0) {
    if (absl::Status s = CheckRight(state.options, entry->label(), Right::kPurge); !s.ok())
      return s;
  }
  PurgeEntry(state, process, request, entry);
  return absl::OkStatus();
}

absl::StatusOr<ListPage> ListFiles(VolumeState& state, const ListRequest& list) {
  state.disc.Add(Counter::kRequests);
  ListPage page;
  if (!MatchesPart(list.fileset.volume, state.options.name)) return page;
  const uint32_t size =
      list.page_size == 0 ? kListPageSize : std::min(list.page_size, kListPageSize);
  const auto& files = state.catalog->by_name();
  // A token is the catalog key of the last file given.
  auto at = list.page_token.empty() ? files.begin() : files.upper_bound(list.page_token);
  for (; at != files.end(); ++at) {
    const FileEntry& entry = *at->second;
    if (!MatchesFileset(list.fileset, entry.label().name)) continue;
    if (entry.label().pending != list.pending && !(list.pending && entry.label().partition != 0)) {
      continue;
    }
    if (page.files.size() == size) {
      page.next_page_token = CatalogKey(page.files.back().name);
      break;
    }
    page.files.push_back(Describe(entry));
  }
  return page;
}

}  // namespace quire
