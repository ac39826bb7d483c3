#include "client/bench/storage/bench_volume.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "client/bench/errors.h"
#include "client/bench/made_file.h"
#include "client/bench/run_counters.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kKernelPageBytes = 4096;

// The share of an open file's pages that are in memory; 0 when the kernel does not say.
double ResidentShare(int descriptor) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0 || status.st_size == 0) return 0;
  const auto bytes = static_cast<size_t>(status.st_size);
  void* const map = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (map == MAP_FAILED) return 0;
  std::vector<unsigned char> pages((bytes + kKernelPageBytes - 1) / kKernelPageBytes);
  const bool known = mincore(map, bytes, pages.data()) == 0;
  munmap(map, bytes);
  if (!known) return 0;
  const auto there =
      std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
  return static_cast<double>(there) / static_cast<double>(pages.size());
}

}  // namespace

absl::Status BenchVolume::Open() {
  Close();
  EmbeddedOptions embedded;
  embedded.directory = directory_;
  embedded.volumes = {kBenchVolume};
  embedded.volume = options_;
  embedded.volume.program = "quire-bench";
  absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> volumes =
      OpenEmbeddedVolumes(embedded);
  if (!volumes.ok()) return volumes.status();
  file_system_ = FileSystem::Over(*std::move(volumes), "quire-bench");
  return absl::OkStatus();
}

absl::Status BenchVolume::Load(const FileName& name, const MadeRecords& records, RecordOrder order,
                               uint32_t record_bytes) {
  absl::Status loaded = LoadMadeFile(*file_system_, name, records, order, record_bytes);
  return loaded.ok() ? file_system_->Refresh(kBenchVolume).status() : loaded;
}

absl::StatusOr<double> BenchVolume::DropPages() const {
  const std::string path = StoreFile();
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return CannotOpen(path, errno);
  fdatasync(descriptor);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  const double left = ResidentShare(descriptor);
  close(descriptor);
  return left;
}

absl::StatusOr<int64_t> BenchVolume::DiscCounter(std::string_view counter) {
  const absl::StatusOr<MeasureSnapshot> snapshot = TakeSnapshot(file_system_.get(), {kBenchVolume});
  if (!snapshot.ok()) return snapshot.status();
  for (const VolumeSnapshot& volume : snapshot->volumes) {
    for (const EntityRecord& record : volume.records) {
      if (record.entity == Entity::kDisc) return record.Value(counter);
    }
  }
  return 0;
}

int64_t SteadyNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace bench
}  // namespace quire
