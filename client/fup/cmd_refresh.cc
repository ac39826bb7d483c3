#include <string>
#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/session.h"

namespace quire {
namespace {

class RefreshCommand : public FupCommand {
 public:
  explicit RefreshCommand(std::string volume) : volume_(std::move(volume)) {}

  absl::Status Run(FupSession& session) const override {
    std::vector<std::string> volumes;
    if (!volume_.empty()) {
      absl::StatusOr<std::string> volume = ParseVolumeName(volume_);
      if (!volume.ok()) return OnFile(volume_, volume.status());
      volumes.push_back(*std::move(volume));
    }
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    if (volumes.empty()) {
      absl::StatusOr<std::vector<std::string>> all = (*files)->Volumes();
      if (!all.ok()) return all.status();
      volumes = *std::move(all);
    }
    for (const std::string& volume : volumes) {
      absl::StatusOr<RefreshAnswer> answer = (*files)->Refresh(volume);
      if (answer.ok()) {
        session.output() << volume << " REFRESHED: " << answer->blocks_written
                         << " BLOCKS WRITTEN\n";
      } else {
        session.ReportError(OnFile(volume, answer.status()));
      }
    }
    return absl::OkStatus();
  }

 private:
  const std::string volume_;  // empty: all
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  std::string volume;
  if (!cursor.AtEnd()) {
    absl::StatusOr<std::string> word = cursor.TakeWord("a volume, e.g. $DATA01");
    if (!word.ok()) return word.status();
    volume = *std::move(word);
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<RefreshCommand>(std::move(volume));
}

constexpr CommandSpec kSpec = {
    "REFRESH", "write all changed blocks of volumes to disc",
    "REFRESH [ $volume ]\n"
    "  Takes a control point and answers when it is complete: all changes before it, those of\n"
    "  BUFFERED files too, are then on disc. Without a volume: on all volumes. (Quire's own.)\n",
    &Parse};

}  // namespace

const CommandSpec& RefreshCommandSpec() {
  return kSpec;
}

}  // namespace quire
