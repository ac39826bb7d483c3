#include "server/volume/security.h"

#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";

TEST(SecurityTest, EveryLetterGrantsWhatItSays) {
  VolumeOptions options;  // acts as user 10,1
  FileLabel label;
  const auto allowed = [&](char letter, uint32_t group, uint32_t user) {
    label.security = std::string(4, letter);
    label.owner_group = group;
    label.owner_user = user;
    const absl::Status status = CheckRight(options, label, Right::kRead);
    EXPECT_TRUE(status.ok() || Number(status) == 48);
    return status.ok();
  };
  for (const char letter : {'A', 'N'}) EXPECT_TRUE(allowed(letter, 20, 7));
  for (const char letter : {'G', 'C'}) {
    EXPECT_TRUE(allowed(letter, 10, 7));
    EXPECT_FALSE(allowed(letter, 20, 1));
  }
  for (const char letter : {'O', 'U'}) {
    EXPECT_TRUE(allowed(letter, 10, 1));
    EXPECT_FALSE(allowed(letter, 10, 7));
    EXPECT_FALSE(allowed(letter, 20, 1));
  }
  EXPECT_FALSE(allowed('-', 10, 1));
  options.default_owner_group = options.default_owner_user = 255;
  EXPECT_TRUE(allowed('-', 10, 1));
}

TEST(SecurityTest, StringsAreFourLetters) {
  for (const char* good : {"NUNU", "GOGO", "----", "ACCA"}) {
    EXPECT_TRUE(CheckSecurityString(good).ok()) << good;
  }
  for (const char* bad : {"", "NUN", "NUNUN", "nunu", "NUNX"}) {
    EXPECT_EQ(Number(CheckSecurityString(bad)), 22) << bad;
  }
}

TEST_F(VolumeTest, ReadersAndWritersNeedTheirRights) {
  CreateRequest create = SmallFile(kFile, false);
  create.owner_group = 20;
  create.owner_user = 7;
  create.security = "NONO";  // anybody reads
  ASSERT_TRUE(Create(create).ok());
  EXPECT_EQ(Number(Write(kFile, SmallRecord(1))), 48);
  EXPECT_EQ(Number(Read(kFile, SmallKey(1)).status()), 11);
  KeptSession writer(volume_.volume(), OpenRequest{Ref(kFile)});
  EXPECT_EQ(Number(writer.opened().status()), 48);
  KeptSession reader(volume_.volume(), OpenRequest{Ref(kFile), AccessMode::kRead});
  EXPECT_TRUE(reader.opened().ok());
  EXPECT_TRUE(reader.Close().ok());
  EXPECT_EQ(Number(Purge(kFile)), 48);
  create.security = "?";
  create.name = *ParseFileName("$DATA01.TEST.OTHER");
  EXPECT_EQ(Number(Create(create).status()), 22);
}

}  // namespace
}  // namespace quire::test
