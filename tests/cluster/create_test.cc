// CREATE and PURGE over volumes of which some are down: all or nothing (R-D13, R-S3).
#include <signal.h>

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kThreeParts[] =
    "SET REC 40\nSET KEYLEN 8\nSET PART (1,$DATA02,10,10,\"H\")\nSET PART (2,$DATA03,10,10,\"P\")\n"
    "CREATE $DATA01.S.PARTS\n";

class CreateClusterTest : public ClusterTest {
 protected:
  // The partitions one volume holds, pending ones or all the others.
  size_t FilesOn(int number, bool pending) {
    auto filesystem =
        FileSystem::Connect({.volumes = {{VolumeName(number), volume_address(number)}}});
    if (!filesystem.ok()) return SIZE_MAX;
    auto files =
        (*filesystem)->List({.node = "", .volume = "$*", .subvolume = "*", .file = "*"}, pending);
    return files.ok() ? files->size() : SIZE_MAX;
  }
};

TEST_F(CreateClusterTest, DownVolumeRefusesCreateAndPurgeWhole_R_D13) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(3));
  volume(3).Kill();
  const CommandResult refused = FupScript(kThreeParts);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.output, HasSubstr("ERR 66"));
  EXPECT_THAT(refused.output, HasSubstr("$DATA03"));
  for (const int number : {1, 2}) {
    EXPECT_EQ(FilesOn(number, false), 0u) << number;
    EXPECT_EQ(FilesOn(number, true), 0u) << number;
  }
  ASSERT_NO_FATAL_FAILURE(StartVolume(3));
  // The router connects again within a second or so.
  ASSERT_TRUE(WaitUntil([&] { return FupScript(kThreeParts).exit_code == 0; }));

  volume(2).Kill();
  const CommandResult purge = Fup("PURGE $DATA01.S.PARTS !");
  EXPECT_EQ(purge.exit_code, 1);
  EXPECT_THAT(purge.output, HasSubstr("ERR 66"));
  ASSERT_NO_FATAL_FAILURE(StartVolume(2));
  EXPECT_EQ(Fup("INFO $DATA01.S.PARTS, DETAIL").exit_code, 0);
  for (const int number : {1, 2, 3}) EXPECT_EQ(FilesOn(number, false), 1u) << number;
  EXPECT_TRUE(WaitUntil([&] { return Fup("PURGE $DATA01.S.PARTS !").exit_code == 0; }));
  for (const int number : {1, 2, 3}) EXPECT_EQ(FilesOn(number, false), 0u) << number;
}

// A volume that hangs and then dies while CREATE waits for it: the others are cleaned up.
TEST_F(CreateClusterTest, VolumeDiesInTheMiddleOfCreate_R_D13) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(3));
  volume(3).Signal(SIGSTOP);
  WriteWholeFile(folder() + "/create.in", kThreeParts);
  ChildProcess fup({.arguments = {ProgramPath("fup"), "--router", router_address()},
                    .input_path = folder() + "/create.in",
                    .output_path = folder() + "/create.out"});
  ASSERT_TRUE(WaitUntil([&] { return FilesOn(2, true) == 1; }));
  EXPECT_EQ(FilesOn(2, false), 0u) << "a pending partition is nobody's file yet";
  volume(3).Kill();
  ASSERT_EQ(fup.WaitForExit(), 1);
  EXPECT_THAT(ReadWholeFile(folder() + "/create.out"), HasSubstr("ERR 66"));
  ASSERT_NO_FATAL_FAILURE(StartVolume(3));
  for (const int number : {1, 2, 3}) {
    EXPECT_EQ(FilesOn(number, false), 0u) << number;
    EXPECT_EQ(FilesOn(number, true), 0u) << number;
  }
  EXPECT_TRUE(WaitUntil([&] { return FupScript(kThreeParts).exit_code == 0; }));
}

// The creator itself dies: what it left is invisible, listed as pending, and gone after the
// volume's next start or the next CREATE of the name.
TEST_F(CreateClusterTest, LeftoversOfADeadCreatorAreListedAndGo_R_D13) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(3));
  WriteWholeFile(folder() + "/create.in", kThreeParts);
  const auto leave_one = [&] {
    volume(3).Signal(SIGSTOP);
    ChildProcess fup({.arguments = {ProgramPath("fup"), "--volumes", folder() + "/volumes"},
                      .input_path = folder() + "/create.in",
                      .output_path = folder() + "/create.out"});
    ASSERT_TRUE(WaitUntil([&] { return FilesOn(2, true) == 1; }));
    fup.Kill();
    volume(3).Kill();
    ASSERT_NO_FATAL_FAILURE(StartVolume(3));
  };
  ASSERT_NO_FATAL_FAILURE(leave_one());
  EXPECT_THAT(Fup("FILES $DATA02.S, PENDING").output, HasSubstr("PARTS"));
  EXPECT_THAT(Fup("FILES $DATA02.S").output, Not(HasSubstr("PARTS")));
  EXPECT_THAT(Fup("INFO $DATA01.S.PARTS").output, HasSubstr("ERR 11"));
  volume(2).Kill();
  ASSERT_NO_FATAL_FAILURE(StartVolume(2));
  EXPECT_TRUE(WaitUntil([&] { return FilesOn(2, true) == 0; }));

  ASSERT_NO_FATAL_FAILURE(leave_one());
  EXPECT_TRUE(WaitUntil([&] { return FupScript(kThreeParts).exit_code == 0; }));
  for (const int number : {1, 2, 3}) {
    EXPECT_EQ(FilesOn(number, false), 1u) << number;
    EXPECT_EQ(FilesOn(number, true), 0u) << number;
  }
}

}  // namespace
}  // namespace quire
