// An open of a case: its File, what was started on it and not awaited, and the positions saved.
#ifndef QUIRE_TESTS_CONFORMANCE_NAMED_OPEN_H_
#define QUIRE_TESTS_CONFORMANCE_NAMED_OPEN_H_

#include <deque>
#include <future>
#include <map>
#include <memory>
#include <string>

#include "quire/filesystem.h"
#include "tests/conformance/case.h"
#include "tests/conformance/outcome.h"

namespace quire::conformance {

// For one thread, as its File is.
class NamedOpen {
 public:
  explicit NamedOpen(std::unique_ptr<File> file) : file_(std::move(file)) {}

  uint64_t id() const { return file_->open_id(); }
  // Started and not awaited.
  size_t started() const { return started_.size(); }

  // A step that is neither started nor about what was: waits for its answer.
  Outcome Run(const Step& step);
  void Start(const Step& step);
  // Whether the operation started last has its answer; then its outcome.
  bool LastDone() const;
  // Of the operation started first.
  Outcome Await();
  void Cancel();

  // The position as bytes, or why there is none.
  std::string Position();
  // All records, or why they cannot be read.
  std::string Data();

 private:
  struct Started {
    uint64_t number = 0;
    bool gives_record = false;
    std::future<Outcome> outcome;
  };

  Started StartOperation(const Operation& operation);
  Outcome RunOperation(const Step& step);
  Outcome Scan(const Step& step);
  Outcome Count();
  Outcome Load(const Step& step);
  Outcome FillOrClear(const Step& step);
  std::string_view SavedBytes(const Step& step) const;

  std::unique_ptr<File> file_;
  std::deque<Started> started_;
  std::map<std::string, std::string, std::less<>> saved_;
};

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_NAMED_OPEN_H_
