#include "client/measure/errors.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace measure {
namespace {

TEST(MeasureErrorsTest, EveryErrorHasItsNumberAndASentence) {
  const std::pair<absl::Status, ErrorNumber> kCases[] = {
      {measure_errors::StringNotClosed(), ErrorNumber::kBadParameter},
      {measure_errors::Expected("a", "b"), ErrorNumber::kBadParameter},
      {measure_errors::NotANumber("x"), ErrorNumber::kBadParameter},
      {measure_errors::NumberTooLarge("9"), ErrorNumber::kIllegalCount},
      {measure_errors::IllegalVolumeSpecification("DISC", "x"), ErrorNumber::kIllegalName},
      {measure_errors::UnknownCounter("A", "DISC", ""), ErrorNumber::kBadParameter},
      {measure_errors::RateNeedsWindow("Disc $A"), ErrorNumber::kBadParameter},
      {measure_errors::SnapshotsSwapped("$A"), ErrorNumber::kBadParameter},
      {measure_errors::VolumeNotInLastSnapshot("$A"), ErrorNumber::kBadParameter},
      {measure_errors::VolumeDoesNotAnswer("$A"), ErrorNumber::kVolumeDown},
      {measure_errors::CannotReadFile("p", "r"), ErrorNumber::kNotFound},
      {measure_errors::CannotWriteFile("p", "r"), ErrorNumber::kNoDiscSpace},
      {measure_errors::NotASnapshot("p", "r"), ErrorNumber::kBadParameter},
  };
  for (const auto& [status, number] : kCases) {
    EXPECT_EQ(NumberOf(status), number) << status;
    EXPECT_EQ(status.message().back(), '.') << status;
  }
}

TEST(MeasureErrorsTest, AnUnknownCounterGetsItsNeighbour) {
  EXPECT_EQ(measure_errors::UnknownCounter("READ", "DISC", "READS").message(),
            "DISC has no counter READ. The nearest is READS.");
}

}  // namespace
}  // namespace measure
}  // namespace quire
