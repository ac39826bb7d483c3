#include "client/bench/scale/sync_spike.h"

#include <lmdb.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "client/bench/errors.h"
#include "client/bench/latency_figures.h"
#include "client/bench/page/spread.h"
#include "client/bench/stop_signal.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kAppendBytes = 4096;
constexpr uint32_t kImageBytes = 4080;  // of a block of 4,096 bytes (R-B1)
constexpr size_t kMapBytes = size_t{64} << 30;
constexpr double kStallGoalMs = 100;

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

absl::Status LmdbFailed(const char* action, int code) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("LMDB could not ", action, ": ", mdb_strerror(code)));
}

// An environment that takes blocks as a control point puts them: new, last and in key order.
class BlockWriter {
 public:
  ~BlockWriter() {
    if (environment_ != nullptr) mdb_env_close(environment_);
  }

  int Open(const std::string& directory) {
    int code = mdb_env_create(&environment_);
    if (code == 0) code = mdb_env_set_mapsize(environment_, kMapBytes);
    if (code == 0) code = mdb_env_open(environment_, directory.c_str(), MDB_NOTLS, 0640);
    return code;
  }

  int Commit(uint64_t bytes) {
    MDB_txn* transaction = nullptr;
    int code = mdb_txn_begin(environment_, nullptr, 0, &transaction);
    if (code != 0) return code;
    MDB_dbi blocks = 0;
    code = mdb_dbi_open(transaction, nullptr, MDB_INTEGERKEY, &blocks);
    for (uint64_t put = 0; code == 0 && put < bytes; put += kAppendBytes) {
      MDB_val key{sizeof(next_), &next_};
      MDB_val image{kImageBytes, nullptr};
      code = mdb_put(transaction, blocks, &key, &image, MDB_RESERVE | MDB_APPEND);
      if (code == 0) std::memset(image.mv_data, static_cast<int>(next_ & 0xff), kImageBytes);
      ++next_;
    }
    if (code == 0) return mdb_txn_commit(transaction);
    mdb_txn_abort(transaction);
    return code;
  }

 private:
  MDB_env* environment_ = nullptr;
  size_t next_ = 0;
};

// Appends until told to end, or `least` times if that is more.
absl::Status AppendUntil(BareAppend* append, const std::atomic<bool>& end, uint32_t least,
                         std::vector<int64_t>* latencies_ns) {
  for (uint32_t done = 0; done < least || !end.load(std::memory_order_acquire); ++done) {
    if (StopRequested()) return Interrupted();
    const int64_t begun = NowNanos();
    if (absl::Status s = append->Append(); !s.ok()) return s;
    latencies_ns->push_back(NowNanos() - begun);
  }
  return absl::OkStatus();
}

void AddRound(std::vector<int64_t> latencies_ns, SpikeFigures* figures) {
  figures->p50_us.push_back(static_cast<double>(Percentile(&latencies_ns, 0.5)) / 1e3);
  figures->p99_us.push_back(static_cast<double>(Percentile(&latencies_ns, 0.99)) / 1e3);
  figures->longest_us.push_back(static_cast<double>(latencies_ns.back()) / 1e3);
}

absl::Status RunRound(const SpikeOptions& options, SpikeFigures* figures) {
  const fs::path folder = fs::path(options.directory) / "spike";
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return CannotOpen(folder.string(), failed.value());
  const absl::StatusOr<std::unique_ptr<BareAppend>> append =
      BareAppend::Make((folder / "trail").string(), figures->way, kAppendBytes);
  if (!append.ok()) return append.status();
  BlockWriter writer;
  if (int code = writer.Open(folder.string()); code != 0) return LmdbFailed("open", code);
  // The first one makes the writer's own memory.
  const uint64_t bytes = figures->commit_bytes;
  if (int code = bytes == 0 ? 0 : writer.Commit(bytes); code != 0) {
    return LmdbFailed("commit", code);
  }
  std::atomic<bool> end = bytes == 0;
  int code = 0;
  const int64_t begun = NowNanos();
  int64_t ended = begun;
  std::thread committing([&] {
    for (uint32_t i = 0; bytes != 0 && code == 0 && i < options.commits; ++i) {
      code = writer.Commit(bytes);
    }
    ended = NowNanos();
    end.store(true, std::memory_order_release);
  });
  std::vector<int64_t> latencies_ns;
  absl::Status appended =
      AppendUntil(append->get(), end, bytes == 0 ? options.quiet_appends : 1, &latencies_ns);
  committing.join();
  if (!appended.ok()) return appended;
  if (code != 0) return LmdbFailed("commit", code);
  AddRound(std::move(latencies_ns), figures);
  if (bytes != 0) {
    figures->commit_ms.push_back(static_cast<double>(ended - begun) / 1e6 / options.commits);
  }
  fs::remove_all(folder, failed);
  return absl::OkStatus();
}

std::string WayName(AppendWay way) {
  return way == AppendWay::kDirect ? "O_DIRECT|O_DSYNC" : "write and fdatasync";
}

std::string BesideName(uint64_t commit_bytes) {
  return commit_bytes == 0 ? "quiet" : StrCat("LMDB commits ", commit_bytes >> 20, " MiB");
}

}  // namespace

absl::StatusOr<std::vector<SpikeFigures>> RunSyncSpike(const SpikeOptions& options) {
  std::vector<SpikeFigures> all;
  for (const AppendWay way : options.ways) {
    for (const uint64_t bytes : options.commit_bytes) {
      SpikeFigures figures;
      figures.way = way;
      figures.commit_bytes = bytes;
      all.push_back(std::move(figures));
    }
  }
  for (uint32_t round = 0; round < options.rounds; ++round) {
    for (SpikeFigures& figures : all) {
      if (absl::Status s = RunRound(options, &figures); !s.ok()) return s;
    }
  }
  return all;
}

ResultPage SpikePage(const std::vector<SpikeFigures>& figures) {
  ResultPage page(
      "quire-bench scale --scale_spike",
      "one synced append of 4,096 bytes after the other, as the audit trail makes them, "
      "while LMDB commits beside it on the same disc");
  PageBars p99{.title = "p99 of a synced append", .unit = "us", .less_is_better = true, .bars = {}};
  Table table{.title = "Synced appends",
              .columns = {"way, beside", "p50, us", "p99, us", "longest, us", "commit, ms"},
              .rows = {}};
  double longest_us = 0;
  for (const SpikeFigures& one : figures) {
    const std::string label = StrCat(WayName(one.way), ", ", BesideName(one.commit_bytes));
    const Spread longest = SpreadOf(one.longest_us);
    p99.bars.push_back({.label = label, .value = SpreadOf(one.p99_us), .ours = false, .note = ""});
    table.rows.push_back({label, SpreadText(SpreadOf(one.p50_us)), SpreadText(SpreadOf(one.p99_us)),
                          SpreadText(longest),
                          one.commit_ms.empty() ? "–" : SpreadText(SpreadOf(one.commit_ms))});
    if (one.commit_bytes != 0) longest_us = std::max(longest_us, longest.high);
  }
  page.AddGoal({.what = "longest synced append beside commits: the goal for the longest stall of a "
                        "request",
                .asked = StrCat("<= ", FigureText(kStallGoalMs), " ms"),
                .got = StrCat(FigureText(longest_us / 1e3), " ms"),
                .met = longest_us / 1e3 <= kStallGoalMs,
                .measured = true});
  page.AddBars(std::move(p99));
  page.AddTable(std::move(table));
  return page;
}

}  // namespace bench
}  // namespace quire
