// Memory that is taken once and kept. A fresh 4 KiB page costs about 11 us on a small VM, so block
// frames and message buffers live on huge pages and are never given back to the kernel.
#ifndef QUIRE_SERVER_BASE_HUGE_MEMORY_H_
#define QUIRE_SERVER_BASE_HUGE_MEMORY_H_

#include <cstddef>
#include <utility>

namespace quire {

// Address space of `bytes`, on huge pages where the kernel grants them. Pages come when touched.
// Movable; unmapped in the destructor.
class HugeMemory {
 public:
  HugeMemory() = default;
  explicit HugeMemory(size_t bytes);
  HugeMemory(HugeMemory&& other) noexcept { swap(other); }
  HugeMemory& operator=(HugeMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HugeMemory();

  char* data() const { return data_; }  // nullptr when the kernel refused
  size_t size() const { return size_; }

 private:
  void swap(HugeMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  char* data_ = nullptr;
  size_t size_ = 0;
};

// Tells malloc to keep what is freed and to use few arenas. Call once, first thing in main.
void KeepFreedMemory();

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_HUGE_MEMORY_H_
