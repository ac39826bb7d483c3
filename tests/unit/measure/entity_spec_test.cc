#include "client/measure/entity_spec.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace measure {
namespace {

EntityRecord OpenOf(const std::string& volume, const std::string& subvolume,
                    const std::string& file) {
  EntityRecord record;
  record.entity = Entity::kDiscopen;
  record.volume = volume;
  record.file = FileName{"", "$DATA01", subvolume, file};
  return record;
}

EntityRecord DiscOf(const std::string& volume) {
  EntityRecord record;
  record.entity = Entity::kDisc;
  record.volume = volume;
  return record;
}

EntitySpec Spec(Entity entity, std::string_view text, const NameDefaults& defaults = {}) {
  absl::StatusOr<EntitySpec> spec = EntitySpec::Parse(entity, text, defaults);
  EXPECT_TRUE(spec.ok()) << text << ": " << spec.status();
  return *std::move(spec);
}

TEST(EntitySpecTest, StarIsEverything) {
  const EntitySpec spec = Spec(Entity::kDiscopen, "*");
  EXPECT_TRUE(spec.Matches(OpenOf("$DATA07", "A", "B")));
  EXPECT_FALSE(spec.Matches(DiscOf("$DATA07")));
  EXPECT_EQ(spec.OnlyVolume(), "");
  EXPECT_TRUE(Spec(Entity::kDisc, "*").Matches(DiscOf("$DATA07")));
}

TEST(EntitySpecTest, PartsMayHaveStars) {
  const EntitySpec spec = Spec(Entity::kDiscopen, "$data01.mea*.out*");
  EXPECT_TRUE(spec.Matches(OpenOf("$DATA01", "MEASURE", "OUTFILE")));
  EXPECT_FALSE(spec.Matches(OpenOf("$DATA02", "MEASURE", "OUTFILE")));
  EXPECT_FALSE(spec.Matches(OpenOf("$DATA01", "OTHER", "OUTFILE")));
  EXPECT_EQ(spec.OnlyVolume(), "$DATA01");
  EXPECT_EQ(spec.ToString(), "DISCOPEN $DATA01.MEA*.OUT*");
  EXPECT_TRUE(
      Spec(Entity::kDiscopen, "*.MEASURE.*").Matches(OpenOf("$DATA09", "MEASURE", "OUTFILE")));
}

// A partition's record may carry the name by which the file was opened: its own volume counts.
TEST(EntitySpecTest, TheRecordsOwnVolumeCounts) {
  const EntityRecord record = OpenOf("$DATA05", "MEASURE", "OUTFILE");
  EXPECT_TRUE(Spec(Entity::kDiscopen, "$DATA05.MEASURE.OUTFILE").Matches(record));
  EXPECT_FALSE(Spec(Entity::kDiscopen, "$DATA01.MEASURE.OUTFILE").Matches(record));
  EXPECT_EQ(RecordFile(record), "$DATA05.MEASURE.OUTFILE");
}

TEST(EntitySpecTest, MissingPartsComeFromDefaults) {
  const NameDefaults defaults{"", "$DATA01", "MEASURE"};
  EXPECT_EQ(Spec(Entity::kDiskfile, "OUTFILE", defaults).ToString(),
            "DISKFILE $DATA01.MEASURE.OUTFILE");
  EXPECT_EQ(NumberOf(EntitySpec::Parse(Entity::kDiskfile, "OUTFILE", {}).status()),
            ErrorNumber::kIllegalName);
}

TEST(EntitySpecTest, VolumesForDiscAndProcess) {
  EXPECT_TRUE(Spec(Entity::kDisc, "$data0*").Matches(DiscOf("$DATA07")));
  EXPECT_EQ(Spec(Entity::kProcess, "$data02").ToString(), "PROCESS $DATA02");
  for (const char* text : {"DATA01", "$DATA01.A.B", "$", "$TOOLONGNAME", ".A"}) {
    EXPECT_EQ(NumberOf(EntitySpec::Parse(Entity::kDisc, text, {}).status()),
              ErrorNumber::kIllegalName)
        << text;
  }
}

TEST(EntitySpecTest, EveryEntityHasAName) {
  for (size_t i = 0; i < EntityNames().size(); ++i) {
    EXPECT_EQ(EntityName(EntityAt(i)), EntityNames()[i]);
  }
  EXPECT_EQ(EntityNames().size(), 4u);
}

}  // namespace
}  // namespace measure
}  // namespace quire
