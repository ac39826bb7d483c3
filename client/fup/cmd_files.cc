#include <array>
#include <string>
#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/fileset.h"
#include "client/fup/listing.h"
#include "client/fup/name_groups.h"
#include "client/fup/session.h"
#include "nlohmann/json.hpp"

namespace quire {
namespace {

class FilesCommand : public FupCommand {
 public:
  FilesCommand(std::string subvolumes, bool pending)
      : subvolumes_(std::move(subvolumes)), pending_(pending) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileName> fileset = ParseSubvolumeSet(subvolumes_, session.defaults);
    if (!fileset.ok()) return fileset.status();
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    absl::StatusOr<std::vector<FileInfo>> found = (*files)->List(*fileset, pending_);
    if (!found.ok()) return OnFile(fileset->ToString(), found.status());
    if (session.options().json) {
      nlohmann::json listing = {{"files", nlohmann::json::array()}};
      for (const FileInfo& info : *found) listing["files"].push_back(FileInfoJson(info));
      session.output() << JsonText(listing) << "\n";
    } else if (pending_) {
      PrintPending(*found, {session.options().now(), session.options().time_zone},
                   session.output());
    } else {
      if (found->empty()) return fup_errors::NoFileMatches(fileset->ToString());
      PrintNamesBySubvolume(*found, session.output());
    }
    return absl::OkStatus();
  }

 private:
  const std::string subvolumes_;  // empty: the default subvolume
  const bool pending_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  static constexpr std::array<std::string_view, 1> kOptions = {"PENDING"};
  std::string subvolumes;
  if (!cursor.AtEnd() && !cursor.IsSymbol(',')) {
    absl::StatusOr<std::string> word = cursor.TakeWord("a subvolume");
    if (!word.ok()) return word.status();
    subvolumes = *std::move(word);
  }
  bool pending = false;
  if (cursor.TakeSymbol(',')) {
    absl::StatusOr<size_t> option = cursor.TakeKeyword("FILES option", kOptions);
    if (!option.ok()) return option.status();
    pending = true;
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<FilesCommand>(std::move(subvolumes), pending);
}

constexpr CommandSpec kSpec = {
    "FILES", "list the files of subvolumes",
    "FILES [ [$volume.]subvolume | $volume ] [ , PENDING ]\n"
    "  Names may have wild cards; a volume alone means all its subvolumes.\n"
    "  PENDING lists partitions left by a CREATE that was not finished or a PURGE that could not\n"
    "  reach them. They hold no data anybody sees, and go when their volume starts or a file of\n"
    "  that name is created.\n",
    &Parse};

}  // namespace

const CommandSpec& FilesCommandSpec() {
  return kSpec;
}

}  // namespace quire
