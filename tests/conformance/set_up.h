// The five ways to reach a file in which every case must have the same answers.
#ifndef QUIRE_TESTS_CONFORMANCE_SET_UP_H_
#define QUIRE_TESTS_CONFORMANCE_SET_UP_H_

#include <memory>
#include <string>
#include <vector>

#include "tests/conformance/case_runner.h"

namespace quire::conformance {

// The names that cases use: embedded, audited, volume, router, partitioned.
const std::vector<std::string>& SetUpNames();

// What runs while cases are run in one set-up; ends with the object.
class RunningSetUp {
 public:
  virtual ~RunningSetUp() = default;
  virtual const Place& place() const = 0;
};

// Starts its volumes and router. Null, with a failure of the current test, when that does not work.
std::unique_ptr<RunningSetUp> StartSetUp(const std::string& name);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_SET_UP_H_
