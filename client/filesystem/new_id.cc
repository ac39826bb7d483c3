#include "client/filesystem/new_id.h"

#include <random>

namespace quire {

uint64_t NewId() {
  thread_local std::mt19937_64 generator = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  uint64_t id = 0;
  while (id == 0) id = generator();
  return id;
}

}  // namespace quire
