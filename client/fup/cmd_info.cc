#include <array>
#include <string>
#include <utility>
#include <vector>

#include "client/fup/check_listing.h"
#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/fileset.h"
#include "client/fup/fileset_list.h"
#include "client/fup/listing.h"
#include "client/fup/session.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"

namespace quire {
namespace {

class InfoCommand : public FupCommand {
 public:
  InfoCommand(std::vector<std::string> filesets, bool detail)
      : filesets_(std::move(filesets)), detail_(detail) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    // The listing of some files is worth having when others fail.
    std::vector<FileDescription> found;
    for (const std::string& text : filesets_) {
      absl::Status collected = Collect(text, session, **files, found);
      if (!collected.ok()) session.ReportError(collected);
    }
    Print(found, session);
    return absl::OkStatus();
  }

 private:
  // Whether partitions other than the listed one have to be asked.
  bool NeedsDescription(const FupSession& session) const {
    return detail_ || session.options().json;
  }

  absl::Status Collect(const std::string& text, FupSession& session, FileSystem& files,
                       std::vector<FileDescription>& found) const {
    absl::StatusOr<FileName> fileset = session.ResolveFileset(text);
    if (!fileset.ok()) return fileset.status();
    if (!HasWildCard(*fileset)) {
      absl::StatusOr<FileDescription> description = files.Info(*fileset);
      if (description.ok()) {
        found.push_back(*std::move(description));
        return absl::OkStatus();
      }
      // 72: a secondary partition, which has a label of its own to list.
      if (NumberOf(description.status()) != ErrorNumber::kPartitionMissing) {
        return OnFile(fileset->ToString(), description.status());
      }
    }
    absl::StatusOr<std::vector<FileInfo>> matching = files.List(*fileset, /*pending=*/false);
    if (!matching.ok()) return OnFile(fileset->ToString(), matching.status());
    if (matching->empty()) return fup_errors::NoFileMatches(fileset->ToString());
    for (const FileInfo& info : *matching) Describe(info, session, files, found);
    return absl::OkStatus();
  }

  void Describe(const FileInfo& info, FupSession& session, FileSystem& files,
                std::vector<FileDescription>& found) const {
    if (info.partition > 0 || !NeedsDescription(session) || info.attributes.partitions.empty()) {
      found.push_back(FileDescription{info, {}});
      return;
    }
    absl::StatusOr<FileDescription> description = files.Info(info.name);
    if (description.ok()) {
      found.push_back(*std::move(description));
    } else {
      session.ReportError(OnFile(info.name.ToString(), description.status()));
    }
  }

  void Print(const std::vector<FileDescription>& found, FupSession& session) const {
    const ListingTime time{session.options().now(), session.options().time_zone};
    if (session.options().json) {
      nlohmann::json listing = {{"files", nlohmann::json::array()}};
      for (const FileDescription& description : found) {
        listing["files"].push_back(DescriptionJson(description));
      }
      session.output() << JsonText(listing) << "\n";
    } else if (detail_) {
      for (const FileDescription& description : found) {
        PrintInfoDetail(description, time, session.output());
      }
    } else if (!found.empty()) {
      std::vector<FileInfo> lines;
      for (const FileDescription& description : found) lines.push_back(description.primary);
      PrintInfoBrief(lines, time, session.output());
    }
  }

  const std::vector<std::string> filesets_;
  const bool detail_;
};

// INFO …, STATISTICS reads every block: it is CHECK, with the figures in place of the verdict.
class StatisticsCommand : public FupCommand {
 public:
  explicit StatisticsCommand(std::vector<std::string> filesets) : filesets_(std::move(filesets)) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    const ListingTime time{session.options().now(), session.options().time_zone};
    nlohmann::json listing = {{"statistics", nlohmann::json::array()}};
    ForEachFile(filesets_, session, **files, [&](const FileName& name) {
      const absl::StatusOr<std::vector<PartitionCheck>> checks = (*files)->Check(name);
      if (!checks.ok()) return checks.status();
      if (!session.options().json) PrintStatistics(name, *checks, time, session.output());
      for (const PartitionCheck& check : *checks) {
        if (session.options().json) listing["statistics"].push_back(CheckJson(check));
        if (!check.status.ok()) {
          session.ReportError(OnFile(check.file.ToString(), check.status));
        }
      }
      return absl::OkStatus();
    });
    if (session.options().json) session.output() << JsonText(listing) << "\n";
    return absl::OkStatus();
  }

 private:
  const std::vector<std::string> filesets_;
};

enum class Layout : uint8_t { kBrief, kDetail, kStatistics };

// The option after a comma; one layout at a time.
absl::Status TakeLayout(TokenCursor& cursor, Layout* layout) {
  static constexpr std::array<std::string_view, 5> kOptions = {"DETAIL", "STATISTICS", "EXTENTS",
                                                               "USER", "PARTONLY"};
  const absl::StatusOr<size_t> option = cursor.TakeKeyword("INFO option", kOptions);
  if (!option.ok()) return option.status();
  if (*option > 1) {
    return fup_errors::CommandNotBuilt(std::string("INFO ") + std::string(kOptions[*option]));
  }
  const Layout wanted = *option == 0 ? Layout::kDetail : Layout::kStatistics;
  if (*layout != Layout::kBrief && *layout != wanted) {
    return fup_errors::Expected("one of DETAIL and STATISTICS", "both");
  }
  *layout = wanted;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  // A list without parentheses would swallow the options, so only "( a, b )" is a list here.
  std::vector<std::string> filesets = {"*"};
  if (cursor.IsSymbol('(')) {
    absl::StatusOr<std::vector<std::string>> list = cursor.TakeWordList("a file name");
    if (!list.ok()) return list.status();
    filesets = *std::move(list);
  } else if (!cursor.AtEnd() && !cursor.IsSymbol(',')) {
    absl::StatusOr<std::string> fileset = cursor.TakeWord("a file name");
    if (!fileset.ok()) return fileset.status();
    filesets = {*std::move(fileset)};
  }
  Layout layout = Layout::kBrief;
  while (cursor.TakeSymbol(',')) {
    if (absl::Status s = TakeLayout(cursor, &layout); !s.ok()) return s;
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  if (layout == Layout::kStatistics) {
    return std::make_unique<StatisticsCommand>(std::move(filesets));
  }
  return std::make_unique<InfoCommand>(std::move(filesets), layout == Layout::kDetail);
}

constexpr CommandSpec kSpec = {
    "INFO", "attributes and state of files",
    "INFO [ fileset | ( fileset [ , fileset ]... ) ] [ , { DETAIL | STATISTICS } ]\n"
    "  A line a file, or with DETAIL all that the label says. Without a name: all files of the\n"
    "  default subvolume. Wild cards: * is 0 to 8 characters, ? exactly one.\n"
    "  STATISTICS reads every block, as CHECK does: blocks, records (of index levels: entries)\n"
    "  and unused bytes a block, level by level, for each partition.\n"
    "  State: O open, B broken. Code letters: A audited, + format 2. Type: P partitioned,\n"
    "  X secondary partition, K key-sequenced.\n",
    &Parse};

}  // namespace

const CommandSpec& InfoCommandSpec() {
  return kSpec;
}

}  // namespace quire
