// quire-bench: the article's program, its input and its measurements.
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/bench/commands.h"
#include "client/bench/stop_signal.h"
#include "client/transport/lock_checks.h"
#include "quire/error.h"
#include "quire/program.h"

namespace {

using quire::bench::AccessCommand;
using quire::bench::BareGrpcServerCommand;
using quire::bench::BlocksCommand;
using quire::bench::CompareCommand;
using quire::bench::CsvloadCommand;
using quire::bench::DurableCommand;
using quire::bench::ExtentsCommand;
using quire::bench::GenerateCommand;
using quire::bench::HandoffCommand;
using quire::bench::LimitsCommand;
using quire::bench::LookasideCommand;
using quire::bench::PartitionsCommand;
using quire::bench::PeersCommand;
using quire::bench::ProfileCommand;
using quire::bench::ReadAheadCommand;
using quire::bench::ScaleCommand;

constexpr char kUsage[] =
    R"(quire-bench COMMAND [options]

  generate --output FILE     writes a MEASURE report text: one block per record, keys in
                             the order of the article (100 rising runs fed in turn)
  csvload                    loads the text (or --csv FILE) into a key-sequenced file in the
                             article's configurations A (write-through), B (BUFFERED) and
                             C (BUFFERED, 1 + 10 partitions), and as D (AUDIT) and E (AUDIT,
                             1 + 10 partitions), measures, reads all back, compares with the
                             article and AUDIT with BUFFERED. Starts its own servers; with
                             --router, --volumes or --embedded on the command line it uses
                             those, makes $DATA01.MEASURE.OUTFILE (OUTFILE2) there and purges
                             it afterwards
  access                     record operations one by one, by the way they are called: single
                             calls, a session one at a time and pipelined, a chunked scan;
                             operations per second, p50 and p99. Starts its own volume server
  durable                    one durable write at a time in this process: AUDIT and
                             write-through beside a bare synced append of the same bytes,
                             in turn, round by round
  limits                     what this machine and bare gRPC allow without any store: synced
                             appends, a long write, copies, calls and streams of the same bytes
  peers                      Quire embedded and over gRPC beside the stores that this program was
                             built with and whose servers answer, and beside what the machine
                             allows, each in turn in its own process: durable writes, loads,
                             reads, scans, YCSB A to F, bytes on disc, memory
  profile                    processor time per request, split into gRPC, rpc, queue, request, tree,
                             cache, copy, store and trail, the client's beside it: load, write,
                             read, scan; 1, 8, 64 in flight; over gRPC and embedded. One kind:
                             --profile_way=grpc --profile_in_flight=64
  partitions                 write-through inserts of 8 clients into a file of eleven partitions and
                             into one of a single partition, all on one disc, with 1 and 64
                             requests in flight each: rates, syncs, records per sync
  scale                      what an insert, a read, a control point and a start cost as a file
                             grows: --scale_steps, each in a process of its own, killed and
                             started again; --scale_spike: syncs beside commits of LMDB
  lookaside                  look-aside, embedded: data blocks never kept, always kept and kept by
                             measuring; many small objects, few large ones, a cache larger than
                             memory to spare; index blocks frozen where the cache is smaller
  handoff                    what it costs to wake another thread, by the primitive: two threads in
                             turns, then reads and AUDIT updates of 1, 8, 64 blocking clients over
                             gRPC with each wake-up that the server can use
  readahead                  scans of data larger than the cache, from disc: without read-ahead,
                             fixed and adaptive, forward, reverse and of every 10th range, with
                             0, 50 and 200 us of work per record
  extents                    loads into files with small, large and whole-file extents,
                             zero-filled beforehand and not
  blocks                     load, point reads, scan and space by block size, 512 to 32768
  compare FIRST SECOND       median ratios of two files written by csvload --json

Exit codes: 0 done, 1 a check was missed, 2 usage, 3 the work could not be done.)";

// The option by which servers that run already were chosen. Only the command line counts: a
// benchmark must not load an installation because QUIRE_ROUTER happens to be set.
std::string ServersOption(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--") break;
    while (!word.empty() && word[0] == '-') word.remove_prefix(1);
    if (argv[i] == word) continue;  // not an option
    word = word.substr(0, word.find('='));
    for (const char* option : {"router", "volumes", "embedded"}) {
      if (word == option) return option;
    }
  }
  return "";
}

absl::StatusOr<int> RunCommand(const quire::ProgramArguments& arguments,
                               const std::string& servers_option) {
  const std::string command = arguments.positional.empty() ? "" : arguments.positional.front();
  if (command == "compare") {
    return CompareCommand({arguments.positional.begin() + 1, arguments.positional.end()});
  }
  if (arguments.positional.size() == 1 && command == "generate") return GenerateCommand();
  if (arguments.positional.size() == 1 && command == "access") return AccessCommand();
  if (arguments.positional.size() == 1 && command == "durable") return DurableCommand();
  if (arguments.positional.size() == 1 && command == "limits") return LimitsCommand();
  if (arguments.positional.size() == 1 && command == "profile") return ProfileCommand();
  if (arguments.positional.size() == 1 && command == "handoff") return HandoffCommand();
  // Not for users: how quire-bench starts itself for the limits.
  if (arguments.positional.size() == 1 && command == "bare-grpc-server") {
    return BareGrpcServerCommand();
  }
  if (arguments.positional.size() == 1 && command == "peers") return PeersCommand();
  if (arguments.positional.size() == 1 && command == "partitions") return PartitionsCommand();
  if (arguments.positional.size() == 1 && command == "scale") return ScaleCommand();
  if (arguments.positional.size() == 1 && command == "lookaside") return LookasideCommand();
  if (arguments.positional.size() == 1 && command == "readahead") return ReadAheadCommand();
  if (arguments.positional.size() == 1 && command == "extents") return ExtentsCommand();
  if (arguments.positional.size() == 1 && command == "blocks") return BlocksCommand();
  if (arguments.positional.size() == 1 && command == "csvload") {
    return CsvloadCommand(servers_option);
  }
  std::fprintf(stderr, "%s\n", kUsage);
  return quire::bench::kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  quire::DropLockChecks();
  const std::string servers_option = ServersOption(argc, argv);
  const quire::ProgramArguments arguments = quire::ParseProgram(
      argc, argv, {.name = "quire-bench", .version = QUIRE_VERSION, .usage = kUsage});
  if (arguments.exit_code.has_value()) return *arguments.exit_code;
  quire::bench::WatchStopSignals();
  const absl::StatusOr<int> code = RunCommand(arguments, servers_option);
  if (code.ok()) return *code;
  std::fprintf(stderr, "quire-bench: %s\n", quire::Describe(code.status()).c_str());
  return quire::bench::kExitFailed;
}
