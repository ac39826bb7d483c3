#include "client/measure/errors.h"

#include <string>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace measure_errors {
namespace {

absl::Status Wrong(std::string_view sentence) {
  return MakeError(ErrorNumber::kBadParameter, sentence);
}

}  // namespace

absl::Status StringNotClosed() {
  return Wrong("A string has no closing quote. Write \"\" for a quote inside a string.");
}

absl::Status Expected(std::string_view wanted, std::string_view found) {
  return Wrong(StrCat("Expected ", wanted, ", found ", found, "."));
}

absl::Status NotANumber(std::string_view written) {
  return Wrong(StrCat("\"", written,
                      "\" is not a whole number. Write one, and a unit after it if "
                      "need be: US, MS, SEC, HR for times, K, M, G, T for counts."));
}

absl::Status NumberTooLarge(std::string_view written) {
  return MakeError(ErrorNumber::kIllegalCount, StrCat("The number ", written,
                                                      " does not fit into 63 bits. Write a smaller "
                                                      "one."));
}

absl::Status IllegalVolumeSpecification(std::string_view entity, std::string_view text) {
  return MakeError(ErrorNumber::kIllegalName,
                   StrCat("\"", text, "\" says nothing to ", entity,
                          ". Write $volume, with * for "
                          "any characters, or * alone for every volume; in a shell put the "
                          "command in single quotes."));
}

absl::Status UnknownCounter(std::string_view counter, std::string_view entity,
                            std::string_view nearest) {
  const std::string hint = nearest.empty() ? StrCat("LIST ", entity, " shows their names.")
                                           : StrCat("The nearest is ", nearest, ".");
  return Wrong(StrCat(entity, " has no counter ", counter, ". ", hint));
}

absl::Status RateNeedsWindow(std::string_view subject) {
  return Wrong(StrCat("RATE ON needs a window of known length, and that of ", subject,
                      " has none. Name a snapshot with FROM FILE or ADD MEASUREMENT."));
}

absl::Status SnapshotsSwapped(std::string_view volume) {
  return Wrong(StrCat("The first snapshot of volume ", volume,
                      " is later than the second. Swap "
                      "the two files."));
}

absl::Status VolumeNotInLastSnapshot(std::string_view volume) {
  return Wrong(StrCat("Volume ", volume,
                      " is in the first snapshot but not in the last; its part "
                      "of the report is missing."));
}

absl::Status VolumeDoesNotAnswer(std::string_view volume) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("Volume ", volume,
                          " does not answer; its part of the report is "
                          "missing. Start it and try again."),
                   Retry::kSafe);
}

absl::Status CannotReadFile(std::string_view path, std::string_view reason) {
  return MakeError(ErrorNumber::kNotFound, StrCat("Cannot read ", path, ": ", reason, "."));
}

absl::Status CannotWriteFile(std::string_view path, std::string_view reason) {
  return MakeError(ErrorNumber::kNoDiscSpace,
                   StrCat("Cannot write ", path, ": ", reason,
                          ". Make room, or name a file in a folder you may write to."));
}

absl::Status NotASnapshot(std::string_view path, std::string_view reason) {
  return Wrong(StrCat(path, " is not a snapshot of MEASCOM: ", reason,
                      ". Make one with the command SNAPSHOT."));
}

}  // namespace measure_errors
}  // namespace quire
