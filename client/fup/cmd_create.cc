#include <string>
#include <utility>
#include <vector>

#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/set_parameters.h"

namespace quire {
namespace {

class CreateCommand : public FupCommand {
 public:
  CreateCommand(std::string name, std::vector<CreateParameter> parameters)
      : name_(std::move(name)), parameters_(std::move(parameters)) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<FileName> name = session.ResolveName(name_);
    if (!name.ok()) return name.status();
    CreateSettings settings = session.create_settings;
    if (absl::Status s = ApplyParameters(parameters_, session, settings); !s.ok()) return s;
    absl::StatusOr<FileAttributes> attributes = AttributesOf(settings);
    if (!attributes.ok()) return attributes.status();
    // Checked here already: a wrong attribute is told without any server.
    absl::StatusOr<FileAttributes> normalized = Normalize(*attributes);
    if (!normalized.ok()) return OnFile(name->ToString(), normalized.status());
    absl::StatusOr<FileSystem*> files = session.file_system();
    if (!files.ok()) return files.status();
    absl::StatusOr<FileInfo> created = (*files)->Create(*name, *normalized);
    if (!created.ok()) return OnFile(name->ToString(), created.status());
    session.output() << "CREATED - " << name->ToString() << "\n";
    return absl::OkStatus();
  }

 private:
  const std::string name_;
  const std::vector<CreateParameter> parameters_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<std::string> name = cursor.TakeWord("the name of the file to create");
  if (!name.ok()) return name.status();
  std::vector<CreateParameter> parameters;
  if (!cursor.AtEnd()) {
    if (absl::Status s = cursor.ExpectSymbol(','); !s.ok()) return s;
    absl::StatusOr<std::vector<CreateParameter>> parsed = ParseCreateParameters(cursor);
    if (!parsed.ok()) return parsed.status();
    parameters = *std::move(parsed);
  }
  return std::make_unique<CreateCommand>(*std::move(name), std::move(parameters));
}

constexpr CommandSpec kSpec = {
    "CREATE", "create a file with the values of SET",
    "CREATE file [ , parameter ]...\n"
    "  Parameters as SET has them (HELP SET), for this file only. All partitions are made, or "
    "none.\n"
    "  Errors: 10 exists, 13 name, 14 a volume is unknown, 21 a size is out of bounds, 46 partial\n"
    "  keys do not rise, 2 what the format does not allow, 66 a volume is down, 43 no room.\n",
    &Parse};

}  // namespace

const CommandSpec& CreateCommandSpec() {
  return kSpec;
}

}  // namespace quire
