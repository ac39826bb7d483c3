#include "server/store/disc_reservation.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/test_directory.h"
#include "tests/unit/store/failing_calls.h"

namespace quire {
namespace {

constexpr uint64_t kStep = 1 << 20;

class DiscReservationTest : public testing::Test {
 protected:
  DiscReservationTest()
      : descriptor_(open((directory_.path() + "/data").c_str(), O_CREAT | O_RDWR, 0600)) {}
  ~DiscReservationTest() override { close(descriptor_); }

  TestDirectory directory_;
  const int descriptor_;
};

TEST_F(DiscReservationTest, ReservesWholeStepsAndKeepsTheSize) {  // R-D8
  DiscReservation reservation(descriptor_, kStep);
  EXPECT_TRUE(reservation.Extend(5 * kStep / 2));
  EXPECT_EQ(reservation.end_bytes(), 3 * kStep);
  struct stat data;
  ASSERT_EQ(fstat(descriptor_, &data), 0);
  EXPECT_EQ(data.st_size, 0);
  EXPECT_GE(static_cast<uint64_t>(data.st_blocks) * 512, 3 * kStep);
  const int64_t calls = CallsMade(SystemCall::kFallocate);
  EXPECT_TRUE(reservation.Extend(3 * kStep));
  EXPECT_EQ(CallsMade(SystemCall::kFallocate), calls);
}

TEST_F(DiscReservationTest, GivesBackMoreThanAStepBeyondTheFile) {  // R-D8
  const std::string bytes(kStep, 'x');
  ASSERT_EQ(pwrite(descriptor_, bytes.data(), bytes.size(), 0), ssize_t{kStep});
  DiscReservation reservation(descriptor_, kStep);
  ASSERT_TRUE(reservation.Extend(6 * kStep));
  reservation.Shrink(5 * kStep);  // not worth it
  EXPECT_EQ(reservation.end_bytes(), 6 * kStep);
  reservation.Shrink(2 * kStep);
  EXPECT_EQ(reservation.end_bytes(), 2 * kStep);
  struct stat data;
  ASSERT_EQ(fstat(descriptor_, &data), 0);
  EXPECT_EQ(data.st_size, off_t{kStep});
  EXPECT_GE(static_cast<uint64_t>(data.st_blocks) * 512, 2 * kStep);
  EXPECT_LT(static_cast<uint64_t>(data.st_blocks) * 512, 3 * kStep);
  EXPECT_TRUE(reservation.Extend(4 * kStep));
  ASSERT_TRUE(reservation.Extend(8 * kStep));
  reservation.Shrink(0);  // never into the file
  EXPECT_EQ(reservation.end_bytes(), kStep);
  ASSERT_EQ(fstat(descriptor_, &data), 0);
  EXPECT_EQ(data.st_size, off_t{kStep});
}

TEST_F(DiscReservationTest, TakesJustWhatIsWantedWhenAStepIsTooMuch) {  // R-D8
  DiscReservation reservation(descriptor_, kStep);
  FailingCalls full(SystemCall::kFallocate, ENOSPC, 1);
  EXPECT_TRUE(reservation.Extend(4096));
  EXPECT_EQ(reservation.end_bytes(), 4096U);
}

TEST_F(DiscReservationTest, FullDiscKeepsWhatWasReserved) {  // R-D8
  DiscReservation reservation(descriptor_, kStep);
  ASSERT_TRUE(reservation.Extend(kStep));
  {
    FailingCalls full(SystemCall::kFallocate, ENOSPC, 100);
    EXPECT_FALSE(reservation.Extend(2 * kStep));
  }
  EXPECT_EQ(reservation.end_bytes(), kStep);
  EXPECT_TRUE(reservation.Extend(2 * kStep));
}

TEST_F(DiscReservationTest, InterruptedCallIsRepeated) {
  DiscReservation reservation(descriptor_, kStep);
  FailingCalls interrupted(SystemCall::kFallocate, EINTR, 3);
  EXPECT_TRUE(reservation.Extend(kStep));
  EXPECT_EQ(reservation.end_bytes(), kStep);
}

}  // namespace
}  // namespace quire
