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

class ListLocksCommand : public FupCommand {
 public:
  ListLocksCommand(std::vector<std::string> filesets, bool granted_only, bool detail)
      : filesets_(std::move(filesets)), granted_only_(granted_only), detail_(detail) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    const bool as_json = session.options().json;
    nlohmann::json listing = {{"locks", nlohmann::json::array()}};
    ForEachFile(filesets_, session, **files, [&](const FileName& name) {
      const absl::StatusOr<std::vector<LockInfo>> locks = (*files)->ListLocks(name, granted_only_);
      if (!locks.ok()) return locks.status();
      for (const LockInfo& lock : *locks) {
        if (as_json) listing["locks"].push_back(LockJson(lock));
      }
      if (!as_json) PrintLocks(*locks, detail_, session.output());
      return absl::OkStatus();
    });
    if (as_json) session.output() << JsonText(listing) << "\n";
    return absl::OkStatus();
  }

 private:
  const std::vector<std::string> filesets_;
  const bool granted_only_;
  const bool detail_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  static constexpr std::array<std::string_view, 3> kOptions = {"GRANTED", "DETAIL", "PARTONLY"};
  absl::StatusOr<std::vector<std::string>> filesets = TakeFilesetList(cursor);
  if (!filesets.ok()) return filesets.status();
  std::array<bool, 2> given = {};
  while (cursor.TakeSymbol(',')) {
    absl::StatusOr<size_t> option = cursor.TakeKeyword("LISTLOCKS option", kOptions);
    if (!option.ok()) return option.status();
    if (*option >= given.size()) return fup_errors::CommandNotBuilt("LISTLOCKS PARTONLY");
    given[*option] = true;
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<ListLocksCommand>(*std::move(filesets), given[0], given[1]);
}

constexpr CommandSpec kSpec = {
    "LISTLOCKS", "list the locks on files",
    "LISTLOCKS { fileset | ( fileset [ , fileset ]... ) } [ , GRANTED ] [ , DETAIL ]\n"
    "  A line a lock: TYPE F file, R record, RG generic (all keys with these first bytes); STATE\n"
    "  G granted, W waiting; the program that asked. GRANTED leaves the waiting out; DETAIL adds\n"
    "  the lock state. A partitioned file is listed partition after partition. A file without\n"
    "  locks has no line.\n",
    &Parse};

}  // namespace

const CommandSpec& ListLocksCommandSpec() {
  return kSpec;
}

}  // namespace quire
