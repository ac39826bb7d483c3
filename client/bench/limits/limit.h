// What the machine itself allows for a kind of work: measured in the same rounds as the stores,
// each in a process of its own.
#ifndef QUIRE_CLIENT_BENCH_LIMITS_LIMIT_H_
#define QUIRE_CLIENT_BENCH_LIMITS_LIMIT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/made_records.h"
#include "client/bench/peers/work.h"

namespace quire {
namespace bench {

struct LimitRun {
  const MadeRecords* records = nullptr;
  std::string directory;    // empty, on the disc that the stores use
  uint64_t operations = 0;  // how often, for what is done one by one
};

struct Limit {
  std::string name;  // one of those below
  std::string what;  // for the page
  Work work;         // what it bounds
  // Records per second.
  std::function<absl::StatusOr<double>(const LimitRun&)> run;
};

inline constexpr char kAppendFdatasync[] = "limit: append, fdatasync";
inline constexpr char kAppendDirect[] = "limit: append, direct";
inline constexpr char kSequentialWrite[] = "limit: sequential write";
inline constexpr char kMemcpy[] = "limit: memcpy";
inline constexpr char kUnaryEcho[] = "limit: grpc unary echo";  // Work::kRead
inline constexpr char kUnaryEcho8[] = "limit: grpc unary echo, 8 in flight";
inline constexpr char kUnaryEcho64[] = "limit: grpc unary echo, 64 in flight";
inline constexpr char kUnaryWrite[] = "limit: grpc unary in";   // Work::kDurable: record in
inline constexpr char kStreamOut[] = "limit: grpc stream out";  // Work::kScan
inline constexpr char kStreamIn[] = "limit: grpc stream in";    // Work::kLoadRuns

// Disc and memory (disc_limits.cc).
std::vector<Limit> DiscLimits();
// Bare gRPC over loopback of the same bytes (grpc_limits.cc).
std::vector<Limit> GrpcLimits();
// Both (all_limits.cc).
std::vector<Limit> AllLimits();

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LIMITS_LIMIT_H_
