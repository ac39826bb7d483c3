// Runs a case: makes its file, does its steps and compares what they answer. After every refused
// step the position of its open, the locks and the records are compared with those before (R-S5).
#ifndef QUIRE_TESTS_CONFORMANCE_CASE_RUNNER_H_
#define QUIRE_TESTS_CONFORMANCE_CASE_RUNNER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "quire/filesystem.h"
#include "tests/conformance/case.h"

namespace quire::conformance {

// Where a case is run.
struct Place {
  FileSystem* files = nullptr;
  // The volume of the case's file; several: it is cut, one partition on each.
  std::vector<std::string> volumes;
  bool audit = false;  // files are audited, unless a case wants them write-through
};

struct Failure {
  int line = 0;  // of the case's text
  std::string what;
};

// `number` names the case's file; it must be another for every run. The first step that fails ends
// the case. Nothing of it is left, which is checked too.
std::vector<Failure> RunCase(const Case& which, const Place& place, uint32_t number);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_CASE_RUNNER_H_
