#include "server/volume/recovery_estimate.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(RecoveryEstimate, GrowsWithImagesAndRedoRecordsAlone) {
  RecoveryEstimate estimate;
  EXPECT_EQ(estimate.micros(), 0);
  for (int i = 0; i < 1000; ++i) estimate.AddRedo();
  const int64_t redo = estimate.micros();
  EXPECT_GT(redo, 0);
  RecoveryEstimate images;
  for (int i = 0; i < 1000; ++i) images.AddImage(4080);
  EXPECT_GT(images.micros(), 0);
  estimate.Add(images);
  EXPECT_EQ(estimate.micros(), redo + images.micros());
}

TEST(RecoveryEstimate, SmallAmountsAreNotLost) {
  RecoveryEstimate one_by_one;
  RecoveryEstimate at_once;
  for (int i = 0; i < 1000; ++i) {
    RecoveryEstimate one;
    one.AddImage(1);
    one_by_one.Add(one);
  }
  at_once.AddImage(1000);
  EXPECT_EQ(one_by_one.micros(), at_once.micros());
}

}  // namespace
}  // namespace quire
