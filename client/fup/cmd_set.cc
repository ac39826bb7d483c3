#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/set_parameters.h"

namespace quire {
namespace {

class SetCommand : public FupCommand {
 public:
  explicit SetCommand(std::vector<CreateParameter> parameters)
      : parameters_(std::move(parameters)) {}

  absl::Status Run(FupSession& session) const override {
    absl::Status applied = ApplyParameters(parameters_, session, session.create_settings);
    if (!applied.ok()) return applied;
    for (const CreateParameter& parameter : parameters_) {
      if (parameter.keyword == CreateKeyword::kPart) WarnOfUnknownVolume(parameter, session);
    }
    return absl::OkStatus();
  }

 private:
  // Only a warning: the volume may be there when CREATE comes (R-B6).
  static void WarnOfUnknownVolume(const CreateParameter& parameter, FupSession& session) {
    const std::string& volume = session.create_settings.partitions[parameter.number].volume;
    if (!session.VolumeExists(volume).value_or(true)) {
      session.ReportWarning("A PARTITION/ALTFILE NAME POINTS TO A NONEXISTENT VOLUME");
    }
  }

  const std::vector<CreateParameter> parameters_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<std::vector<CreateParameter>> parameters = ParseCreateParameters(cursor);
  if (!parameters.ok()) return parameters.status();
  return std::make_unique<SetCommand>(*std::move(parameters));
}

constexpr CommandSpec kSpec = {
    "SET", "set what CREATE makes a file of",
    "SET parameter [ , parameter ]...\n"
    "  Holds for every CREATE of the session; SHOW lists the values, RESET takes them back.\n"
    "  LIKE file              everything as that file has it\n"
    "  TYPE K                 key-sequenced (the default; there is no other)\n"
    "  FORMAT { 0 | 1 | 2 }   0 (default): 1, or 2 if anything needs it\n"
    "  CODE n                 0 to 65535\n"
    "  EXT { size | ( primary [ , secondary ] ) }   size: n [ PAGES | BYTES | RECS | MEGABYTES ]\n"
    "  MAXEXTENTS n           16 to 978\n"
    "  REC n                  longest record in bytes (80); at most BLOCK - 56, 27648 with 32768\n"
    "  BLOCK n                512, 1024, 2048, 4096 (default) or 32768\n"
    "  KEYLEN n, KEYOFF n     length and place of the key in the record; KEYLEN must be given\n"
    "  LOCKLENGTH n           bytes of the key that a generic lock covers (KEYLEN)\n"
    "  [NO] AUDIT             changes are logged before the reply and blocks written behind: "
    "nothing\n"
    "                         acknowledged is lost; turns BUFFERED on\n"
    "  [NO] BUFFERED          write-behind: faster, and a crash of the server may lose the "
    "changes\n"
    "                         since its last control point\n"
    "  LOOKASIDE { OFF | NOFREEZE | FREEZE }\n"
    "                         OFF (default): plain cache; NOFREEZE: data blocks are kept while "
    "measuring\n"
    "                         says that it pays; FREEZE: that, and index blocks stay once read\n"
    "  PART ( n, $volume [ , primary [ , secondary [ , key ] ] ] )\n"
    "                         secondary partition n = 1, 2, ... 127; key: the lowest it may hold,\n"
    "                         as \"text\" or [ byte, byte, ... ]\n",
    &Parse};

}  // namespace

const CommandSpec& SetCommandSpec() {
  return kSpec;
}

}  // namespace quire
