// A volume that is crashed and started again under opens, with a clock that tests move.
#ifndef QUIRE_TESTS_UNIT_VOLUME_RESTART_FIXTURE_H_
#define QUIRE_TESTS_UNIT_VOLUME_RESTART_FIXTURE_H_

#include <atomic>
#include <memory>
#include <string>

#include "server/base/clock.h"
#include "tests/unit/volume/access_fixture.h"

namespace quire::test {

class MovedClock : public Clock {
 public:
  int64_t WallMicros() const override { return Clock::Real()->WallMicros() + ahead_us; }
  int64_t MonotonicMicros() const override { return Clock::Real()->MonotonicMicros(); }
  std::atomic<int64_t> ahead_us{0};
};

class RestartTest : public AccessTest {
 protected:
  // The records 0010, 0020 … of `count` in a file of this mode.
  void FillFile(int count, bool buffered) {
    MustCreate(kFile, buffered);
    for (int i = 1; i <= count; ++i) ASSERT_TRUE(Write(kFile, SmallRecord(i * 10)).ok());
    ASSERT_TRUE(Refresh().ok());
  }
  // No control point but those that are asked for.
  void OpenQuietly() {
    volume_.Close();
    volume_.options().control_point_interval_ms = 3600 * 1000;
    volume_.Open();
  }
  void CrashAndReopen(OpenUser& user) {
    user.session().Drop();
    volume_.CrashAndReopen();
  }
  size_t ImplicitOpens() {
    ListOpensRequest request;
    request.file = Ref(kFile);
    const absl::StatusOr<ListOpensPage> page = Await<ListOpensPage>(
        [&](Done<ListOpensPage> done) { volume_->ListOpens(request, std::move(done)); });
    size_t count = 0;
    if (page.ok()) {
      for (const OpenInfo& open : page->opens) count += open.implicit ? 1 : 0;
    }
    return count;
  }
  ErrorNumber WriteAs(uint64_t client, uint64_t sequence, int key) {
    UnaryRequest request;
    request.file = Ref(kFile);
    request.file.client_id = client;
    request.operation = OneWrite(SmallRecord(key));
    request.operation.first_sequence = sequence;
    const absl::StatusOr<BatchResult> result = Await<BatchResult>(
        [&](Done<BatchResult> done) { volume_->Execute(std::move(request), std::move(done)); });
    return NumberOf(result.ok() ? result->results.at(0).status : result.status());
  }
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_VOLUME_RESTART_FIXTURE_H_
