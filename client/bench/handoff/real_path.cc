#include "client/bench/handoff/real_path.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "client/bench/errors.h"
#include "client/bench/made_file.h"
#include "client/bench/process_figures.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr char kVolume[] = "$DATA01";
constexpr uint64_t kCacheBytes = uint64_t{128} << 20;

double CpuSecondsOf(pid_t pid) {
  clockid_t processor;
  timespec time = {};
  if (clock_getcpuclockid(pid, &processor) != 0 || clock_gettime(processor, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

std::string_view NameOf(PathWork work) {
  return work == PathWork::kRead ? "read" : "AUDIT update";
}

absl::StatusOr<std::unique_ptr<RealPath>> RealPath::Start(WakeupKind kind,
                                                          const std::string& directory,
                                                          const MadeRecords* records,
                                                          uint32_t most_clients) {
  FleetOptions options;
  options.program = ProgramBeside("quire-volume");
  options.directory = directory;
  options.volumes = {kVolume};
  options.cache_bytes = kCacheBytes;
  options.dirty_limit_bytes = kCacheBytes / 2;
  options.arguments = {StrCat("--handoff=", kWakeupNames[static_cast<size_t>(kind)])};
  std::unique_ptr<RealPath> path(new RealPath(records));
  absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options);
  if (!fleet.ok()) return fleet.status();
  path->fleet_ = *std::move(fleet);
  absl::StatusOr<std::unique_ptr<FileSystem>> file_system =
      FileSystem::Connect({.volumes = path->fleet_->addresses(), .client_name = "quire-bench"});
  if (!file_system.ok()) return file_system.status();
  path->file_system_ = *std::move(file_system);
  const FileName name{.node = "", .volume = kVolume, .subvolume = "HANDOFF", .file = "RECORDS"};
  if (absl::Status s = path->Fill(name); !s.ok()) return s;
  for (uint32_t i = 0; i < most_clients; ++i) {
    absl::StatusOr<std::unique_ptr<File>> file = path->file_system_->Open(name, FileOpenOptions{});
    if (!file.ok()) return file.status();
    path->files_.push_back(*std::move(file));
  }
  return path;
}

absl::Status RealPath::Fill(const FileName& name) {
  FileAttributes attributes = MadeFileAttributes();
  attributes.audit = true;
  if (absl::Status s = file_system_->Create(name, attributes).status(); !s.ok()) return s;
  return LoadMadeFile(*file_system_, name, *records_, RecordOrder::kAscending);
}

absl::Status RealPath::Read(File* file, uint64_t rank) const {
  const absl::StatusOr<std::string> record = file->Read(records_->Key(rank));
  if (!record.ok()) return record.status();
  return records_->Matches(rank, *record) ? absl::OkStatus() : OtherRecordRead(rank);
}

absl::StatusOr<PathCost> RealPath::Run(PathWork work, uint32_t clients, absl::Duration time) {
  std::atomic<uint64_t> done = 0;
  std::vector<absl::Status> failures(clients);
  std::vector<std::thread> threads;
  const double server_before = CpuSecondsOf(fleet_->pids().at(0));
  const ProcessFigures client_before = OwnProcess();
  const auto start = std::chrono::steady_clock::now();
  const absl::Time end = absl::Now() + time;
  const auto operate = [&](uint32_t client) {
    uint64_t operations = 0;
    for (uint64_t place = next_ + client; absl::Now() < end; place += clients) {
      const uint64_t rank = records_->RankAt(RecordOrder::kShuffled, place % records_->count());
      const absl::Status status = work == PathWork::kRead
                                      ? Read(files_[client].get(), rank)
                                      : files_[client]->Update(records_->Record(rank));
      failures[client].Update(status);
      if (!status.ok()) return;
      ++operations;
    }
    done += operations;
  };
  for (uint32_t client = 0; client < clients; ++client) threads.emplace_back(operate, client);
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const double client_s = (OwnProcess() - client_before).cpu_busy_s;
  const double server_s = CpuSecondsOf(fleet_->pids().at(0)) - server_before;
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  next_ += done;
  const auto requests = static_cast<double>(std::max<uint64_t>(done, 1));
  return PathCost{requests / elapsed.count(), server_s * 1e6 / requests, client_s * 1e6 / requests};
}

absl::Status RealPath::Stop() {
  files_.clear();
  file_system_.reset();
  return fleet_->Stop();
}

}  // namespace bench
}  // namespace quire
