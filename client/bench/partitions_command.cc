// quire-bench partitions: eleven partitions against one on one disc.
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/made_records.h"
#include "client/bench/number_text.h"
#include "client/bench/page/result_page.h"
#include "client/bench/scale/partitions_page.h"
#include "client/bench/scale/partitions_run.h"
#include "client/bench/work_folder.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload

ABSL_FLAG(uint32_t, partitions_count, 11, "partitions: of the partitioned file, 2 to 16");
ABSL_FLAG(uint32_t, partitions_clients, 8, "partitions: clients at once");
ABSL_FLAG(uint32_t, partitions_rounds, 5, "partitions: rounds");
ABSL_FLAG(uint64_t, partitions_records, 6000,
          "partitions: inserts of a round with one request in flight; with 64 four times as many");

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kInFlight[] = {1, 64};
constexpr uint64_t kTimesAsMany = 4;  // with many in flight

absl::StatusOr<std::unique_ptr<PartitionedInserts>> StartIn(const std::string& folder,
                                                            uint32_t partitions,
                                                            const MadeRecords* records) {
  const fs::path directory = fs::path(folder) / StrCat(partitions);
  std::error_code failed;
  fs::create_directory(directory, failed);
  if (failed) return CannotOpen(directory.string(), failed.value());
  return PartitionedInserts::Start(directory.string(), partitions, records);
}

// One round of both files; the figures of `both` are of this many requests in flight.
absl::Status RunRound(PartitionedInserts* one, PartitionedInserts* many, uint64_t records,
                      PartitionsFigures* both) {
  absl::StatusOr<PartitionsRound> round = one->Run(records, both->clients, both->in_flight);
  if (!round.ok()) return round.status();
  both->one.push_back(*round);
  round = many->Run(records, both->clients, both->in_flight);
  if (!round.ok()) return round.status();
  both->many.push_back(*round);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int> PartitionsCommand() {
  const uint32_t partitions = absl::GetFlag(FLAGS_partitions_count);
  const uint32_t clients = absl::GetFlag(FLAGS_partitions_clients);
  const uint32_t rounds = absl::GetFlag(FLAGS_partitions_rounds);
  const uint64_t count = absl::GetFlag(FLAGS_partitions_records);
  if (partitions < 2 || partitions > 16) return BadOption("partitions_count", "must be 2 to 16");
  if (clients == 0) return BadOption("partitions_clients", "must be at least 1");
  if (rounds == 0) return BadOption("partitions_rounds", "must be at least 1");
  if (count < clients) return BadOption("partitions_records", "at least one for each client");
  const absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
  if (!folder.ok()) return folder.status();
  const MadeRecords records(count * rounds * (1 + kTimesAsMany));
  const absl::StatusOr<std::unique_ptr<PartitionedInserts>> one =
      StartIn(folder->path(), 1, &records);
  if (!one.ok()) return one.status();
  const absl::StatusOr<std::unique_ptr<PartitionedInserts>> many =
      StartIn(folder->path(), partitions, &records);
  if (!many.ok()) return many.status();
  std::vector<PartitionsFigures> figures;
  for (const uint32_t in_flight : kInFlight) {
    PartitionsFigures both;
    both.clients = clients;
    both.in_flight = in_flight;
    both.partitions = partitions;
    figures.push_back(std::move(both));
  }
  for (uint32_t round = 0; round < rounds; ++round) {
    for (PartitionsFigures& both : figures) {
      const uint64_t inserts = both.in_flight == 1 ? count : count * kTimesAsMany;
      absl::Status ran = RunRound(one->get(), many->get(), inserts, &both);
      if (!ran.ok()) return ran;
    }
  }
  if (absl::Status s = (*one)->Stop(); !s.ok()) return s;
  if (absl::Status s = (*many)->Stop(); !s.ok()) return s;
  return Publish(
      PartitionsPage(
          figures, StrCat("Inserts of ", CountText(MadeRecords::kRecordBytes),
                          " bytes in shuffled order, write-through, over gRPC; ", clients,
                          " clients, one volume server for each partition, ", RoundsText(rounds))),
      PublishFlags());
}

}  // namespace bench
}  // namespace quire
