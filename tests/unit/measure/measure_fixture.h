// A MEASCOM session over counters made up by the test, with the figures of the published story.
#ifndef QUIRE_TESTS_UNIT_MEASURE_MEASURE_FIXTURE_H_
#define QUIRE_TESTS_UNIT_MEASURE_MEASURE_FIXTURE_H_

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "client/measure/session.h"
#include "gtest/gtest.h"
#include "quire/measure.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace measure {

inline constexpr int64_t kSecondUs = 1000000;
inline constexpr int64_t kMinuteUs = 60 * kSecondUs;
// 17 Dec 2019, 7:37:29 UTC, when run A began, and its end 32.5 minutes later.
inline constexpr int64_t kRunStartUs = 1576568249 * kSecondUs;
inline constexpr int64_t kRunEndUs = kRunStartUs + 32 * kMinuteUs + 30 * kSecondUs;

// Records with all counters a volume sends, at 0 but for those given. Names not among them fail.
using Values = std::vector<std::pair<std::string, int64_t>>;
EntityRecord DiscopenRecord(const Values& values);
EntityRecord DiskfileRecord(const Values& values);
EntityRecord DiscRecord(const Values& values);
EntityRecord ProcessRecord(const Values& values);

// The open that loaded the file in run A: seed figures of DISCOPEN and of the server's PROCESS.
EntityRecord ArticleOpen();
EntityRecord ArticleProcess();

// Volume $DATA01, epoch 3, with one DISC, PROCESS, DISKFILE and DISCOPEN record: at the start of
// run A (no open yet) and at its end.
MeasureSnapshot ArticleStart();
MeasureSnapshot ArticleEnd();

// Answers Volumes and Snapshot; everything else is refused with 2.
struct CounterSource {
  MeasureSnapshot now;
  std::vector<std::string> volumes;  // of the volume map
  std::vector<std::string> asked;    // the names Snapshot was called with
  absl::Status connect_status;       // what connecting answers
};
std::unique_ptr<FileSystem> MakeCounterFileSystem(std::shared_ptr<CounterSource> source);

class MeasureFixture : public testing::Test {
 protected:
  void SetUp() override { StartSession(OutputFormat::kText); }

  // Ends the session there was.
  void StartSession(OutputFormat format, ReportOptions report = {});
  // Runs lines as a script and gives what they printed, errors included.
  std::string Run(const std::string& lines);
  // A path in a directory of this test's own.
  std::string Path(const std::string& name) const;
  MeasureSession& session() { return *session_; }

  const std::shared_ptr<CounterSource> source_ = std::make_shared<CounterSource>(
      CounterSource{ArticleEnd(), {"$DATA01"}, {}, absl::OkStatus()});

 private:
  const TestDirectory directory_;
  std::ostringstream output_;
  std::unique_ptr<MeasureSession> session_;
};

// Compares with tests/golden/`name`; with QUIRE_REWRITE_GOLDEN set, writes it.
void ExpectGolden(const std::string& name, const std::string& actual);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_MEASURE_MEASURE_FIXTURE_H_
