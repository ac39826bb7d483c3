#include "tests/unit/measure/measure_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "client/command/line_source.h"
#include "client/measure/interpreter.h"
#include "quire/error.h"
#include "quire/text.h"
#include "server/counters/counters.h"

namespace quire {
namespace measure {
namespace {

constexpr char kVolume[] = "$DATA01";

EntityRecord RecordOf(Entity entity, const Values& values) {
  EntityRecord record;
  record.entity = entity;
  record.volume = kVolume;
  record.counters = CounterSet().Values(entity);
  for (const auto& [name, value] : values) {
    const auto counter = std::find_if(record.counters.begin(), record.counters.end(),
                                      [&](const CounterValue& c) { return c.name == name; });
    if (counter == record.counters.end()) {
      ADD_FAILURE() << "no counter " << name;
      continue;
    }
    counter->value = value;
  }
  return record;
}

VolumeSnapshot ArticleVolume(int64_t time_us) {
  VolumeSnapshot volume;
  volume.volume = kVolume;
  volume.epoch = 3;
  volume.time_us = time_us;
  return volume;
}

absl::Status Refused() {
  return MakeError(ErrorNumber::kInvalidOperation, "There are only counters here.");
}

class CounterFileSystem : public FileSystem {
 public:
  explicit CounterFileSystem(std::shared_ptr<CounterSource> source) : source_(std::move(source)) {}

  absl::StatusOr<FileInfo> Create(const FileName&, const FileAttributes&) override {
    return Refused();
  }
  absl::StatusOr<FileDescription> Info(const FileName&) override { return Refused(); }
  absl::Status Alter(const FileName&, const Changes&) override { return Refused(); }
  absl::Status Purge(const FileName&) override { return Refused(); }
  absl::StatusOr<std::vector<FileInfo>> List(const FileName&, bool) override { return Refused(); }
  absl::StatusOr<std::vector<OpenInfo>> ListOpens(const FileName&) override { return Refused(); }
  absl::StatusOr<std::vector<LockInfo>> ListLocks(const FileName&, bool) override {
    return Refused();
  }
  absl::StatusOr<std::vector<PartitionCheck>> Check(const FileName&) override { return Refused(); }
  absl::StatusOr<std::vector<std::string>> Volumes() override { return source_->volumes; }
  absl::StatusOr<RefreshAnswer> Refresh(const std::string&) override { return Refused(); }
  absl::StatusOr<BackupAnswer> Backup(const std::string&, const std::string&) override {
    return Refused();
  }

  absl::StatusOr<MeasureSnapshot> Snapshot(const std::string& volume) override {
    source_->asked.push_back(volume);
    if (volume.empty()) return source_->now;
    MeasureSnapshot one;
    for (const VolumeSnapshot& candidate : source_->now.volumes) {
      if (candidate.volume == volume) one.volumes.push_back(candidate);
    }
    if (one.volumes.empty()) {
      return MakeError(ErrorNumber::kNoSuchVolume, StrCat(volume, " is not in the volume map."));
    }
    return one;
  }

  absl::StatusOr<std::unique_ptr<File>> Open(const FileName&, const FileOpenOptions&) override {
    return Refused();
  }

 private:
  const std::shared_ptr<CounterSource> source_;
};

}  // namespace

EntityRecord DiscopenRecord(const Values& values) {
  EntityRecord record = RecordOf(Entity::kDiscopen, values);
  record.file = FileName{"", kVolume, "MEASURE", "OUTFILE"};
  record.open_id = 41;
  record.opener = "quire-bench";
  record.opened_us = kRunStartUs;
  return record;
}

EntityRecord DiskfileRecord(const Values& values) {
  EntityRecord record = RecordOf(Entity::kDiskfile, values);
  record.file = FileName{"", kVolume, "MEASURE", "OUTFILE"};
  return record;
}

EntityRecord DiscRecord(const Values& values) {
  return RecordOf(Entity::kDisc, values);
}

EntityRecord ProcessRecord(const Values& values) {
  EntityRecord record = RecordOf(Entity::kProcess, values);
  record.opener = "quire-volume pid 4711";
  return record;
}

EntityRecord ArticleOpen() {
  return DiscopenRecord({{"REQUESTS", 135070},
                         {"CACHE-HITS", 402047},
                         {"CACHE-WRITE-HITS", 68035},
                         {"BLOCK-SPLITS", 67564},
                         {"CACHE-WRITE-CLEANS", 474712},
                         {"DRIVER-INPUT-CALLS", 402047},
                         {"DRIVER-OUTPUT-CALLS", 542747}});
}

EntityRecord ArticleProcess() {
  return ProcessRecord({{"CPU-BUSY-TIME", 5120000},
                        {"DISPATCHES", 338323},
                        {"READY-TIME", 17030000},
                        {"IPU-SWITCHES", 1},
                        {"IPU-NUM", 1},
                        {"CURRENT-PRIORITY-END", 190}});
}

MeasureSnapshot ArticleStart() {
  VolumeSnapshot volume = ArticleVolume(kRunStartUs);
  volume.records = {DiscRecord({{"REQUESTS", 100}, {"ENDING-FREE-SPACE", 12288000000}}),
                    ProcessRecord({{"CPU-BUSY-TIME", 1000000}, {"DISPATCHES", 23}}),
                    DiskfileRecord({{"REQUESTS", 7}, {"ENDING-EOF", 0}})};
  return {{volume}};
}

MeasureSnapshot ArticleEnd() {
  VolumeSnapshot volume = ArticleVolume(kRunEndUs);
  EntityRecord process = ArticleProcess();
  for (CounterValue& counter : process.counters) {
    if (counter.name == "CPU-BUSY-TIME") counter.value += 1000000;
    if (counter.name == "DISPATCHES") counter.value += 23;
  }
  volume.records = {DiscRecord({{"REQUESTS", 135170},
                                {"CACHE-HITS", 402047},
                                {"CACHE-WRITE-HITS", 68035},
                                {"BLOCK-SPLITS", 67564},
                                {"CACHE-WRITE-CLEANS", 474712},
                                {"DRIVER-INPUT-CALLS", 402047},
                                {"DRIVER-OUTPUT-CALLS", 542747},
                                {"WRITES", 68072},
                                {"OUTPUT-BYTES", 277733760},
                                {"WRITE-TIME", 1530000},
                                {"SYNCS", 4},
                                {"TRAIL-BATCHES", 135067},
                                {"TRAIL-BYTES", 1659700000},
                                {"TRAIL-SYNCS", 135067},
                                {"TRAIL-SYNC-TIME", 48310000},
                                {"CONTROL-POINTS", 4},
                                {"CONTROL-POINT-WRITES", 68072},
                                {"CONTROL-POINT-TIME", 1820000},
                                {"CACHE-BYTES", 278822912},
                                {"ENDING-FREE-SPACE", 12009177088},
                                {"OLDEST-SNAPSHOT-AGE", 350000}}),
                    process,
                    DiskfileRecord({{"REQUESTS", 135077},
                                    {"CACHE-READ-HITS", 402047},
                                    {"CACHE-WRITE-HITS", 68035},
                                    {"BLOCK-SPLITS", 67564},
                                    {"CACHE-WRITE-CLEANS", 474712},
                                    {"DRIVER-INPUT-CALLS", 402047},
                                    {"DRIVER-OUTPUT-CALLS", 542747},
                                    {"ENDING-EOF", 278822912},
                                    {"EXTENT-ALLOCATIONS", 1}}),
                    ArticleOpen()};
  return {{volume}};
}

std::unique_ptr<FileSystem> MakeCounterFileSystem(std::shared_ptr<CounterSource> source) {
  return std::make_unique<CounterFileSystem>(std::move(source));
}

void MeasureFixture::StartSession(OutputFormat format, ReportOptions report) {
  MeasureOptions options;
  options.format = format;
  options.report = std::move(report);
  options.time_zone = absl::UTCTimeZone();
  MeasureWorld world;
  world.connect = [this]() -> absl::StatusOr<std::unique_ptr<FileSystem>> {
    if (!source_->connect_status.ok()) return source_->connect_status;
    return MakeCounterFileSystem(source_);
  };
  world.output = &output_;
  world.errors = &output_;
  session_ = std::make_unique<MeasureSession>(std::move(options), std::move(world));
}

std::string MeasureFixture::Run(const std::string& lines) {
  output_.str("");
  std::istringstream input(lines);
  StreamLines source(input);
  ExecuteLines(*session_, source);
  return output_.str();
}

std::string MeasureFixture::Path(const std::string& name) const {
  return StrCat(directory_.path(), "/", name);
}

void ExpectGolden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(QUIRE_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("QUIRE_REWRITE_GOLDEN") != nullptr) {
    std::ofstream(path) << actual;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing; QUIRE_REWRITE_GOLDEN=1 writes it";
  const std::string expected((std::istreambuf_iterator<char>(file)),
                             std::istreambuf_iterator<char>());
  EXPECT_EQ(actual, expected) << "QUIRE_REWRITE_GOLDEN=1 rewrites " << path;
}

}  // namespace measure
}  // namespace quire
