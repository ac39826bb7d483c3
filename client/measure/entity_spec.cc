#include "client/measure/entity_spec.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "client/measure/errors.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

constexpr Entity kEntities[] = {Entity::kDisc, Entity::kDiscopen, Entity::kDiskfile,
                                Entity::kProcess};
constexpr std::string_view kNames[] = {"DISC", "DISCOPEN", "DISKFILE", "PROCESS"};

constexpr std::string_view kEverything = "*";
constexpr std::string_view kEveryVolume = "$*";

// "*" stands for any volume where "$*" is meant.
std::string WithVolumeSign(std::string_view text) {
  const bool three_parts = std::count(text.begin(), text.end(), '.') == 2;
  return three_parts && text.starts_with('*') ? StrCat("$", text) : std::string(text);
}

}  // namespace

absl::Span<const std::string_view> EntityNames() {
  return kNames;
}

std::string_view EntityName(Entity entity) {
  for (size_t i = 0; i < std::size(kEntities); ++i) {
    if (kEntities[i] == entity) return kNames[i];
  }
  return "UNKNOWN";
}

Entity EntityAt(size_t index) {
  return kEntities[index];
}

bool IsFileEntity(Entity entity) {
  return entity == Entity::kDiscopen || entity == Entity::kDiskfile;
}

std::string RecordFile(const EntityRecord& record) {
  if (!IsFileEntity(record.entity)) return "";
  const std::string& volume = record.volume.empty() ? record.file.volume : record.volume;
  return record.file.OnVolume(volume).ToString();
}

EntitySpec::EntitySpec(Entity entity, FileName pattern)
    : entity_(entity), pattern_(std::move(pattern)) {}

absl::StatusOr<EntitySpec> EntitySpec::Parse(Entity entity, std::string_view text,
                                             const NameDefaults& defaults) {
  if (text == kEverything) {
    return EntitySpec(entity, FileName{"", std::string(kEveryVolume), "*", "*"});
  }
  if (IsFileEntity(entity)) {
    absl::StatusOr<FileName> pattern = ParseFileset(WithVolumeSign(text), defaults);
    if (!pattern.ok()) return pattern.status();
    return EntitySpec(entity, *std::move(pattern));
  }
  // A fileset of the whole volume has the rules of a volume with wild cards.
  if (!text.starts_with('$') || text.find('.') != std::string_view::npos) {
    return measure_errors::IllegalVolumeSpecification(EntityName(entity), text);
  }
  absl::StatusOr<FileName> pattern = ParseFileset(StrCat(text, ".*.*"), {});
  if (!pattern.ok()) {
    return measure_errors::IllegalVolumeSpecification(EntityName(entity), text);
  }
  return EntitySpec(entity, *std::move(pattern));
}

bool EntitySpec::MatchesVolume(std::string_view volume) const {
  return MatchesPart(pattern_.volume, volume);
}

bool EntitySpec::Matches(const EntityRecord& record) const {
  if (record.entity != entity_) return false;
  if (!MatchesVolume(record.volume.empty() ? record.file.volume : record.volume)) return false;
  return !IsFileEntity(entity_) || (MatchesPart(pattern_.subvolume, record.file.subvolume) &&
                                    MatchesPart(pattern_.file, record.file.file));
}

std::string EntitySpec::OnlyVolume() const {
  return pattern_.volume.find_first_of("*?") == std::string::npos ? pattern_.volume : "";
}

std::string EntitySpec::ToString() const {
  return StrCat(EntityName(entity_), " ",
                IsFileEntity(entity_) ? pattern_.ToString() : pattern_.volume);
}

}  // namespace measure
}  // namespace quire
