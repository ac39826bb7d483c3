// Tells the kernel that a mapped file is read from its beginning to its end for a while.
//
// The store's map is read block by block here and there, and the kernel is told so
// (lmdb_environment.cc). A copy of the whole store is the exception.
#ifndef QUIRE_SERVER_STORE_MAP_ADVICE_H_
#define QUIRE_SERVER_STORE_MAP_ADVICE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace quire {

// While it lives, the kernel reads ahead in every mapping this process has of the file. Advice:
// what fails changes nothing but speed. Any thread.
class MapReadInOrder {
 public:
  explicit MapReadInOrder(const std::string& path);
  ~MapReadInOrder();
  MapReadInOrder(const MapReadInOrder&) = delete;
  MapReadInOrder& operator=(const MapReadInOrder&) = delete;

  size_t mappings() const { return mappings_.size(); }

 private:
  struct Mapping {
    uintptr_t begin = 0;
    uintptr_t end = 0;
  };
  void Advise(int advice) const;

  std::vector<Mapping> mappings_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_MAP_ADVICE_H_
