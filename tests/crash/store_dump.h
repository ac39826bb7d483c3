// Everything a store holds, as text that can be compared: what two recoveries must have made equal
// byte by byte (R-D3). Left out: the epoch, which every start raises, and the times of the last
// open and change.
#ifndef QUIRE_TESTS_CRASH_STORE_DUMP_H_
#define QUIRE_TESTS_CRASH_STORE_DUMP_H_

#include <cstdint>
#include <map>
#include <string>

#include "server/store/block_store.h"
#include "server/volume/volume.h"

namespace quire::test {

struct StoreDump {
  std::map<std::string, std::string> values;  // "label 3", "block 3/17", "meta control-point"
  uint64_t change_sequence = 0;               // covered by the last control point
};

// `store`: freshly opened. Errors are values of the dump, too.
StoreDump DumpStore(BlockStore& store);

// The first name whose value differs, with both; empty when none does.
std::string FirstDifference(const StoreDump& before, const StoreDump& after);

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_STORE_DUMP_H_
