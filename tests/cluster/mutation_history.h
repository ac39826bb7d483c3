// Random operations on one open, and what each must be answered. The history is one client's, so a
// std::map that applies every operation when it is called for predicts every answer: 10 and 11 come
// from what the file holds and never from an operation that was done twice.
#ifndef QUIRE_TESTS_CLUSTER_MUTATION_HISTORY_H_
#define QUIRE_TESTS_CLUSTER_MUTATION_HISTORY_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "quire/error.h"
#include "quire/filesystem.h"
#include "quire/mutex.h"
#include "tests/support/test_random.h"

namespace quire {

class MutationHistory {
 public:
  static constexpr uint32_t kKeyLength = 8;
  static constexpr uint32_t kRecordBytes = 80;

  // Over a restart of a volume what a read found is not kept: one that comes before changes which
  // are done is refused (31). Answers of mutations are kept (R-D10).
  enum class Reads { kAlwaysAnswered, kMayBeRefused };

  // At most `operations` may be done. Keys: so many, spread over "00000000" … "99999999".
  MutationHistory(File& file, uint64_t keys, uint64_t operations,
                  Reads reads = Reads::kAlwaysAnswered)
      : file_(file), keys_(keys), reads_(reads), calls_(operations) {}

  // Calls for one random write, update, delete or (one in ten) read, pipelined. True for a
  // mutation.
  bool Step(TestRandom& random);

  // Operations answered so far.
  uint64_t answered() const { return answered_; }
  // After File::Wait: every operation was answered once, and as the model says.
  void ExpectAnswers();
  // The records that are to be in the file, by key.
  const std::map<std::string, std::string>& model() const { return model_; }

 private:
  struct Expected {
    ErrorNumber number = ErrorNumber::kOk;
    std::string record = {};  // of a read
    bool may_be_refused = false;
  };

  File::Completion Answer(std::string what, Expected expected);
  void Complain(const std::string& text);

  File& file_;
  const uint64_t keys_;
  const Reads reads_;
  std::map<std::string, std::string> model_;
  uint64_t next_ = 0;                        // number of the next operation
  std::vector<std::atomic<uint8_t>> calls_;  // completions of each operation
  std::atomic<uint64_t> answered_{0};
  std::atomic<uint64_t> wrong_{0};
  Mutex mutex_;
  std::vector<std::string> complaints_ ABSL_GUARDED_BY(mutex_);  // the first few
};

// The file's records are the model's, neither more nor fewer, and the labels count them.
void ExpectContent(FileSystem& filesystem, std::string_view name,
                   const std::map<std::string, std::string>& model);

}  // namespace quire

#endif  // QUIRE_TESTS_CLUSTER_MUTATION_HISTORY_H_
