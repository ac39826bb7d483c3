#include "server/main/restore_command.h"

#include <iostream>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/time/time.h"
#include "quire/error.h"
#include "quire/program.h"
#include "quire/text.h"
#include "server/main/serve.h"
#include "server/volume/restore.h"
#include "spdlog/spdlog.h"

ABSL_FLAG(std::string, restore, "",
          "do not serve: make the new --directory of this backup, then end");
ABSL_FLAG(uint64_t, until_lsn, 0, "restore: stop after this LSN; 0: go as far as there is trail");
ABSL_FLAG(std::string, until_time, "",
          "restore: stop after this local time, 'YYYY-MM-DD hh:mm:ss[.ffffff]'");

namespace quire {
namespace {

absl::StatusOr<ReplayLimit> ReadLimit() {
  ReplayLimit limit;
  const uint64_t lsn = absl::GetFlag(FLAGS_until_lsn);
  const std::string time = absl::GetFlag(FLAGS_until_time);
  if (lsn != 0 && !time.empty()) {
    return MakeError(ErrorNumber::kBadParameter,
                     "options --until-lsn and --until-time exclude each other");
  }
  if (lsn != 0) limit.lsn = lsn;
  if (time.empty()) return limit;
  absl::Time until;
  std::string why;
  if (!absl::ParseTime("%Y-%m-%d %H:%M:%E*S", time, absl::LocalTimeZone(), &until, &why)) {
    return MakeError(
        ErrorNumber::kBadParameter,
        StrCat("option --until-time: \"", time, "\" is not YYYY-MM-DD hh:mm:ss[.ffffff]: ", why));
  }
  limit.time_us = absl::ToUnixMicros(until);
  return limit;
}

}  // namespace

bool RestoreWanted() {
  return !absl::GetFlag(FLAGS_restore).empty();
}

int RunRestore(VolumeOptions options, const std::vector<std::string>& archives) {
  const absl::StatusOr<ReplayLimit> limit = ReadLimit();
  if (!limit.ok()) {
    spdlog::error("{}; see --help", ToStd(limit.status().message()));
    return kExitBadOptions;
  }
  RestoreRequest request;
  request.backup = absl::GetFlag(FLAGS_restore);
  const std::string directory = options.directory;
  request.volume = std::move(options);
  request.archives = archives;
  request.limit = *limit;
  const absl::StatusOr<RestoreReport> report = RestoreVolume(request);
  if (!report.ok()) {
    spdlog::error("{}", Describe(report.status()));
    return kExitCannotStart;
  }
  std::cout << "quire-volume restored " << report->volume << " in " << directory << " to LSN "
            << report->last_lsn << " of " << TimeText(report->time_us) << ": " << report->batches
            << " batches beyond the backup's control point"
            << (report->stopped ? ", stopped there as asked" : ", all there is") << std::endl;
  return kExitNormal;
}

}  // namespace quire
