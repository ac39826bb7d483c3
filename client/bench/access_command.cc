// quire-bench access: what one record operation costs, by the way it is called.
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/strings/str_format.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/latency_figures.h"
#include "client/bench/server_fleet.h"
#include "client/bench/work_folder.h"
#include "client/transport/grpc_stub.h"
#include "quire/byte_size.h"
#include "quire/filesystem.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload
ABSL_DECLARE_FLAG(quire::ByteSize, cache);
ABSL_DECLARE_FLAG(quire::ByteSize, dirty_limit);

ABSL_FLAG(uint32_t, operations, 20000, "access: operations of a round, and records of the file");
ABSL_FLAG(uint32_t, rounds, 5, "access: rounds of each kind of operation");

namespace quire {
namespace bench {
namespace {

constexpr char kFile[] = "$DATA01.BENCH.ACCESS";
constexpr uint32_t kKeyBytes = 11;  // the article's record
constexpr uint32_t kRecordBytes = 1676;
constexpr uint32_t kBatch = 64;

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string KeyText(uint64_t number) {
  return absl::StrFormat("%0*d", static_cast<int>(kKeyBytes), number);
}
std::string RecordText(uint64_t number) {
  std::string record = KeyText(number);
  record.resize(kRecordBytes, 'x');
  return record;
}

// One open of the file, and the same volume's single calls, in the ways they can be used.
class Access {
 public:
  Access(FileSystem* file_system, std::shared_ptr<Service> unary, uint64_t operations)
      : file_system_(file_system), unary_(std::move(unary)), order_(operations) {
    std::iota(order_.begin(), order_.end(), 0);
    std::shuffle(order_.begin(), order_.end(), std::mt19937_64(1));  // the same in every run
  }

  absl::Status Prepare() {
    FileAttributes attributes;
    attributes.key_length = kKeyBytes;
    attributes.record_bytes = kRecordBytes;
    attributes.extents = ExtentSizes{5000, 5000};
    attributes.max_extents = 900;
    attributes.buffered = true;
    const absl::StatusOr<FileName> name = ParseFileName(kFile);
    if (!name.ok()) return name.status();
    name_ = *name;
    const absl::StatusOr<FileInfo> created = file_system_->Create(name_, attributes);
    if (!created.ok()) return created.status();
    FileOpenOptions options;
    options.batch_operations = kBatch;
    absl::StatusOr<std::unique_ptr<File>> file = file_system_->Open(name_, options);
    if (!file.ok()) return file.status();
    file_ = *std::move(file);
    uint64_t next = 0;
    std::string record;
    const absl::StatusOr<LoadSummary> loaded = file_->Load(
        [&](std::string_view* out) {
          if (next == order_.size()) return false;
          record = RecordText(next++);
          *out = record;
          return true;
        },
        {});
    return loaded.status();
  }

  // Runs all kinds, round by round, so that what the machine does besides hits all of them alike.
  absl::StatusOr<std::vector<LatencyFigures>> Run(uint32_t rounds) {
    std::vector<std::vector<LatencyRound>> measured(kKinds.size());
    for (uint32_t round = 0; round < rounds; ++round) {
      for (size_t kind = 0; kind < kKinds.size(); ++kind) {
        LatencyRound one;
        one.latencies_ns.reserve(order_.size());
        const int64_t start = NowNanos();
        if (absl::Status s = (this->*kKinds[kind].run)(&one); !s.ok()) return s;
        one.elapsed_ns = NowNanos() - start;
        measured[kind].push_back(std::move(one));
      }
    }
    std::vector<LatencyFigures> figures;
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
      figures.push_back(SummarizeRounds(kKinds[kind].what, std::move(measured[kind])));
    }
    return figures;
  }

 private:
  template <typename Operate>
  absl::Status OneAtATime(LatencyRound* round, Operate operate) {
    for (const uint64_t number : order_) {
      const int64_t start = NowNanos();
      if (absl::Status s = operate(number); !s.ok()) return s;
      round->latencies_ns.push_back(NowNanos() - start);
    }
    round->operations = order_.size();
    return absl::OkStatus();
  }

  absl::Status ExecuteUnary(const Operation& operation) {
    UnaryRequest request;
    request.file.name = name_;
    request.file.client_name = "quire-bench";
    request.operation.Add(operation);
    std::promise<absl::Status> answer;
    std::future<absl::Status> answered = answer.get_future();
    unary_->Execute(std::move(request), [&answer](absl::StatusOr<BatchResult> result) {
      answer.set_value(result.ok() ? result->results.at(0).status : result.status());
    });
    return answered.get();
  }

  absl::Status UnaryReads(LatencyRound* round) {
    return OneAtATime(round, [this](uint64_t number) {
      const std::string key = KeyText(number);
      Operation read;
      read.key = key;
      return ExecuteUnary(read);
    });
  }
  absl::Status UnaryUpdates(LatencyRound* round) {
    return OneAtATime(round, [this](uint64_t number) {
      const std::string record = RecordText(number);
      Operation update;
      update.kind = OperationKind::kUpdate;
      update.record = record;
      return ExecuteUnary(update);
    });
  }
  absl::Status SessionReads(LatencyRound* round) {
    return OneAtATime(round,
                      [this](uint64_t number) { return file_->Read(KeyText(number)).status(); });
  }
  absl::Status SessionUpdates(LatencyRound* round) {
    return OneAtATime(round, [this](uint64_t number) { return file_->Update(RecordText(number)); });
  }

  template <typename Start>
  absl::Status Pipelined(LatencyRound* round, Start start) {
    // One slot each: completions come on other threads.
    round->latencies_ns.assign(order_.size(), 0);
    std::vector<absl::Status> failures(1);
    for (size_t i = 0; i < order_.size(); ++i) {
      int64_t* const slot = &round->latencies_ns[i];
      const int64_t began = NowNanos();
      start(order_[i], [slot, began, &failures](const absl::Status& status, std::string_view) {
        *slot = NowNanos() - began;
        failures[0].Update(status);
      });
    }
    if (absl::Status s = file_->Wait(); !s.ok()) return s;
    round->operations = order_.size();
    return failures[0];
  }
  absl::Status PipelinedReads(LatencyRound* round) {
    return Pipelined(round, [this](uint64_t number, File::Completion done) {
      file_->ReadNowait(KeyText(number), std::move(done));
    });
  }
  absl::Status PipelinedUpdates(LatencyRound* round) {
    return Pipelined(round, [this](uint64_t number, File::Completion done) {
      file_->UpdateNowait(RecordText(number), std::move(done));
    });
  }

  absl::Status ChunkedScan(LatencyRound* round) {
    const std::unique_ptr<Scanner> scanner = file_->Scan({});
    for (;;) {
      const int64_t start = NowNanos();
      const absl::StatusOr<std::string_view> record = scanner->Next();
      if (NumberOf(record.status()) == ErrorNumber::kEndOfFile) return absl::OkStatus();
      if (!record.ok()) return record.status();
      round->latencies_ns.push_back(NowNanos() - start);
      ++round->operations;
    }
  }

  struct Kind {
    const char* what;
    absl::Status (Access::*run)(LatencyRound*);
  };
  static const std::vector<Kind> kKinds;

  FileSystem* const file_system_;
  const std::shared_ptr<Service> unary_;
  std::vector<uint64_t> order_;
  FileName name_;
  std::unique_ptr<File> file_;
};

const std::vector<Access::Kind> Access::kKinds = {
    {"unary read", &Access::UnaryReads},
    {"unary update", &Access::UnaryUpdates},
    {"session read, one at a time", &Access::SessionReads},
    {"session update, one at a time", &Access::SessionUpdates},
    {"session read, pipelined by 64", &Access::PipelinedReads},
    {"session update, pipelined by 64", &Access::PipelinedUpdates},
    {"chunked scan, per record", &Access::ChunkedScan},
};

}  // namespace

absl::StatusOr<int> AccessCommand() {
  const uint32_t operations = absl::GetFlag(FLAGS_operations);
  const uint32_t rounds = absl::GetFlag(FLAGS_rounds);
  if (operations == 0) return BadOption("operations", "must be at least 1");
  if (rounds == 0) return BadOption("rounds", "must be at least 1");
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  FleetOptions fleet_options;
  fleet_options.program = ProgramBeside("quire-volume");
  fleet_options.directory = folder->path();
  fleet_options.volumes = {"$DATA01"};
  fleet_options.cache_bytes = absl::GetFlag(FLAGS_cache).bytes;
  fleet_options.dirty_limit_bytes = absl::GetFlag(FLAGS_dirty_limit).bytes;
  const absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(fleet_options);
  if (!fleet.ok()) return fleet.status();
  const std::string address = (*fleet)->addresses().begin()->second;
  {
    const absl::StatusOr<std::unique_ptr<FileSystem>> file_system =
        FileSystem::Connect({.volumes = (*fleet)->addresses(), .client_name = "quire-bench"});
    if (!file_system.ok()) return file_system.status();
    Access access(file_system->get(), MakeGrpcStub({.address = address}), operations);
    if (absl::Status s = access.Prepare(); !s.ok()) return s;
    const absl::StatusOr<std::vector<LatencyFigures>> figures = access.Run(rounds);
    if (!figures.ok()) return figures.status();
    std::printf("%u records of %u bytes, BUFFERED, one volume server on loopback, %u rounds\n%s",
                operations, kRecordBytes, rounds, LatencyTable(*figures).c_str());
  }
  if (absl::Status s = (*fleet)->Stop(); !s.ok()) return s;
  return kExitDone;
}

}  // namespace bench
}  // namespace quire
