// Helpers of the quire-bench tests: temporary folders, golden files, sources in memory.
#ifndef QUIRE_TESTS_UNIT_BENCH_TEST_TEXT_H_
#define QUIRE_TESTS_UNIT_BENCH_TEST_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "client/bench/record_source.h"
#include "client/bench/run_result.h"

namespace quire {
namespace bench {

// An empty folder that is removed with its contents.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  // Makes a file in it and returns its path.
  std::string Make(const std::string& name, std::string_view text) const;

 private:
  std::string path_;
};

// Compares with tests/golden/<name>; QUIRE_REWRITE_GOLDEN=1 writes it instead.
void ExpectGolden(const std::string& name, const std::string& text);

// Gives out the records it was made of.
class ListedRecords : public RecordSource {
 public:
  explicit ListedRecords(std::vector<std::string> records) : records_(std::move(records)) {}
  absl::StatusOr<bool> Next(std::string* record) override;
  std::string_view noun() const override { return "row"; }

 private:
  const std::vector<std::string> records_;
  size_t next_ = 0;
};

// The run that the article and the model ask for: every check of it is met.
RunResult GoodRun(Config config, bool pipelined, uint64_t records);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_BENCH_TEST_TEXT_H_
