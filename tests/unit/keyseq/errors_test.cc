#include "server/keyseq/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

const FileName kName{"", "$DATA01", "STOCK", "PARTS"};

TEST(KeyseqErrors, CarryTheirNumbers) {
  for (const absl::Status& status :
       {keyseq_error::EmptyRecord(), keyseq_error::RecordShorterThanKey(3, 4),
        keyseq_error::RecordTooLong(81, 80), keyseq_error::WrongKeyLength(3, 4),
        keyseq_error::KeyTooLong(5, 4), keyseq_error::MaxExtentsOutOfRange(5, 16, 978),
        keyseq_error::MaxExtentsBelowAllocated(16, 20),
        keyseq_error::PartitionTooLarge(16, 9, 8)}) {
    EXPECT_EQ(NumberOf(status), ErrorNumber::kIllegalCount) << status;
  }
  EXPECT_EQ(NumberOf(keyseq_error::UnknownOperation(9)), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(keyseq_error::UnknownReadMode(3)), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(keyseq_error::FileFull(kName, 16)), ErrorNumber::kFileFull);
  EXPECT_EQ(NumberOf(keyseq_error::FileIsBad(kName)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(keyseq_error::BadExtents(kName, "why")), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(keyseq_error::BadLabel("why")), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(keyseq_error::NoCurrentRecord(3, 4)), ErrorNumber::kNotFound);
  const absl::Status stale = keyseq_error::KeyOfOtherPartition("k", kName);
  EXPECT_EQ(NumberOf(stale), ErrorNumber::kReopen);
  EXPECT_EQ(RetryOf(stale), Retry::kReopen);
}

TEST(KeyseqErrors, SayWhatIsWrongAndWhatToDo) {
  const std::string message = std::string(ToStd(keyseq_error::FileFull(kName, 16).message()));
  EXPECT_THAT(message, testing::HasSubstr("$DATA01.STOCK.PARTS"));
  EXPECT_THAT(message, testing::HasSubstr("raise MAXEXTENTS"));
}

}  // namespace
}  // namespace quire
