#include "client/fup/create_settings.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

CreateSettings Settings(const std::string& text) {
  TokenCursor cursor(*Tokenize(text), text);
  const auto parameters = ParseCreateParameters(cursor);
  EXPECT_TRUE(parameters.ok()) << parameters.status();
  CreateSettings settings;
  for (const CreateParameter& parameter : parameters.value()) {
    EXPECT_TRUE(ApplyParameter(parameter, settings).ok());
  }
  return settings;
}

TEST(CreateSettingsTest, PartitionsMayComeInAnyOrderAndBeReplaced) {
  const auto attributes = AttributesOf(
      Settings("PART (2,$D3,1,1,\"B\"), PART (1,$D9,1,1,\"A\"), PART (1,$d2,4,5,\"A\")"));
  ASSERT_TRUE(attributes.ok());
  ASSERT_EQ(attributes->partitions.size(), 2u);
  EXPECT_EQ(attributes->partitions[0], (PartitionSpec{"$D2", {4, 5}, "A"}));
  EXPECT_EQ(attributes->partitions[1].volume, "$D3");
}

TEST(CreateSettingsTest, AMissingPartitionNumberIsNamed) {
  const absl::Status status =
      AttributesOf(Settings("PART (1,$D2,1,1,\"A\"), PART (3,$D3,1,1,\"B\")")).status();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kBadParameter);
  EXPECT_THAT(std::string(status.message()), testing::StartsWith("PART 2 is missing"));
}

TEST(CreateSettingsTest, RecordsCountWithTheAttributesSetBefore) {
  EXPECT_EQ(Settings("REC 1676, EXT 100 RECS").attributes.extents.primary_pages, 102u);
  EXPECT_LT(Settings("EXT 100 RECS, REC 1676").attributes.extents.primary_pages, 20u);
}

TEST(CreateSettingsTest, ResetOneOrAll) {
  CreateSettings settings = Settings("REC 100, CODE 7, BUFFERED, PART (1,$D2)");
  ResetSettings({CreateKeyword::kCode, CreateKeyword::kPart}, settings);
  EXPECT_EQ(settings, Settings("REC 100, BUFFERED"));
  ResetSettings({}, settings);
  EXPECT_EQ(settings, CreateSettings{});
}

// Lines 130 and 288 of the manual: BUFFERED follows AUDIT unless it was said.
TEST(CreateSettingsTest, BufferedFollowsAudit) {
  EXPECT_TRUE(Settings("AUDIT").attributes.buffered);
  EXPECT_FALSE(Settings("AUDIT, NO AUDIT").attributes.buffered);
  EXPECT_TRUE(Settings("BUFFERED, AUDIT, NO AUDIT").attributes.buffered);
  const CreateSettings contrary = Settings("NO BUFFERED, AUDIT");
  EXPECT_FALSE(contrary.attributes.buffered);
  EXPECT_EQ(NumberOf(AttributesOf(contrary).status()), ErrorNumber::kInvalidOperation);
  CreateSettings settings = Settings("NO BUFFERED, AUDIT");
  ResetSettings({CreateKeyword::kBuffered}, settings);
  EXPECT_EQ(settings, Settings("AUDIT"));
  ResetSettings({CreateKeyword::kAudit}, settings);
  EXPECT_EQ(settings, CreateSettings{});
  // LIKE tells the one from the other by what the file has.
  EXPECT_EQ(SettingsOf(Settings("AUDIT").attributes), Settings("AUDIT"));
  EXPECT_EQ(SettingsOf(Settings("BUFFERED").attributes), Settings("BUFFERED"));
}

TEST(CreateSettingsTest, RoundTripWithAttributes) {
  const CreateSettings settings =
      Settings("REC 100, PART (1,$D2,1,1,\"A\"), PART (2,$D3,1,1,\"B\")");
  EXPECT_EQ(SettingsOf(*AttributesOf(settings)), settings);
}

TEST(CreateSettingsTest, BadVolumeNameChangesNothing) {
  const std::string text = "PART (1, DATA02)";
  TokenCursor cursor(*Tokenize(text), text);
  CreateSettings settings;
  const absl::Status status = ApplyParameter(ParseCreateParameters(cursor)->front(), settings);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kIllegalName);
  EXPECT_EQ(settings, CreateSettings{});
}

}  // namespace
}  // namespace quire
