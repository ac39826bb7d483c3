#include <string>
#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/name_groups.h"
#include "client/fup/session.h"

namespace quire {
namespace {

class FilenamesCommand : public FupCommand {
 public:
  explicit FilenamesCommand(std::string fileset) : fileset_(std::move(fileset)) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileName> fileset = session.ResolveFileset(fileset_);
    if (!fileset.ok()) return fileset.status();
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    absl::StatusOr<std::vector<FileInfo>> found = (*files)->List(*fileset, /*pending=*/false);
    if (!found.ok()) return OnFile(fileset->ToString(), found.status());
    if (found->empty()) return fup_errors::NoFileMatches(fileset->ToString());
    PrintNamesBySubvolume(*found, session.output());
    return absl::OkStatus();
  }

 private:
  const std::string fileset_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  std::string fileset = "*";
  if (!cursor.AtEnd()) {
    absl::StatusOr<std::string> word = cursor.TakeWord("a fileset");
    if (!word.ok()) return word.status();
    fileset = *std::move(word);
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<FilenamesCommand>(std::move(fileset));
}

constexpr CommandSpec kSpec = {"FILENAMES", "list the names that match a fileset",
                               "FILENAMES [ fileset ]\n"
                               "  E.g. FILENAMES $DATA01.*.OUT*. Without a fileset: all files of "
                               "the default subvolume.\n",
                               &Parse};

}  // namespace

const CommandSpec& FilenamesCommandSpec() {
  return kSpec;
}

}  // namespace quire
