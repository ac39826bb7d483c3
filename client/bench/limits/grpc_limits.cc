#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/bench/limits/bare_grpc.h"
#include "client/bench/limits/limit.h"
#include "client/bench/server_fleet.h"

namespace quire {
namespace bench {
namespace {

// Both ends have their memory and their connection before the clock starts.
constexpr uint64_t kWarmUpCalls = 500;
constexpr uint64_t kWarmUpRecords = 20000;

using Measure = std::function<absl::StatusOr<double>(BareGrpc*, const LimitRun&)>;

Limit MakeLimit(std::string name, std::string what, Work work, Measure warm_up, Measure measure) {
  Limit limit{.name = std::move(name), .what = std::move(what), .work = work, .run = {}};
  limit.run = [warm_up = std::move(warm_up),
               measure = std::move(measure)](const LimitRun& run) -> absl::StatusOr<double> {
    const absl::StatusOr<std::unique_ptr<BareGrpc>> bare =
        BareGrpc::Start(ProgramBeside("quire-bench"), run.directory);
    if (!bare.ok()) return bare.status();
    if (absl::Status s = warm_up(bare->get(), run).status(); !s.ok()) return s;
    return measure(bare->get(), run);
  };
  return limit;
}

Limit Unary(std::string name, std::string what, Work work, BareCall call, uint32_t in_flight) {
  return MakeLimit(
      std::move(name), std::move(what), work,
      [call, in_flight](BareGrpc* bare, const LimitRun& run) {
        return bare->Unary(call, in_flight, std::min(kWarmUpCalls, run.operations));
      },
      [call, in_flight](BareGrpc* bare, const LimitRun& run) {
        return bare->Unary(call, in_flight, run.operations);
      });
}

}  // namespace

std::vector<Limit> GrpcLimits() {
  std::vector<Limit> limits;
  limits.push_back(Unary(kUnaryEcho, "bare gRPC, key there and record back, one at a time",
                         Work::kRead, BareCall::kRead, 1));
  limits.push_back(Unary(kUnaryEcho8, "bare gRPC, key there and record back, 8 in flight",
                         Work::kRead, BareCall::kRead, 8));
  limits.push_back(Unary(kUnaryEcho64, "bare gRPC, key there and record back, 64 in flight",
                         Work::kRead, BareCall::kRead, 64));
  limits.push_back(Unary(kUnaryWrite, "bare gRPC, record there and key back, one at a time",
                         Work::kDurable, BareCall::kWrite, 1));
  limits.push_back(MakeLimit(
      kStreamOut, "bare gRPC stream of packed 256 KiB chunks to the client", Work::kScan,
      [](BareGrpc* bare, const LimitRun&) { return bare->StreamOut(kWarmUpRecords); },
      [](BareGrpc* bare, const LimitRun& run) { return bare->StreamOut(run.records->count()); }));
  limits.push_back(MakeLimit(
      kStreamIn, "bare gRPC stream of packed 256 KiB chunks to the server", Work::kLoadRuns,
      [](BareGrpc* bare, const LimitRun&) { return bare->StreamIn(kWarmUpRecords); },
      [](BareGrpc* bare, const LimitRun& run) { return bare->StreamIn(run.records->count()); }));
  return limits;
}

}  // namespace bench
}  // namespace quire
