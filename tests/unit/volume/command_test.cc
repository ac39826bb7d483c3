#include "server/volume/command.h"

#include <gtest/gtest.h>

#include "quire/error.h"
#include "server/volume/control_point.h"

namespace quire {
namespace {

TEST(Command, RoundTrips) {
  for (CommandKind kind : {CommandKind::kCreate, CommandKind::kPurge, CommandKind::kAlter}) {
    Command command{kind, 123456, {}};
    command.label.id = 9;
    command.label.name = FileName{"", "$DATA01", "S", "F"};
    command.label.security = "NUNU";
    command.label.attributes.key_length = 4;
    command.label.attributes = *Normalize(command.label.attributes);
    const absl::StatusOr<Command> decoded = DecodeCommand(EncodeCommand(command));
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(decoded->kind, kind);
    EXPECT_EQ(decoded->time_us, 123456);
    EXPECT_EQ(decoded->label, command.label);
  }
}

TEST(Command, EveryTruncationIs59) {
  const std::string bytes = EncodeCommand(Command{CommandKind::kCreate, 1, {}});
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(NumberOf(DecodeCommand(std::string_view(bytes).substr(0, size)).status()),
              ErrorNumber::kFileBad);
  }
  std::string unknown = bytes;
  unknown[0] = 77;
  EXPECT_FALSE(DecodeCommand(unknown).ok());
}

TEST(ControlPointMeta, RoundTripsAndRefusesDamage) {
  const ControlPointMeta meta{1, 2, 3, 4};
  const std::string bytes = EncodeControlPointMeta(meta);
  const absl::StatusOr<ControlPointMeta> decoded = DecodeControlPointMeta(bytes);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->lsn, 1U);
  EXPECT_EQ(decoded->epoch, 2U);
  EXPECT_EQ(decoded->next_file_id, 3U);
  EXPECT_EQ(decoded->change_sequence, 4U);
  EXPECT_FALSE(DecodeControlPointMeta(bytes.substr(1)).ok());
  EXPECT_FALSE(DecodeControlPointMeta(bytes + "x").ok());
}

}  // namespace
}  // namespace quire
