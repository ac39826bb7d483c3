// One FUP session: what lasts from command to command, and where output goes.
#ifndef QUIRE_CLIENT_FUP_SESSION_H_
#define QUIRE_CLIENT_FUP_SESSION_H_

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/fup/allowance.h"
#include "client/fup/command_history.h"
#include "client/fup/create_settings.h"
#include "quire/file_name.h"
#include "quire/filesystem.h"

namespace quire {

struct FupOptions {
  bool interactive = false;  // somebody can be asked, and an error ends only its command
  bool json = false;         // listings as JSON
  NameDefaults defaults;     // at start; VOLUME without a name comes back to them
  absl::TimeZone time_zone = absl::LocalTimeZone();
  std::function<absl::Time()> now = absl::Now;
};

// What a session is connected to the world by. All streams outlive the session.
struct FupWorld {
  // Called at the first command that needs the file system, again after a failure.
  std::function<absl::StatusOr<std::unique_ptr<FileSystem>>()> connect;
  // Asks the user and gives the answer; empty at the end of input. Null: nobody to ask.
  std::function<std::optional<std::string>(const std::string& prompt)> ask;
  std::ostream* output = nullptr;
  std::ostream* errors = nullptr;  // ERROR and WARNING lines; may be the same as output
};

// Not thread safe; one command runs at a time.
class FupSession {
 public:
  FupSession(FupOptions options, FupWorld world);

  const FupOptions& options() const { return options_; }
  std::ostream& output() { return *world_.output; }

  // Connects at need. 201 when nothing can be reached.
  absl::StatusOr<FileSystem*> file_system();
  // Whether a volume exists; empty when it cannot be found out, which is not an error here. After
  // a failure it is not asked again, so that SET stays quick without a server.
  std::optional<bool> VolumeExists(std::string_view volume);

  absl::StatusOr<FileName> ResolveName(std::string_view text) const;
  absl::StatusOr<FileName> ResolveFileset(std::string_view text) const;

  // Empty when nobody can be asked or the input has ended.
  std::optional<std::string> Ask(const std::string& prompt);

  // "ERROR - …", with the Enscribe number when the error is about a file; counts it.
  void ReportError(const absl::Status& status);
  // "WARNING - …" in the same form.
  void ReportWarning(const absl::Status& status);
  void ReportWarning(std::string_view text);
  const TroubleCount& trouble() const { return trouble_; }

  NameDefaults defaults;
  CreateSettings create_settings;
  Allowance allowance;
  CommandHistory history;
  int obey_depth = 0;
  bool exit_requested = false;  // by EXIT; ends the innermost source of commands
  bool stopped = false;         // more errors than ALLOW permits; ends all of them

 private:
  void Print(std::string_view kind, const absl::Status& status);

  const FupOptions options_;
  const FupWorld world_;
  std::unique_ptr<FileSystem> file_system_;
  TroubleCount trouble_;
  bool volumes_unknown_ = false;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_SESSION_H_
