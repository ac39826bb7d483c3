#include <string>
#include <utility>

#include "absl/time/time.h"
#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/session.h"

namespace quire {
namespace {

constexpr std::string_view kOptions[] = {"TO"};

class BackupCommand : public FupCommand {
 public:
  BackupCommand(std::string volume, std::string directory)
      : volume_(std::move(volume)), directory_(std::move(directory)) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<std::string> volume = ParseVolumeName(volume_);
    if (!volume.ok()) return OnFile(volume_, volume.status());
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    const absl::StatusOr<BackupAnswer> answer = (*files)->Backup(*volume, directory_);
    if (!answer.ok()) return OnFile(*volume, answer.status());
    session.output() << *volume << " BACKED UP TO " << directory_ << ": " << answer->bytes
                     << " BYTES, LSN " << answer->last_lsn << ", "
                     << absl::FormatTime("%Y-%m-%d %H:%M:%E6S",
                                         absl::FromUnixMicros(answer->time_us),
                                         absl::LocalTimeZone())
                     << '\n';
    return absl::OkStatus();
  }

 private:
  const std::string volume_;
  const std::string directory_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<std::string> volume = cursor.TakeWord("a volume, e.g. $DATA01");
  if (!volume.ok()) return volume.status();
  if (absl::Status s = cursor.ExpectSymbol(','); !s.ok()) return s;
  if (absl::StatusOr<size_t> to = cursor.TakeKeyword("BACKUP option", kOptions); !to.ok()) {
    return to.status();
  }
  absl::StatusOr<std::string> directory = cursor.Peek().kind == TokenKind::kString
                                              ? cursor.TakeBytes("a directory")
                                              : cursor.TakeWord("a directory, e.g. MONDAY");
  if (!directory.ok()) return directory.status();
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<BackupCommand>(*std::move(volume), *std::move(directory));
}

constexpr CommandSpec kSpec = {
    "BACKUP", "copy a volume that goes on serving",
    "BACKUP $volume , TO directory\n"
    "  Copies the volume's store and audit trail into a new directory below the "
    "--backup-directory\n"
    "  of its server, e.g. BACKUP $DATA01, TO \"monday-1\". The copy holds everything "
    "acknowledged\n"
    "  before the command. quire-volume --restore makes a volume of it. (Quire's own.)\n",
    &Parse};

}  // namespace

const CommandSpec& BackupCommandSpec() {
  return kSpec;
}

}  // namespace quire
