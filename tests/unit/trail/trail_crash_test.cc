// R-D16 (a): the disc is cut at every write, and at every call that changes it; what an Append
// answered for must be there after a restart, whole and in order, and at most the batch under way
// beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "quire/text.h"
#include "server/trail/trail.h"
#include "server/trail/trail_format.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

constexpr uint64_t kSmallSegmentBytes = kMinSegmentBytes;
constexpr uint64_t kSectorBytes = 512;

// One volume's trail through any number of cuts and restarts.
class History {
 public:
  explicit History(uint64_t seed) : random_(seed) {}

  const std::shared_ptr<SimulatedMedium>& medium() { return medium_; }
  const std::deque<ReplayedBatch>& kept() const { return kept_; }
  Lsn placed() const { return placed_; }

  // Opens, replays and compares. False when the disc is cut meanwhile (try again) or, after
  // EXPECT failures, when the trail is not as it must be.
  bool Restart() {
    trail_.reset();
    trail_ = OpenTrail(OpenSimulatedDevice(medium_), kSmallSegmentBytes);
    Replayed replayed = ReplayAll(*trail_, placed_);
    if (NumberOf(replayed.last_lsn.status()) == ErrorNumber::kVolumeDown) return false;
    EXPECT_TRUE(replayed.last_lsn.ok()) << replayed.last_lsn.status();
    if (!replayed.last_lsn.ok()) return false;
    if (!Compare(replayed)) return false;
    return trail_->Start(*replayed.last_lsn, ++epoch_).ok();
  }

  // Batches with a control point now and then, until the disc is cut or `count` are written.
  void Run(int count) {
    TrailBatch batch;
    for (int i = 0; i < count; ++i) {
      const OwnedBatch records = RandomBatch(random_, random_() % 10 == 0 ? 3900 : 1000);
      Fill(records, &batch);
      ASSERT_LE(batch.disc_bytes(), trail_->max_batch_bytes());
      const absl::Status room = trail_->EnsureRoom(batch.disc_bytes());
      if (IsCut(room)) return;
      under_way_ = {.first_lsn = next_lsn_, .records = records};
      const absl::StatusOr<Lsn> lsn = trail_->Append(batch);
      if (IsCut(lsn.status())) return;
      EXPECT_EQ(*lsn, next_lsn_ + records.size() - 1);
      Keep();
      if (random_() % 16 == 0) ControlPoint();
    }
  }

  // The store has all but the last few batches.
  void ControlPoint() {
    const size_t stay = random_() % 4;
    while (kept_.size() > stay) {
      placed_ = kept_.front().first_lsn + kept_.front().records.size() - 1;
      kept_.pop_front();
    }
    trail_->Release(placed_);
  }

  void Stop() { trail_.reset(); }

 private:
  static bool IsCut(const absl::Status& status) {
    EXPECT_TRUE(status.ok() || NumberOf(status) == ErrorNumber::kVolumeDown) << status;
    return !status.ok();
  }
  void Keep() {
    next_lsn_ += under_way_.records.size();
    kept_.push_back(std::move(under_way_));
    under_way_ = {};
  }
  // The batch under way may have reached the disc in full; then it stays.
  bool Compare(const Replayed& replayed) {
    if (replayed.batches.size() == kept_.size() + 1 && !under_way_.records.empty()) {
      EXPECT_EQ(replayed.batches.back(), under_way_);
      Keep();
    }
    under_way_ = {};
    const bool same =
        std::equal(replayed.batches.begin(), replayed.batches.end(), kept_.begin(), kept_.end());
    EXPECT_TRUE(same) << replayed.batches.size() << " batches replayed, " << kept_.size()
                      << " acknowledged after record " << placed_;
    EXPECT_EQ(*replayed.last_lsn, next_lsn_ - 1);
    return same;
  }

  std::mt19937_64 random_;
  std::shared_ptr<SimulatedMedium> medium_ = std::make_shared<SimulatedMedium>();
  std::unique_ptr<Trail> trail_;
  uint64_t epoch_ = 0;
  Lsn next_lsn_ = 1;
  Lsn placed_ = 0;                  // the store is complete to it
  std::deque<ReplayedBatch> kept_;  // acknowledged behind it
  ReplayedBatch under_way_;
};

TEST(TrailCrash, R_D2_R_D16_CutAtEveryWrite) {
  const uint64_t seed = TestSeed();
  for (uint64_t variant = 0; variant < 4; ++variant) {
    for (int k = 1; k <= 60; ++k) {
      SCOPED_TRACE(StrCat("variant ", variant, " write ", k));
      History history(seed + variant);
      ASSERT_TRUE(history.Restart());
      history.medium()->CutAtWrite(k, seed + variant * 1000 + static_cast<uint64_t>(k));
      history.Run(60);
      history.medium()->Heal();
      ASSERT_TRUE(history.Restart());
      ASSERT_TRUE(history.Restart()) << "twice";
      history.Run(10);
      ASSERT_TRUE(history.Restart());
    }
  }
}

// Many short lives: the remains of one torn tail under the batches of the next life, again and
// again, in segments that are reused many times.
TEST(TrailCrash, R_D2_R_D16_CutAgainAndAgain) {
  std::mt19937_64 random(TestSeed());
  History history(random());
  ASSERT_TRUE(history.Restart());
  for (int life = 0; life < 300; ++life) {
    SCOPED_TRACE(StrCat("life ", life));
    history.medium()->CutAtWrite(1 + static_cast<int>(random() % 20), random());
    history.Run(30);
    history.medium()->Heal();
    ASSERT_TRUE(history.Restart());
  }
}

// Also inside creation, renaming and removal of segments, also while starting.
TEST(TrailCrash, R_D2_R_D16_R_D17_CutAtEveryCall) {
  const uint64_t seed = TestSeed();
  for (int k = 1; k <= 150; ++k) {
    SCOPED_TRACE(StrCat("call ", k));
    History history(seed + static_cast<uint64_t>(k) % 5);
    history.medium()->CutAtCall(k, seed + static_cast<uint64_t>(k));
    if (history.Restart()) history.Run(120);
    history.Stop();
    history.medium()->Heal();
    ASSERT_TRUE(history.Restart());
    history.medium()->CutAtCall(1 + k % 7, seed + static_cast<uint64_t>(k));
    history.Run(40);
    history.Stop();
    history.medium()->Heal();
    ASSERT_TRUE(history.Restart());
  }
}

// Any single sector of acknowledged bytes may go bad: records the store lacks are never silently
// skipped. Only the last batch cannot be told from a torn write.
TEST(TrailCrash, R_D2_DamagedSectorIsAHoleOrTheTail) {
  const uint64_t seed = TestSeed();
  History history(seed);
  ASSERT_TRUE(history.Restart());
  history.Run(60);
  while (history.kept().size() < 3) history.Run(1);
  history.Stop();
  const std::deque<ReplayedBatch> kept = history.kept();
  auto device = OpenSimulatedDevice(history.medium());
  const auto segments = device->List();
  ASSERT_TRUE(segments.ok());
  int refused = 0;
  int shorter = 0;
  for (const uint64_t segment : *segments) {
    for (uint64_t sector = 0; sector < kSmallSegmentBytes; sector += kSectorBytes) {
      SCOPED_TRACE(StrCat("segment ", segment, " offset ", sector));
      history.medium()->Damage(segment, sector + seed % kSectorBytes);
      auto trail = OpenTrail(OpenSimulatedDevice(history.medium()), kSmallSegmentBytes);
      const Replayed replayed = ReplayAll(*trail, history.placed());
      history.medium()->Damage(segment, sector + seed % kSectorBytes);
      if (!replayed.last_lsn.ok()) {
        ASSERT_EQ(NumberOf(replayed.last_lsn.status()), ErrorNumber::kFileBad);
        ++refused;
        continue;
      }
      ASSERT_GE(replayed.batches.size() + 1, kept.size()) << "more than the last is gone";
      shorter += replayed.batches.size() < kept.size() ? 1 : 0;
      ASSERT_TRUE(std::equal(replayed.batches.begin(), replayed.batches.end(), kept.begin()));
    }
  }
  EXPECT_GT(shorter, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace quire
