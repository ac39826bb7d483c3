// Makes chosen system calls of this test program fail, those that LMDB makes included: the
// functions of this name in failing_calls.cc stand before the C library's.
#ifndef QUIRE_TESTS_UNIT_STORE_FAILING_CALLS_H_
#define QUIRE_TESTS_UNIT_STORE_FAILING_CALLS_H_

#include <cstdint>

namespace quire {

enum class SystemCall { kPwrite, kWritev, kFdatasync, kFallocate };

// The next `times` calls answer -1 with this errno. Thread safe; ends with the object.
class FailingCalls {
 public:
  FailingCalls(SystemCall call, int error_number, int times);
  ~FailingCalls();
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;

 private:
  const SystemCall call_;
};

// Calls made so far by the whole program.
int64_t CallsMade(SystemCall call);
// Largest length a call of fallocate has asked for.
int64_t LargestFallocateBytes();

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_STORE_FAILING_CALLS_H_
