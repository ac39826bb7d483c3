#include "tests/fault/failing_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace quire::test {
namespace {

// Allocations until the one that fails; 0 and below: none.
std::atomic<int64_t> left{0};
std::atomic<bool> failed{false};
std::atomic<std::size_t> least{0};

}  // namespace

void FailAllocation(int64_t n, size_t least_bytes) {
  least = least_bytes;
  failed = false;
  left = n;
}

void PauseFailing() {
  left = 0;
}

bool StopFailing() {
  left = 0;
  return failed;
}

bool ThisOneFails(std::size_t bytes) {
  if (bytes < least.load(std::memory_order_relaxed)) return false;
  if (left.load(std::memory_order_relaxed) <= 0 || left.fetch_sub(1) != 1) return false;
  failed = true;
  return true;
}

}  // namespace quire::test

void* operator new(std::size_t bytes) {
  if (quire::test::ThisOneFails(bytes)) throw std::bad_alloc();
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
