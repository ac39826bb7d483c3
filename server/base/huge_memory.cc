#include "server/base/huge_memory.h"

#include <malloc.h>
#include <sys/mman.h>

namespace quire {

HugeMemory::HugeMemory(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice only: small pages do as well
  data_ = static_cast<char*>(memory);
  size_ = bytes;
}

HugeMemory::~HugeMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

void KeepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_ARENA_MAX, 2);
}

}  // namespace quire
