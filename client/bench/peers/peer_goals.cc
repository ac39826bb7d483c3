#include "client/bench/peers/peer_goals.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/bench/limits/limit.h"
#include "client/bench/number_text.h"
#include "client/bench/peers/peer.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr double kRecordsPerBlock = 2;
constexpr double kBlockBytes = 4096;
constexpr uint64_t kFewestRecordsForBytes = 100'000;

std::string AtLeast(double bound) {
  return absl::StrFormat(">= %.2g", bound);
}

class Goals {
 public:
  Goals(const Results& results, uint64_t records) : results_(results), records_(records) {}

  std::vector<PageGoal> All() && {
    Loads();
    Durable();
    Ahead("BUFFERED load embedded, ascending, over ", Work::kLoadAscending,
          {kRocksdb, kWiredtiger, kBerkeleyDb, kSqlite, kLmdb});
    Ahead("BUFFERED load embedded, shuffled, over ", Work::kLoadShuffled,
          {kRocksdb, kWiredtiger, kBerkeleyDb, kSqlite, kLmdb});
    Reads();
    Disc();
    return std::move(goals_);
  }

 private:
  void Add(std::string what, double bound, const std::optional<Spread>& ratio,
           const std::string& missing) {
    PageGoal goal;
    goal.what = std::move(what);
    goal.asked = AtLeast(bound);
    goal.measured = ratio.has_value();
    goal.met = ratio.has_value() && ratio->median >= bound;
    goal.got = ratio.has_value() ? SpreadText(*ratio) : missing;
    goals_.push_back(std::move(goal));
  }

  // A row over another, in the same measure.
  void Over(std::string what, double bound, const char* row, Work work, std::string_view other,
            std::string_view suffix = "") {
    const std::string measure = StrCat(NameOf(work), suffix);
    Add(std::move(what), bound, results_.Ratio(row, measure, other, measure),
        StrCat("needs ", NameOf(work), " of ", row, " and ", other));
  }

  // Over the best of some rows, which is named.
  void OverBest(const std::string& what, double bound, const char* row, Work work,
                const std::vector<std::string>& others) {
    const std::optional<std::string> best = results_.Best(others, NameOf(work));
    Over(StrCat(what, best.value_or("the others")), bound, row, work,
         best.value_or(others.front()));
  }
  void Ahead(const std::string& what, Work work, const std::vector<std::string>& others) {
    OverBest(what, 1, kQuireEmbedded, work, others);
  }

  void Loads() {
    Over("BUFFERED load over gRPC, over PostgreSQL COPY BINARY", 1.5, kQuireLoad, Work::kLoadRuns,
         kPostgresqlCopy);
    Over("BUFFERED load over gRPC, over Redis everysec pipelined", 2, kQuireLoad, Work::kLoadRuns,
         kRedisEverysec);
    for (const char* suffix : {kReplySuffix, ""}) {
      Add(StrCat("AUDIT load over BUFFERED load, both over gRPC, ",
                 *suffix == '\0' ? "settled" : "to the last reply"),
          0.9,
          results_.Ratio(kQuireLoad, StrCat(NameOf(Work::kLoadDurable), suffix), kQuireLoad,
                         StrCat(NameOf(Work::kLoadRuns), suffix)),
          StrCat("needs ", NameOf(Work::kLoadDurable), " and ", NameOf(Work::kLoadRuns), " of ",
                 kQuireLoad));
    }
    OverBest("AUDIT load over gRPC, over ", 1.5, kQuireLoad, Work::kLoadDurable,
             {kPostgresqlCopy, kPostgresql, kRedisAlways});
  }

  void Durable() {
    const std::string_view measure = NameOf(Work::kDurable);
    const std::string append =
        results_.Best({kAppendFdatasync, kAppendDirect}, measure).value_or(kAppendFdatasync);
    Over(StrCat("AUDIT one at a time, embedded, over ", append), 0.8, kQuireEmbedded,
         Work::kDurable, append);
    for (const char* row : {kQuireSession, kQuireUnary}) {
      Add(StrCat("AUDIT one at a time, ", row, ", over append and bare round trip"), 0.8,
          OverAppendAndTrip(row, append),
          StrCat("needs ", measure, " of ", row, " and the limits"));
    }
  }

  // Round by round over 1 / (an append's time + a bare round trip's time).
  std::optional<Spread> OverAppendAndTrip(const char* row, const std::string& append) const {
    const std::string_view measure = NameOf(Work::kDurable);
    const std::vector<double>* const ours = results_.Values(row, measure);
    const std::vector<double>* const appends = results_.Values(append, measure);
    const std::vector<double>* const trips = results_.Values(kUnaryWrite, measure);
    if (ours == nullptr || appends == nullptr || trips == nullptr ||
        ours->size() != appends->size() || ours->size() != trips->size()) {
      return std::nullopt;
    }
    std::vector<double> bounds;
    for (size_t i = 0; i < ours->size(); ++i) {
      bounds.push_back(1 / (1 / (*appends)[i] + 1 / (*trips)[i]));
    }
    return RatioSpread(*ours, bounds);
  }

  void Reads() {
    Over("point reads, unary, over bare gRPC unary echo", 0.8, kQuireUnary, Work::kRead,
         kUnaryEcho);
    Over("point reads, session batches of 64, over PostgreSQL pipelined", 2.5, kQuireSession,
         Work::kReadGroup, kPostgresql);
    Over("point reads, embedded, over LMDB", 0.8, kQuireEmbedded, Work::kRead, kLmdb);
    Ahead("point reads, embedded, over ", Work::kRead,
          {kRocksdb, kLeveldb, kWiredtiger, kBerkeleyDb, kSqlite});
    Over("ordered scan over gRPC, over PostgreSQL COPY out", 2, kQuireSession, Work::kScan,
         kPostgresql);
    Over("ordered scan over gRPC, over bare gRPC stream", 0.7, kQuireSession, Work::kScan,
         kStreamOut);
    Ahead("ordered scan, embedded, over ", Work::kScan, {kBerkeleyDb, kRocksdb, kSqlite});
  }

  // The volume takes its room in steps of 64 MiB, so only a file of many steps tells something.
  void Disc() {
    for (const Work load : {Work::kLoadAscending, Work::kLoadRuns, Work::kLoadShuffled}) {
      const std::optional<Spread> bytes =
          results_.Of(kQuireEmbedded, StrCat(NameOf(load), kBytesSuffix));
      const double wanted = static_cast<double>(records_) / kRecordsPerBlock * kBlockBytes;
      PageGoal goal;
      goal.what = StrCat("bytes on disc after ", NameOf(load),
                         " and a control point, over 2 records a 4,096-byte block");
      goal.asked = "<= 1.3";
      goal.measured = bytes.has_value() && records_ >= kFewestRecordsForBytes;
      goal.met = goal.measured && bytes->median <= 1.3 * wanted;
      goal.got = goal.measured ? FigureText(bytes->median / wanted)
                               : StrCat("needs ", NameOf(load), " of ", kQuireEmbedded, " and ",
                                        CountText(kFewestRecordsForBytes), " records");
      goals_.push_back(std::move(goal));
    }
  }

  const Results& results_;
  const uint64_t records_;
  std::vector<PageGoal> goals_;
};

}  // namespace

std::vector<PageGoal> PeerGoals(const Results& results, uint64_t records) {
  return Goals(results, records).All();
}

}  // namespace bench
}  // namespace quire
