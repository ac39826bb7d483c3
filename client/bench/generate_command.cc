// quire-bench generate: writes the input of the article's program.
#include <cstdio>

#include "absl/flags/flag.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/input_flags.h"
#include "client/bench/number_text.h"
#include "client/bench/progress_bar.h"
#include "client/bench/report_generator.h"
#include "client/bench/stop_signal.h"

ABSL_FLAG(std::string, output, "", "generate: file to write the report text to");

namespace quire {
namespace bench {

absl::StatusOr<int> GenerateCommand() {
  const std::string path = absl::GetFlag(FLAGS_output);
  if (path.empty()) return BadOption("output", "give the file to write");
  const GeneratorOptions options = GeneratorFromFlags();
  ProgressBar progress(ProgressBar::IsTerminal());
  progress.Start("generating", options.records);
  absl::Status written = WriteReport(options, path, [&progress](uint64_t done) {
    progress.Show(done);
    return !StopRequested();
  });
  if (!written.ok()) return written;
  progress.Clear();
  std::printf("%s: %s report blocks\n", path.c_str(),
              CountText(static_cast<int64_t>(options.records)).c_str());
  return kExitDone;
}

}  // namespace bench
}  // namespace quire
