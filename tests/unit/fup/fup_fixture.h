// A FUP session over labels in memory, with the clock of the published tuning story.
#ifndef QUIRE_TESTS_UNIT_FUP_FUP_FIXTURE_H_
#define QUIRE_TESTS_UNIT_FUP_FUP_FIXTURE_H_

#include <deque>
#include <memory>
#include <sstream>
#include <string>

#include "client/fup/interpreter.h"
#include "client/fup/session.h"
#include "gtest/gtest.h"
#include "tests/unit/fup/memory_file_system.h"

namespace quire {

// 17 Dec 2019, 8:20 UTC, when the story's listing was made.
inline constexpr int64_t kListingUs = 1576570800000000;

class FupFixture : public testing::Test {
 protected:
  // Ends the session there was; labels stay.
  void StartSession(bool interactive, bool json = false);
  // Runs lines as a script and gives what they printed; the session goes on.
  std::string Run(const std::string& lines);
  FupSession& session() { return *session_; }

  void SetUp() override { StartSession(/*interactive=*/false); }

  std::shared_ptr<MemoryFileSystem> files_ = std::make_shared<MemoryFileSystem>();
  absl::Status connect_status_;  // what connecting answers
  int connects_ = 0;
  std::deque<std::string> answers_;  // to questions
  std::string asked_;                // the prompts
  std::ostringstream errors_;        // of JSON sessions

 private:
  std::ostringstream output_;
  std::unique_ptr<FupSession> session_;
};

// The file of the article as INFO DETAIL saw it (write-through, configuration A).
FileInfo ArticleFile();

// Compares with tests/golden/<name>; with QUIRE_REWRITE_GOLDEN=1 writes it instead.
void ExpectGolden(const std::string& name, const std::string& actual);

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_FUP_FUP_FIXTURE_H_
