// State of one MEASCOM session: connection, defaults, report attributes, what has gone wrong.
#ifndef QUIRE_CLIENT_MEASURE_SESSION_H_
#define QUIRE_CLIENT_MEASURE_SESSION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/measure/report_options.h"
#include "quire/file_name.h"
#include "quire/filesystem.h"

namespace quire {
namespace measure {

enum class OutputFormat : uint8_t { kText, kCsv, kJson };

struct MeasureOptions {
  OutputFormat format = OutputFormat::kText;
  NameDefaults defaults;           // at start; VOLUME without a name comes back to them
  std::string system = "\\QUIRE";  // shown where no node is known
  ReportOptions report;            // at start; RESET REPORT comes back to them
  absl::TimeZone time_zone = absl::LocalTimeZone();
};

// What a session is connected to the world by. The streams outlive the session.
struct MeasureWorld {
  // Called at the first command that needs the file system, again after a failure.
  std::function<absl::StatusOr<std::unique_ptr<FileSystem>>()> connect;
  std::ostream* output = nullptr;
  std::ostream* errors = nullptr;  // ERROR and WARNING lines; may be the same as output
};

// Not thread safe; one command runs at a time.
class MeasureSession {
 public:
  MeasureSession(MeasureOptions options, MeasureWorld world);

  const MeasureOptions& options() const { return options_; }
  std::ostream& output() { return *world_.output; }

  // Connects at need. 201 when nothing can be reached.
  absl::StatusOr<FileSystem*> file_system();

  // "ERROR - sentence", with the Enscribe number in front of the sentence; counts it.
  void ReportError(const absl::Status& status);
  // "WARNING - …" in the same form; not counted.
  void ReportWarning(const absl::Status& status);
  uint64_t error_count() const { return error_count_; }

  NameDefaults defaults;
  ReportOptions report;         // SET REPORT; from_file is the measurement added
  bool exit_requested = false;  // by EXIT

 private:
  void Print(std::string_view kind, const absl::Status& status);

  const MeasureOptions options_;
  const MeasureWorld world_;
  std::unique_ptr<FileSystem> file_system_;
  uint64_t error_count_ = 0;
};

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_SESSION_H_
