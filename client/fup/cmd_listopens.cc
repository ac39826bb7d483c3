#include <array>
#include <string>
#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/fileset_list.h"
#include "client/fup/listing.h"
#include "client/fup/open_listing.h"
#include "client/fup/session.h"
#include "nlohmann/json.hpp"

namespace quire {
namespace {

class ListOpensCommand : public FupCommand {
 public:
  explicit ListOpensCommand(std::vector<std::string> filesets) : filesets_(std::move(filesets)) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    const bool as_json = session.options().json;
    nlohmann::json listing = {{"opens", nlohmann::json::array()}};
    ForEachFile(filesets_, session, **files, [&](const FileName& name) {
      const absl::StatusOr<std::vector<OpenInfo>> opens = (*files)->ListOpens(name);
      if (!opens.ok()) return opens.status();
      for (const OpenInfo& open : *opens) {
        if (as_json) listing["opens"].push_back(OpenJson(open));
      }
      if (!as_json) PrintOpens(name, *opens, session.output());
      return absl::OkStatus();
    });
    if (as_json) session.output() << JsonText(listing) << "\n";
    return absl::OkStatus();
  }

 private:
  const std::vector<std::string> filesets_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  static constexpr std::array<std::string_view, 1> kOptions = {"PARTONLY"};
  absl::StatusOr<std::vector<std::string>> filesets = TakeFilesetList(cursor);
  if (!filesets.ok()) return filesets.status();
  if (cursor.TakeSymbol(',')) {
    absl::StatusOr<size_t> option = cursor.TakeKeyword("LISTOPENS option", kOptions);
    if (!option.ok()) return option.status();
    return fup_errors::CommandNotBuilt("LISTOPENS PARTONLY");
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<ListOpensCommand>(*std::move(filesets));
}

constexpr CommandSpec kSpec = {
    "LISTOPENS", "list the openers of files",
    "LISTOPENS { fileset | ( fileset [ , fileset ]... ) }\n"
    "  A line an open: the client's program, MODE as access (R, W, R/W) and exclusion (S shared,\n"
    "  E exclusive, P protected), the user, the sync depth. A file nobody has open has no line.\n"
    "  A partitioned file is listed once, by its primary partition.\n",
    &Parse};

}  // namespace

const CommandSpec& ListOpensCommandSpec() {
  return kSpec;
}

}  // namespace quire
