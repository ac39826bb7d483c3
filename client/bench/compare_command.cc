// quire-bench compare FIRST SECOND: how two sets of measurements relate.
#include <cstdio>

#include "client/bench/commands.h"
#include "client/bench/compare.h"
#include "client/bench/errors.h"
#include "client/bench/text_file.h"

namespace quire {
namespace bench {
namespace {

absl::StatusOr<std::vector<SavedRun>> ReadMeasurements(const std::string& path) {
  absl::StatusOr<std::string> text = ReadTextFile(path);
  if (!text.ok()) return text.status();
  return ParseJson(path, *text);
}

}  // namespace

absl::StatusOr<int> CompareCommand(const std::vector<std::string>& files) {
  if (files.size() != 2) {
    std::fputs("quire-bench compare: give two files written by csvload --json\n", stderr);
    return kExitUsage;
  }
  const absl::StatusOr<std::vector<SavedRun>> first = ReadMeasurements(files[0]);
  if (!first.ok()) return first.status();
  const absl::StatusOr<std::vector<SavedRun>> second = ReadMeasurements(files[1]);
  if (!second.ok()) return second.status();
  const Table table = CompareMeasurements(*first, *second);
  if (table.rows.empty()) return NothingInCommon(files[0], files[1]);
  std::fputs(RenderText(table).c_str(), stdout);
  return kExitDone;
}

}  // namespace bench
}  // namespace quire
