#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "client/fup/check_listing.h"
#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/fileset_list.h"
#include "client/fup/session.h"
#include "nlohmann/json.hpp"

namespace quire {
namespace {

class CheckCommand : public FupCommand {
 public:
  explicit CheckCommand(std::vector<std::string> filesets) : filesets_(std::move(filesets)) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    uint64_t checked = 0;
    uint64_t bad = 0;
    nlohmann::json listing = {{"checks", nlohmann::json::array()}};
    ForEachFile(filesets_, session, **files, [&](const FileName& name) {
      const absl::StatusOr<std::vector<PartitionCheck>> checks = (*files)->Check(name);
      if (!checks.ok()) return checks.status();
      ++checked;
      bad += std::any_of(checks->begin(), checks->end(), IsBad) ? 1 : 0;
      for (const PartitionCheck& check : *checks) {
        if (session.options().json) listing["checks"].push_back(CheckJson(check));
        Print(check, session);
      }
      return absl::OkStatus();
    });
    if (session.options().json) {
      listing["files_checked"] = checked;
      listing["files_bad"] = bad;
      session.output() << JsonText(listing) << "\n";
    } else {
      session.output() << "FILES CHECKED: " << checked << "\nFILES BAD: " << bad << "\n";
    }
    return absl::OkStatus();
  }

 private:
  static bool IsBad(const PartitionCheck& check) {
    return NumberOf(check.status) == ErrorNumber::kFileBad;
  }
  // A partition that is bad, or was not reached, is an error like any other.
  static void Print(const PartitionCheck& check, FupSession& session) {
    if (!check.status.ok()) {
      session.ReportError(OnFile(check.file.ToString(), check.status));
    } else if (!session.options().json) {
      PrintChecked(check, session.output());
    }
  }

  const std::vector<std::string> filesets_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<std::vector<std::string>> filesets = TakeFilesetList(cursor);
  if (!filesets.ok()) return filesets.status();
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<CheckCommand>(*std::move(filesets));
}

constexpr CommandSpec kSpec = {
    "CHECK", "verify every block of files",
    "CHECK { fileset | ( fileset [ , fileset ]... ) }\n"
    "  Takes a control point on each volume of a file and verifies every block it holds, while\n"
    "  others go on: checksums, order, keys against the blocks above, chains, bitmaps, counts,\n"
    "  extents. A line a partition: whole, or error 59 with the first bad thing. The figures are\n"
    "  those of INFO, STATISTICS. One check at a time on a volume. (Quire's own.)\n",
    &Parse};

}  // namespace

const CommandSpec& CheckCommandSpec() {
  return kSpec;
}

}  // namespace quire
