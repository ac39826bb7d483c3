#include "client/bench/scale/scale_volume.h"

#include <chrono>
#include <map>
#include <utility>

#include "client/bench/errors.h"
#include "client/transport/embedded.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr uint32_t kMaxExtents = 900;

double MicrosSince(SteadyClock::time_point begun) {
  return std::chrono::duration<double, std::micro>(SteadyClock::now() - begun).count();
}

}  // namespace

absl::StatusOr<OpenedVolume> OpenScaleVolume(const ChildOptions& options) {
  EmbeddedOptions embedded;
  embedded.directory = options.directory;
  embedded.volumes = {kScaleVolume};
  embedded.volume.cache_bytes = options.cache_bytes;
  embedded.volume.dirty_limit_bytes = options.dirty_limit_bytes;
  embedded.volume.program = "quire-bench";
  const SteadyClock::time_point begun = SteadyClock::now();
  absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> volumes =
      OpenEmbeddedVolumes(embedded);
  if (!volumes.ok()) return volumes.status();
  OpenedVolume opened;
  opened.open_s = MicrosSince(begun) / 1e6;
  if (const auto* volume = dynamic_cast<const Volume*>(volumes->at(kScaleVolume).get())) {
    opened.recovery_s = static_cast<double>(volume->Recovered().micros) / 1e6;
    opened.redone = volume->Recovered().replayed.redone;
  }
  opened.file_system = FileSystem::Over(*std::move(volumes), "quire-bench");
  return opened;
}

absl::Status CreateScaleFile(FileSystem* file_system, const char* name, bool audit,
                             uint64_t records) {
  const absl::StatusOr<FileName> file_name = ParseFileName(name);
  if (!file_name.ok()) return file_name.status();
  FileAttributes attributes;
  attributes.format = 2;
  attributes.key_length = MadeRecords::kKeyBytes;
  attributes.record_bytes = MadeRecords::kRecordBytes;
  attributes.max_extents = kMaxExtents;
  // Four pages a record: twice what half-filled blocks take.
  const uint64_t pages = 1000 + records * 4 / (kMaxExtents / 2);
  attributes.extents = ExtentSizes{pages, pages};
  attributes.buffered = true;
  attributes.audit = audit;
  return file_system->Create(*file_name, attributes).status();
}

std::string StoreFileOf(const ChildOptions& options) {
  return StrCat(options.directory, "/", std::string(kScaleVolume).substr(1), "/store/data.mdb");
}

absl::StatusOr<double> ReadMicros(File* file, const MadeRecords& records, uint64_t reads,
                                  absl::FunctionRef<uint64_t(uint64_t)> rank_at) {
  std::string key(MadeRecords::kKeyBytes, '\0');
  double micros = 0;
  for (uint64_t i = 0; i < reads; ++i) {
    const uint64_t rank = rank_at(i);
    records.FillKey(rank, absl::MakeSpan(key));
    const SteadyClock::time_point begun = SteadyClock::now();
    const absl::StatusOr<std::string> record = file->Read(key);
    micros += MicrosSince(begun);
    if (!record.ok()) return record.status();
    if (!records.Matches(rank, *record)) return OtherRecordRead(rank);
  }
  return micros / static_cast<double>(reads);
}

absl::StatusOr<double> ScanMicros(File* file, const MadeRecords& records, uint64_t most,
                                  uint64_t* seen) {
  const SteadyClock::time_point begun = SteadyClock::now();
  const std::unique_ptr<Scanner> scanner = file->Scan({.max_records = most});
  for (*seen = 0; *seen < most; ++*seen) {
    const absl::StatusOr<std::string_view> record = scanner->Next();
    if (NumberOf(record.status()) == ErrorNumber::kEndOfFile) break;
    if (!record.ok()) return record.status();
    if (!records.Matches(*seen, *record)) return OtherRecordRead(*seen);
  }
  return *seen == 0 ? 0 : MicrosSince(begun) / static_cast<double>(*seen);
}

}  // namespace bench
}  // namespace quire
