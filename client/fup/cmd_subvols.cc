#include <string>
#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/name_groups.h"
#include "client/fup/session.h"
#include "quire/text.h"

namespace quire {
namespace {

class SubvolsCommand : public FupCommand {
 public:
  explicit SubvolsCommand(std::string volumes) : volumes_(std::move(volumes)) {}

  absl::Status Run(FupSession& session) const override {
    // Without a volume: the default one.
    const std::string text = volumes_.empty() ? "*.*" : StrCat(volumes_, ".*.*");
    absl::StatusOr<FileName> fileset = session.ResolveFileset(text);
    if (!fileset.ok()) return fileset.status();
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    absl::StatusOr<std::vector<FileInfo>> found = (*files)->List(*fileset, /*pending=*/false);
    if (!found.ok()) return OnFile(fileset->ToString(), found.status());
    if (found->empty()) return fup_errors::NoFileMatches(fileset->ToString());
    PrintSubvolumesByVolume(*found, session.output());
    return absl::OkStatus();
  }

 private:
  const std::string volumes_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  std::string volumes;
  if (!cursor.AtEnd()) {
    const Token token = cursor.Take();
    if (token.kind != TokenKind::kWord || token.text.find('$') == std::string::npos) {
      return fup_errors::Expected("a volume, e.g. $DATA01 or $*", TokenText(token));
    }
    volumes = token.text;
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<SubvolsCommand>(std::move(volumes));
}

constexpr CommandSpec kSpec = {"SUBVOLS", "list the subvolumes of volumes",
                               "SUBVOLS [ $volume ]\n"
                               "  The volume may have wild cards: SUBVOLS $* lists all. Without a "
                               "volume: the default one.\n",
                               &Parse};

}  // namespace

const CommandSpec& SubvolsCommandSpec() {
  return kSpec;
}

}  // namespace quire
