// LISTLOCKS and LISTOPENS in the words of a case: "a holds A1, b waits file, c holds A*".
#ifndef QUIRE_TESTS_CONFORMANCE_LISTING_H_
#define QUIRE_TESTS_CONFORMANCE_LISTING_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "quire/lock.h"
#include "quire/service.h"

namespace quire::conformance {

// Named opens by their numbers.
using OpenNames = std::map<uint64_t, std::string>;

// One line per lock, file locks first. The lock of a file is one line however many partitions it
// concerns: it is held when every partition has given it, and waits when one has not.
std::vector<std::string> LockLines(const std::vector<LockInfo>& locks, const OpenNames& names,
                                   uint32_t partitions);

// "a read-write shared depth 1 mode 0", by name.
std::vector<std::string> OpenLines(const std::vector<OpenInfo>& opens, const OpenNames& names);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_LISTING_H_
