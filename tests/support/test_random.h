// Random numbers for tests: the seed is printed, and taken from QUIRE_TEST_SEED when that is set,
// so that any failure can be repeated.
#ifndef QUIRE_TESTS_SUPPORT_TEST_RANDOM_H_
#define QUIRE_TESTS_SUPPORT_TEST_RANDOM_H_

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace quire {

class TestRandom {
 public:
  TestRandom() : seed_(ChooseSeed()), engine_(seed_) {
    std::cout << "QUIRE_TEST_SEED=" << seed_ << std::endl;
  }
  uint64_t seed() const { return seed_; }

  // Uniform in [0, limit); limit > 0.
  uint64_t Below(uint64_t limit) {
    return std::uniform_int_distribution<uint64_t>(0, limit - 1)(engine_);
  }
  // Uniform in [low, high].
  uint64_t Between(uint64_t low, uint64_t high) { return low + Below(high - low + 1); }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  // `length` bytes, each one of `alphabet`.
  std::string Text(size_t length, const std::string& alphabet) {
    std::string text(length, ' ');
    for (char& c : text) c = alphabet[Below(alphabet.size())];
    return text;
  }

 private:
  static uint64_t ChooseSeed() {
    if (const char* given = std::getenv("QUIRE_TEST_SEED"))
      return std::strtoull(given, nullptr, 10);
    return std::random_device()();
  }
  const uint64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_TEST_RANDOM_H_
