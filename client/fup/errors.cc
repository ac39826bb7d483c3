#include "client/fup/errors.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_join.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace fup_errors {
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

absl::Status NumberOutOfRange(std::string_view what, std::string_view written, uint64_t least,
                              uint64_t most) {
  return MakeError(ErrorNumber::kIllegalCount, StrCat(what, " ", written, " is out of range; it ",
                                                      "may be ", least, " to ", most, "."));
}

absl::Status VerbMissing(std::string_view name) {
  return Wrong(
      StrCat("A command must come before the file name ", name, ", e.g. INFO ", name, ", DETAIL."));
}

absl::Status CommandNotBuilt(std::string_view verb) {
  return MakeError(ErrorNumber::kInvalidOperation,
                   StrCat(verb, " is not built yet. HELP lists the commands that are."));
}

absl::Status AttributeNotBuilt(std::string_view attribute, std::string_view reason) {
  return MakeError(ErrorNumber::kInvalidOperation, StrCat(attribute, ": ", reason));
}

absl::Status CannotBeAltered(std::string_view attribute) {
  return MakeError(ErrorNumber::kInvalidOperation,
                   StrCat(attribute,
                          " is fixed when a file is created. Create a new file and copy "
                          "the records into it."));
}

absl::Status AuditIsBuffered() {
  return MakeError(ErrorNumber::kInvalidOperation,
                   "AUDIT and NO BUFFERED exclude each other: an audited file is always BUFFERED, "
                   "and nothing acknowledged is lost. Leave NO BUFFERED out, or AUDIT.");
}

absl::Status PartitionNumberMissing(uint32_t number, uint32_t highest) {
  return Wrong(StrCat("PART ", number, " is missing: the highest partition is ", highest,
                      ", and all from 1 on must be given. SHOW PART lists them, RESET PART removes "
                      "them."));
}

absl::Status PurgeNeedsConfirmation() {
  return Wrong(
      "PURGE asks before it deletes, and here nobody can answer. Write ! after the file names to "
      "purge without asking.");
}

absl::Status ObeyTooDeep(int limit) {
  return Wrong(StrCat("OBEY files may be nested ", limit, " deep. Does a file obey itself?"));
}

absl::Status CannotReadFile(std::string_view path, std::string_view reason) {
  return MakeError(ErrorNumber::kNotFound, StrCat("Cannot read ", path, ": ", reason, "."));
}

absl::Status NoSuchHistory(std::string_view wanted) {
  return Wrong(StrCat("No earlier command matches ", wanted, ". HISTORY lists them."));
}

absl::Status NoFileMatches(std::string_view fileset) {
  return OnFile(fileset, MakeError(ErrorNumber::kNotFound, "No file matches."));
}

}  // namespace fup_errors

namespace {

constexpr std::string_view kFilePayload = "quire/fup-file";

}  // namespace

absl::Status OnFile(std::string_view file_name, const absl::Status& status) {
  if (status.ok() || FileOf(status)) return status;
  absl::Status named = status;
  named.SetPayload(ToAbsl(kFilePayload), absl::Cord(ToAbsl(file_name)));
  return named;
}

std::optional<std::string> FileOf(const absl::Status& status) {
  const absl::optional<absl::Cord> cord = status.GetPayload(ToAbsl(kFilePayload));
  if (!cord) return std::nullopt;
  return std::string(*cord);
}

}  // namespace quire
