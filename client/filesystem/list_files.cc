#include "client/filesystem/list_files.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "client/filesystem/await.h"
#include "client/filesystem/describe_file.h"
#include "client/filesystem/errors.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace {

// Where a listing stands: "$DATA01/1/token", the volume, the pass over it, and the volume's own
// page token.
enum class Pass : char {
  kFiles = '0',    // all that the volume shows
  kPending = '1',  // of a pending listing: what the volume knows to be pending
  kOrphans = '2',  // then those of its secondaries whose primary is gone
};

struct Place {
  std::string volume;
  Pass pass = Pass::kFiles;
  std::string token;
};

std::string ToToken(const Place& place) {
  return StrCat(place.volume, "/", std::string(1, static_cast<char>(place.pass)), "/", place.token);
}

absl::StatusOr<Place> ParseToken(const std::string& token, bool pending) {
  const size_t slash = token.find('/');
  if (slash == std::string::npos || slash + 2 >= token.size() || token[slash + 2] != '/') {
    return filesystem_errors::BadPageToken();
  }
  const Pass pass = static_cast<Pass>(token[slash + 1]);
  const bool known =
      pending ? pass == Pass::kPending || pass == Pass::kOrphans : pass == Pass::kFiles;
  if (!known) return filesystem_errors::BadPageToken();
  return Place{token.substr(0, slash), pass, token.substr(slash + 3)};
}

bool IsOrphan(const VolumeSet& volumes, const FileInfo& secondary) {
  FileReference primary;
  primary.name = secondary.name.OnVolume(secondary.primary_volume);
  primary.create_id = secondary.create_id;
  const absl::StatusOr<FileInfo> label = PartitionInfo(volumes, primary);
  // A primary whose volume does not answer may be there: not an orphan.
  if (label.ok()) return label->create_id != secondary.create_id;
  const ErrorNumber number = NumberOf(label.status());
  return number == ErrorNumber::kNotFound || number == ErrorNumber::kReopen ||
         number == ErrorNumber::kPartitionMissing;
}

absl::StatusOr<ListPage> PageAt(const VolumeSet& volumes, const ListRequest& request,
                                const Place& place, uint32_t page_size) {
  absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(place.volume);
  if (!volume.ok()) return volume.status();
  ListRequest ask;
  ask.fileset = request.fileset.OnVolume(place.volume);
  ask.pending = place.pass == Pass::kPending;
  ask.page_size = page_size;
  ask.page_token = place.token;
  absl::StatusOr<ListPage> page = Await<absl::StatusOr<ListPage>>(
      [&](auto done) { (*volume)->List(std::move(ask), std::move(done)); });
  if (!page.ok()) return filesystem_errors::AsReadFailure(page.status(), place.volume);
  std::erase_if(page->files, [&](FileInfo& info) {
    switch (place.pass) {
      case Pass::kFiles:
        return info.pending;
      case Pass::kPending:
        return !info.pending;
      case Pass::kOrphans:
        break;
    }
    if (info.partition == 0 || info.pending || !IsOrphan(volumes, info)) return true;
    info.pending = true;
    return false;
  });
  return page;
}

// The volumes a fileset names, in order; 14 when it names one that is not there.
absl::StatusOr<std::vector<std::string>> VolumesOf(const VolumeSet& volumes,
                                                   const std::string& pattern) {
  if (pattern.find_first_of("*?") == std::string::npos) {
    if (auto found = volumes.Find(pattern); !found.ok()) return found.status();
    return std::vector<std::string>{pattern};
  }
  std::vector<std::string> names = volumes.Names();
  std::erase_if(names, [&](const std::string& name) { return !MatchesPart(pattern, name); });
  return names;
}

// The place after the last page of `place`; false after the last volume.
bool Advance(const std::vector<std::string>& names, Place* place) {
  place->token.clear();
  if (place->pass == Pass::kPending) {
    place->pass = Pass::kOrphans;
    return true;
  }
  const auto next = std::upper_bound(names.begin(), names.end(), place->volume);
  if (next == names.end()) return false;
  place->volume = *next;
  if (place->pass == Pass::kOrphans) place->pass = Pass::kPending;
  return true;
}

absl::StatusOr<Place> FirstPlace(const ListRequest& request,
                                 const std::vector<std::string>& names) {
  if (request.page_token.empty()) {
    return Place{names.front(), request.pending ? Pass::kPending : Pass::kFiles, ""};
  }
  absl::StatusOr<Place> place = ParseToken(request.page_token, request.pending);
  if (place.ok() && !std::binary_search(names.begin(), names.end(), place->volume)) {
    return filesystem_errors::BadPageToken();
  }
  return place;
}

}  // namespace

absl::StatusOr<ListPage> ListFiles(const VolumeSet& volumes, const ListRequest& request) {
  absl::StatusOr<std::vector<std::string>> names = VolumesOf(volumes, request.fileset.volume);
  if (!names.ok()) return names.status();
  ListPage merged;
  if (names->empty()) return merged;
  absl::StatusOr<Place> place = FirstPlace(request, *names);
  if (!place.ok()) return place.status();
  const uint32_t wanted =
      request.page_size == 0 ? kListPageSize : std::min(request.page_size, kListPageSize);
  absl::Status last_failure;
  bool answered = false;
  while (true) {
    absl::StatusOr<ListPage> page =
        PageAt(volumes, request, *place, wanted - static_cast<uint32_t>(merged.files.size()));
    bool more = false;
    if (page.ok()) {
      answered = true;
      std::move(page->files.begin(), page->files.end(), std::back_inserter(merged.files));
      place->token = page->next_page_token;
      more = !place->token.empty();
    } else if (NumberOf(page.status()) == ErrorNumber::kVolumeDown && names->size() > 1) {
      last_failure = page.status();
    } else {
      return page.status();
    }
    if (!more && !Advance(*names, &*place)) break;
    if (merged.files.size() >= wanted) {
      merged.next_page_token = ToToken(*place);
      return merged;
    }
  }
  if (!answered && request.page_token.empty()) {
    return filesystem_errors::NoVolumeAnswers(ToStd(last_failure.message()));
  }
  return merged;
}

absl::StatusOr<RefreshAnswer> RefreshVolumes(const VolumeSet& volumes, const std::string& volume) {
  const std::vector<std::string> names =
      volume.empty() ? volumes.Names() : std::vector<std::string>{volume};
  const auto answers =
      AwaitAll<absl::StatusOr<RefreshAnswer>>(names, [&](const std::string& name, auto done) {
        absl::StatusOr<std::shared_ptr<Service>> service = volumes.Find(name);
        if (!service.ok()) {
          done(service.status());
          return;
        }
        (*service)->Refresh(name, std::move(done));
      });
  RefreshAnswer sum;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].ok()) return filesystem_errors::AsReadFailure(answers[i].status(), names[i]);
    sum.blocks_written += answers[i]->blocks_written;
    sum.change_sequence = std::max(sum.change_sequence, answers[i]->change_sequence);
  }
  return sum;
}

absl::StatusOr<MeasureSnapshot> SnapshotVolumes(const VolumeSet& volumes,
                                                const SnapshotRequest& request) {
  const bool all = request.volume.empty();
  const std::vector<std::string> names =
      all ? volumes.Names() : std::vector<std::string>{request.volume};
  auto answers =
      AwaitAll<absl::StatusOr<MeasureSnapshot>>(names, [&](const std::string& name, auto done) {
        absl::StatusOr<std::shared_ptr<Service>> service = volumes.Find(name);
        if (!service.ok()) {
          done(service.status());
          return;
        }
        (*service)->Snapshot(SnapshotRequest{name}, std::move(done));
      });
  MeasureSnapshot merged;
  absl::Status last_failure;
  bool answered = answers.empty();
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].ok()) {
      answered = true;
      std::move(answers[i]->volumes.begin(), answers[i]->volumes.end(),
                std::back_inserter(merged.volumes));
      continue;
    }
    last_failure = filesystem_errors::AsReadFailure(answers[i].status(), names[i]);
    if (!all) return last_failure;
  }
  if (!answered) return filesystem_errors::NoVolumeAnswers(ToStd(last_failure.message()));
  return merged;
}

}  // namespace quire
