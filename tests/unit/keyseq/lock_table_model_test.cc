// The lock table at random, against what must hold of any fair lock table: it is told nothing of
// gates and queues.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/keyseq/lock_table.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

constexpr uint64_t kOwners = 6;
constexpr uint64_t kFiles = 2;
constexpr uint64_t kKeys = 4;

struct Lock {
  FileId file = 0;
  uint64_t owner = 0;
  std::string key;  // empty: the file

  bool operator==(const Lock&) const = default;
};
struct Waiting {
  Lock lock;
  bool read = false;
};

bool Conflict(const Lock& a, const Lock& b) {
  return a.file == b.file && a.owner != b.owner &&
         (a.key.empty() || b.key.empty() || a.key == b.key);
}

class LockModel {
 public:
  LockModel(TestRandom* random, bool several_waits)
      : random_(*random), several_waits_(several_waits) {}

  void Run(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      const uint64_t owner = 1 + random_.Below(kOwners);
      if (!several_waits_ && IsWaiting(owner)) {
        if (random_.OneIn(6)) Cancel();
      } else {
        Act(owner);
      }
      Check();
    }
  }

  // Whoever does not wait closes: everybody gets his turn.
  void Drain() {
    bool progress = true;
    while (progress) {
      progress = false;
      for (uint64_t owner = 1; owner <= kOwners; ++owner) {
        if (IsWaiting(owner) || table_.Held(owner) == 0) continue;
        Release(owner, [&](const Lock&) { return true; });
        table_.ReleaseOwner(owner);
        TakeGranted();
        Check();
        progress = true;
      }
    }
    EXPECT_TRUE(waiting_.empty());
    EXPECT_TRUE(held_.empty());
    EXPECT_EQ(table_.total(), 0u);
    for (FileId file = 1; file <= kFiles; ++file) EXPECT_FALSE(table_.HasLocks(file));
  }

  // So that the tests are seen to reach what they are for.
  uint64_t granted_late() const { return granted_late_; }
  uint64_t cycles() const { return cycles_; }

 private:
  bool IsWaiting(uint64_t owner) const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](const auto& entry) { return entry.second.lock.owner == owner; });
  }
  bool HoldsIn(FileId file, uint64_t owner) const {
    return std::any_of(held_.begin(), held_.end(),
                       [&](const Lock& lock) { return lock.file == file && lock.owner == owner; });
  }
  bool IsBlockedByHeld(const Lock& wanted) const {
    return std::any_of(held_.begin(), held_.end(),
                       [&](const Lock& lock) { return Conflict(lock, wanted); });
  }
  // By another's lock request that came before `waiter`.
  bool IsBlockedByEarlier(const Lock& wanted, WaiterId waiter) const {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& entry) {
      return entry.first < waiter && !entry.second.read && Conflict(entry.second.lock, wanted);
    });
  }

  void Act(uint64_t owner) {
    const FileId file = 1 + random_.Below(kFiles);
    const std::string key(1, static_cast<char>('a' + random_.Below(kKeys)));
    switch (random_.Below(16)) {
      case 0:
        return Close(owner);
      case 1:
        Release(owner, [&](const Lock& lock) { return lock.file == file; });
        table_.ReleaseFile(file, owner);
        return TakeGranted();
      case 2:
      case 3:
        Release(owner, [&](const Lock& lock) { return lock.file == file && lock.key == key; });
        table_.ReleaseRecord(file, owner, key);
        return TakeGranted();
      case 4:
        return Cancel();
      case 5:
      case 6:
        return Ask({file, owner, ""}, false);
      case 7:
      case 8:
        return Ask({file, owner, key}, true);
      default:
        return Ask({file, owner, key}, false);
    }
  }

  void Ask(const Lock& lock, bool read) {
    const WaiterId waiter = random_.OneIn(4) ? 0 : ++last_waiter_;
    const LockKind kind = lock.key.empty() ? LockKind::kFile : LockKind::kRecord;
    const LockRequest request{lock.file, lock.owner, kind, lock.key, 0};
    const bool has = std::any_of(held_.begin(), held_.end(), [&](const Lock& held) {
      return held == lock ||
             (held.file == lock.file && held.owner == lock.owner && held.key.empty());
    });
    const bool blocked = !has && IsBlockedByHeld(lock);
    const bool behind = !has && !read && IsBlockedByEarlier(lock, ~WaiterId{0});
    switch (read ? table_.AwaitRead(request, waiter) : table_.Acquire(request, waiter)) {
      case LockAnswer::kGranted:
        EXPECT_FALSE(blocked);
        // Nobody overtakes without a lock or a wait of his own in the file.
        EXPECT_TRUE(!behind || several_waits_ || HoldsIn(lock.file, lock.owner));
        if (!read) Got(lock);
        break;
      case LockAnswer::kLocked:
        EXPECT_EQ(waiter, 0u);
        EXPECT_TRUE(blocked || behind);
        break;
      case LockAnswer::kWaits:
        EXPECT_NE(waiter, 0u);
        EXPECT_TRUE(blocked || behind);
        waiting_.emplace(waiter, Waiting{lock, read});
        break;
      case LockAnswer::kCycle:
        EXPECT_TRUE(blocked || behind);
        ++cycles_;
        CheckCycle(lock);
        break;
      default:
        ADD_FAILURE() << "no limit is near";
    }
    TakeGranted();
  }

  void Got(const Lock& lock) {
    const bool under_file = std::any_of(held_.begin(), held_.end(), [&](const Lock& held) {
      return held.file == lock.file && held.owner == lock.owner && held.key.empty();
    });
    if (under_file) return;
    if (lock.key.empty()) {
      Release(lock.owner, [&](const Lock& held) { return held.file == lock.file; });
    }
    if (std::find(held_.begin(), held_.end(), lock) == held_.end()) held_.push_back(lock);
  }
  template <typename Which>
  void Release(uint64_t owner, Which which) {
    std::erase_if(held_, [&](const Lock& lock) { return lock.owner == owner && which(lock); });
  }
  void Close(uint64_t owner) {
    Release(owner, [](const Lock&) { return true; });
    std::erase_if(waiting_, [&](const auto& entry) { return entry.second.lock.owner == owner; });
    table_.ReleaseOwner(owner);
    TakeGranted();
  }
  void Cancel() {
    if (waiting_.empty()) return;
    const auto entry =
        std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(random_.Below(waiting_.size())));
    table_.CancelWait(entry->first);
    waiting_.erase(entry);
    TakeGranted();
  }

  void TakeGranted() {
    for (const WaiterId waiter : table_.TakeGranted()) {
      const auto found = waiting_.find(waiter);
      ASSERT_NE(found, waiting_.end()) << "granted twice, or after it was cancelled";
      const Waiting granted = found->second;
      waiting_.erase(found);
      ++granted_late_;
      EXPECT_FALSE(IsBlockedByHeld(granted.lock));
      // First come first served among those that hold nothing in the file.
      if (!several_waits_ && !granted.read && !HoldsIn(granted.lock.file, granted.lock.owner)) {
        EXPECT_TRUE(!IsBlockedByEarlier(granted.lock, waiter) || MayOvertake(granted.lock, waiter));
      }
      if (!granted.read) Got(granted.lock);
    }
  }

  // An open that had to wait for a record while it had a lock in the file keeps its turn there.
  bool MayOvertake(const Lock& lock, WaiterId waiter) const {
    return std::all_of(waiting_.begin(), waiting_.end(), [&](const auto& entry) {
      const Waiting& earlier = entry.second;
      return entry.first >= waiter || earlier.read || !Conflict(earlier.lock, lock) ||
             earlier.lock.key.empty() || IsBehindFileRequest(entry.first, earlier.lock);
    });
  }
  bool IsBehindFileRequest(WaiterId waiter, const Lock& lock) const {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& entry) {
      return entry.first < waiter && entry.second.lock.key.empty() &&
             Conflict(entry.second.lock, lock);
    });
  }

  void CheckCycle(const Lock& refused) {
    const std::vector<CycleStep>& cycle = table_.last_cycle();
    ASSERT_FALSE(cycle.empty());
    EXPECT_EQ(cycle.back().waits_for, refused.owner);
    for (size_t i = 0; i < cycle.size(); ++i) {
      const CycleStep& step = cycle[i];
      EXPECT_EQ(step.owner, i == 0 ? refused.owner : cycle[i - 1].waits_for);
      const Lock wanted{step.file, step.owner, step.key};
      EXPECT_TRUE(wanted == refused ||
                  std::any_of(waiting_.begin(), waiting_.end(),
                              [&](const auto& entry) { return entry.second.lock == wanted; }));
      const auto in_the_way = [&](const Lock& lock) {
        return lock.owner == step.waits_for && lock.file == step.file;
      };
      if (step.held) {
        EXPECT_TRUE(std::any_of(held_.begin(), held_.end(), in_the_way));
      } else {
        EXPECT_TRUE(in_the_way(refused) ||
                    std::any_of(waiting_.begin(), waiting_.end(),
                                [&](const auto& entry) { return in_the_way(entry.second.lock); }));
      }
    }
  }

  void Check() {
    for (size_t i = 0; i < held_.size(); ++i) {
      const Lock& lock = held_[i];
      for (size_t k = i + 1; k < held_.size(); ++k) {
        ASSERT_FALSE(Conflict(lock, held_[k])) << "two opens hold the same";
      }
      ASSERT_TRUE(lock.key.empty() ? table_.HoldsFile(lock.file, lock.owner)
                                   : table_.HoldsRecord(lock.file, lock.owner, lock.key));
    }
    for (const auto& [waiter, entry] : waiting_) {
      const bool reason =
          IsBlockedByHeld(entry.lock) || (!entry.read && IsBlockedByEarlier(entry.lock, waiter));
      ASSERT_TRUE(reason) << "forgotten: " << waiter;
    }
    ASSERT_EQ(table_.total(), held_.size() + waiting_.size());
    for (uint64_t owner = 1; owner <= kOwners; ++owner) {
      const auto own = [&](const Lock& lock) { return lock.owner == owner; };
      ASSERT_EQ(table_.Held(owner), std::count_if(held_.begin(), held_.end(), own));
      const Lock any{1 + random_.Below(kFiles), owner, "a"};
      ASSERT_EQ(table_.LockedByOther(any.file, owner, any.key), IsBlockedByHeld(any));
    }
    CheckList();
  }

  void CheckList() {
    size_t lines = 0;
    for (FileId file = 1; file <= kFiles; ++file) {
      const std::vector<LockLine> list = table_.List(file);
      lines += list.size();
      ASSERT_EQ(table_.HasLocks(file), !list.empty());
      for (size_t i = 1; i < list.size(); ++i) {
        ASSERT_LE(list[i - 1].key, list[i].key);
        ASSERT_TRUE(!list[i].granted || list[i - 1].key < list[i].key);
      }
    }
    ASSERT_EQ(lines, held_.size() + waiting_.size());
  }

  TestRandom& random_;
  const bool several_waits_;
  LockTable table_;
  std::vector<Lock> held_;
  std::map<WaiterId, Waiting> waiting_;  // in order of arrival
  WaiterId last_waiter_ = 0;
  uint64_t granted_late_ = 0;
  uint64_t cycles_ = 0;
};

// Opens as sessions are: one operation at a time. No cycle stands, so everybody is served.
TEST(LockTableModelTest, OneWaitPerOpenIsFairAndEndsForEverybody) {
  TestRandom random;
  uint64_t granted_late = 0;
  uint64_t cycles = 0;
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    LockModel model(&random, /*several_waits=*/false);
    model.Run(1000);
    if (!testing::Test::HasFailure()) model.Drain();
    granted_late += model.granted_late();
    cycles += model.cycles();
  }
  EXPECT_GT(granted_late, 1000u);
  EXPECT_GT(cycles, 100u);
}

TEST(LockTableModelTest, SeveralWaitsPerOpenKeepLocksApartAndNobodyForgotten) {
  TestRandom random;
  uint64_t granted_late = 0;
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    LockModel model(&random, /*several_waits=*/true);
    model.Run(1000);
    granted_late += model.granted_late();
  }
  EXPECT_GT(granted_late, 1000u);
}

}  // namespace
}  // namespace quire
