// A volume with a file of records 0001 … and users of it.
#ifndef QUIRE_TESTS_UNIT_VOLUME_ACCESS_FIXTURE_H_
#define QUIRE_TESTS_UNIT_VOLUME_ACCESS_FIXTURE_H_

#include <memory>
#include <string>

#include "tests/unit/volume/open_user.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {

inline constexpr char kFile[] = "$DATA01.TEST.FILE";

class AccessTest : public VolumeTest {
 protected:
  // The records 0010, 0020 … of `count`.
  void Fill(int count) {
    MustCreate(kFile, true);
    for (int i = 1; i <= count; ++i) {
      ASSERT_TRUE(Write(kFile, SmallRecord(i * 10)).ok());
    }
  }
  std::unique_ptr<OpenUser> User(uint64_t open_id = 0, OpenRequest request = {}) {
    request.file = Ref(kFile);
    request.file.open_id = open_id;
    auto user = std::make_unique<OpenUser>(volume_.volume(), request);
    EXPECT_TRUE(user->opened().ok()) << Describe(user->opened().status());
    return user;
  }
  std::unique_ptr<OpenUser> Resume(uint64_t open_id, const OpenState& state,
                                   uint64_t acked_through) {
    OpenRequest request;
    request.file = Ref(kFile);
    request.file.open_id = open_id;
    request.resume = OpenResume{state, acked_through};
    return std::make_unique<OpenUser>(volume_.volume(), request);
  }
  // LISTLOCKS as lines "R G 0010".
  std::vector<std::string> Locks(bool granted_only = false) {
    ListLocksRequest request;
    request.file = Ref(kFile);
    request.granted_only = granted_only;
    const absl::StatusOr<ListLocksPage> page = Await<ListLocksPage>(
        [&](Done<ListLocksPage> done) { volume_->ListLocks(request, std::move(done)); });
    std::vector<std::string> lines;
    if (!page.ok()) return lines;
    for (const LockInfo& lock : page->locks) {
      const char* const kind = lock.kind == LockKind::kFile     ? "F"
                               : lock.kind == LockKind::kRecord ? "R"
                                                                : "RG";
      lines.push_back(StrCat(kind, lock.granted ? " G " : " W ", lock.key));
    }
    return lines;
  }
  // Returns when so many requests wait for locks.
  void AwaitWaiters(size_t count) {
    for (size_t waiting = count + 1; waiting != count;) {
      waiting = 0;
      for (const std::string& line : Locks()) waiting += line.find(" W ") != std::string::npos;
    }
  }
  int64_t CounterOf(uint64_t open_id, std::string_view name) {
    for (const EntityRecord& record : Snapshot().records) {
      if (record.entity != Entity::kDiscopen || record.open_id != open_id) continue;
      for (const CounterValue& counter : record.counters) {
        if (counter.name == name) return counter.value;
      }
    }
    return -1;
  }
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_VOLUME_ACCESS_FIXTURE_H_
