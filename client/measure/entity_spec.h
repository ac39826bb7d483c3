// Which records a LIST is about: an entity type and a name with wild cards.
//
//   DISCOPEN, DISKFILE   * | [[$vol.]subvol.]file, "*" in a part for any characters
//   DISC, PROCESS        * | $vol, the same in it; PROCESS $vol is the volume's server
#ifndef QUIRE_CLIENT_MEASURE_ENTITY_SPEC_H_
#define QUIRE_CLIENT_MEASURE_ENTITY_SPEC_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "quire/file_name.h"
#include "quire/measure.h"

namespace quire {
namespace measure {

// Upper-case names of the entities and their enumerators, in the same order.
absl::Span<const std::string_view> EntityNames();
std::string_view EntityName(Entity entity);
Entity EntityAt(size_t index);

bool IsFileEntity(Entity entity);

// The name of a record's file as it stands on the record's own volume.
std::string RecordFile(const EntityRecord& record);

class EntitySpec {
 public:
  // Missing parts of file names come from `defaults`. Errors: 13.
  static absl::StatusOr<EntitySpec> Parse(Entity entity, std::string_view text,
                                          const NameDefaults& defaults);

  Entity entity() const { return entity_; }
  bool MatchesVolume(std::string_view volume) const;
  bool Matches(const EntityRecord& record) const;
  // The one volume it can be about; empty when the volume has wild cards.
  std::string OnlyVolume() const;
  // "DISCOPEN $DATA01.MEASURE.OUT*".
  std::string ToString() const;

 private:
  EntitySpec(Entity entity, FileName pattern);

  Entity entity_;
  FileName pattern_;  // DISC and PROCESS: only the volume counts
};

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_ENTITY_SPEC_H_
