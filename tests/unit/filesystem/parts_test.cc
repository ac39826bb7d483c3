// The small parts: chunks, credits, signals, workers, registries, the volume map.
#include <atomic>
#include <fstream>
#include <thread>

#include "client/filesystem/chunk_split.h"
#include "client/filesystem/credit_gate.h"
#include "client/filesystem/label_cache.h"
#include "client/filesystem/new_id.h"
#include "client/filesystem/open_registry.h"
#include "client/filesystem/signal.h"
#include "client/filesystem/worker_pool.h"
#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;

TEST(ChunkSplit, KeepsOrderAndPlaces) {
  RecordChunk chunk;
  for (const char* key : {"B001", "A001", "B002", "C001"}) chunk.Add(Record(key));
  const auto parts = SplitChunk(PartsAttributes(3), chunk);
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 3u);
  EXPECT_EQ((*parts)[0].partition, 1u);
  EXPECT_THAT((*parts)[0].places, ElementsAre(0, 2));
  EXPECT_EQ((*parts)[0].chunk.data, Record("B001") + Record("B002"));
  EXPECT_EQ((*parts)[2].PlaceOf(0), 3u);
}

TEST(ChunkSplit, OnePartitionIsTheWholeChunk) {
  RecordChunk chunk;
  chunk.Add(Record("B001"));
  chunk.Add(Record("B002"));
  const auto parts = SplitChunk(PartsAttributes(3), chunk);
  ASSERT_EQ(parts->size(), 1u);
  EXPECT_TRUE((*parts)[0].places.empty());
  EXPECT_EQ((*parts)[0].PlaceOf(1), 1u);
  EXPECT_TRUE(SplitChunk(PartsAttributes(3), RecordChunk())->empty());
  chunk.data.pop_back();
  EXPECT_EQ(Number(SplitChunk(PartsAttributes(3), chunk)), 22);
}

TEST(CreditGate, NeverMoreTakenThanTheLimit) {
  CreditGate gate;
  gate.SetLimit(5);
  std::atomic<int> to_give{0};
  std::atomic<bool> end{false};
  std::thread giver([&] {
    while (!end || to_give > 0) {
      if (to_give > 0) {
        --to_give;
        gate.Give();
      } else {
        std::this_thread::yield();
      }
    }
  });
  for (int i = 0; i < 20000; ++i) {
    gate.Take();
    EXPECT_LE(gate.taken(), 5u);
    ++to_give;
  }
  gate.AwaitIdle();
  EXPECT_EQ(gate.taken(), 0u);
  end = true;
  giver.join();
}

TEST(Signal, WakesItsWaiter) {
  for (int i = 0; i < 200; ++i) {
    auto signal = std::make_shared<Signal>();
    int seen = 0;
    std::thread setter([&seen, signal] {
      seen = 1;
      signal->Set();
    });
    signal->Wait();
    EXPECT_EQ(seen, 1);
    setter.join();
  }
}

TEST(WorkerPool, RunsWhatWasPostedBeforeStopAndNothingAfter) {
  std::atomic<int> ran{0};
  WorkerPool pool(3);
  for (int i = 0; i < 100; ++i) {
    WorkerPool::Task task = [&ran] { ++ran; };
    EXPECT_TRUE(pool.Post(task));
  }
  pool.Stop();
  EXPECT_EQ(ran, 100);
  WorkerPool::Task late = [&ran] { ++ran; };
  EXPECT_FALSE(pool.Post(late));
  std::move(late)();  // still the caller's
  EXPECT_EQ(ran, 101);
}

TEST(OpenRegistry, RemembersOnlyFailures) {
  OpenRegistry opens;
  const int first = 0;
  const int second = 0;
  const absl::Status missing = MakeError(ErrorNumber::kPartitionMissing, "not open");
  opens.Add(1, &first, {absl::OkStatus(), missing});
  EXPECT_TRUE(opens.Check(1, 0).ok());
  EXPECT_EQ(Number(opens.Check(1, 1)), 72);
  EXPECT_TRUE(opens.Check(1, 9).ok());
  EXPECT_TRUE(opens.Check(2, 1).ok());
  // Who was replaced takes nothing away from its successor.
  opens.Add(1, &second, {absl::OkStatus(), missing});
  opens.Remove(1, &first);
  EXPECT_EQ(Number(opens.Check(1, 1)), 72);
  opens.Remove(1, &second);
  EXPECT_TRUE(opens.Check(1, 1).ok());
}

TEST(LabelCache, FindsTheFileAskedForAndForgetsOnlyTheStaleOne) {
  LabelCache labels;
  auto label = std::make_shared<FileInfo>();
  label->name = PartsName();
  label->create_id = 7;
  labels.Put(label);
  EXPECT_EQ(labels.Find(PartsName(), 0), label);
  EXPECT_EQ(labels.Find(PartsName(), 7), label);
  EXPECT_EQ(labels.Find(PartsName(), 8), nullptr);
  labels.Forget(PartsName(), 6);
  EXPECT_EQ(labels.Find(PartsName(), 0), label);
  labels.Forget(PartsName(), 7);
  EXPECT_EQ(labels.Find(PartsName(), 0), nullptr);
}

// LOOKASIDE FREEZE: a label stays when there are too many, until REFRESH or until it is stale.
TEST(LabelCache, FrozenLabelsStayUntilRefresh) {
  LabelCache labels;
  const auto put = [&labels](const FileName& name, Lookaside lookaside) {
    auto label = std::make_shared<FileInfo>();
    label->name = name;
    label->create_id = 7;
    label->attributes.lookaside = lookaside;
    labels.Put(std::move(label));
  };
  const FileName frozen{"", "$DATA01", "S", "FROZEN"};
  const FileName elsewhere{"", "$DATA02", "S", "FROZEN"};
  put(frozen, Lookaside::kFreeze);
  put(elsewhere, Lookaside::kFreeze);
  const FileName first{"", "$DATA01", "S", "F0"};
  for (int file = 0; file < 10000; ++file) {
    put(FileName{"", "$DATA01", "S", StrCat("F", file)}, Lookaside::kNoFreeze);
  }
  EXPECT_EQ(labels.Find(first, 0), nullptr);
  EXPECT_NE(labels.Find(frozen, 7), nullptr);
  labels.ForgetFrozen("$DATA01");
  EXPECT_EQ(labels.Find(frozen, 7), nullptr);
  EXPECT_NE(labels.Find(elsewhere, 7), nullptr);
  labels.Forget(elsewhere, 7);
  EXPECT_EQ(labels.Find(elsewhere, 7), nullptr);
  put(frozen, Lookaside::kFreeze);
  put(first, Lookaside::kNoFreeze);
  labels.ForgetFrozen("");
  EXPECT_EQ(labels.Find(frozen, 7), nullptr);
  EXPECT_NE(labels.Find(first, 7), nullptr);
}

TEST(NewId, IsNeverZeroAndDiffers) {
  const uint64_t first = NewId();
  EXPECT_NE(first, 0u);
  EXPECT_NE(first, NewId());
}

class VolumeMapTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::map<std::string, std::string>> Read(const std::string& text) {
    const std::string path = StrCat(::testing::TempDir(), "/quire-map-", NewId());
    std::ofstream(path) << text;
    auto volumes = ReadVolumeMap(path);
    std::remove(path.c_str());
    return volumes;
  }
};

TEST_F(VolumeMapTest, ReadsVolumesCommentsAndBlankLines) {
  const auto volumes = Read("# volumes\n\n$data01 = localhost:7001\n  $DATA02=[::1]:7002  \n");
  ASSERT_TRUE(volumes.ok()) << volumes.status();
  EXPECT_THAT(*volumes, ElementsAre(::testing::Pair("$DATA01", "localhost:7001"),
                                    ::testing::Pair("$DATA02", "[::1]:7002")));
}

TEST_F(VolumeMapTest, MalformedLinesAre22WithTheirNumber) {
  for (const char* line : {"DATA01 = a:1", "$DATA01 a:1", "$DATA01 =", "$DATA01 = :7", "= a:1",
                           "$DATA01 = host:", "$OK = a:1\n$OK = b:2", "$TOOLONGX = a:1"}) {
    const auto volumes = Read(StrCat("# one\n", line, "\n"));
    EXPECT_EQ(Number(volumes), 22) << line;
    EXPECT_THAT(std::string(volumes.status().message()), ::testing::ContainsRegex("line [23]"));
  }
  EXPECT_EQ(Number(ReadVolumeMap("/nonexistent/map")), 22);
}

TEST(Connect, OneOfRouterAndVolumes) {
  EXPECT_EQ(Number(FileSystem::Connect({})), 22);
  ConnectOptions both;
  both.router = "127.0.0.1:1";
  both.volumes["$DATA01"] = "127.0.0.1:2";
  EXPECT_EQ(Number(FileSystem::Connect(both)), 22);
  ConnectOptions bad;
  bad.volumes["DATA01"] = "127.0.0.1:2";
  EXPECT_EQ(Number(FileSystem::Connect(bad)), 13);
}

}  // namespace
}  // namespace quire::testing
