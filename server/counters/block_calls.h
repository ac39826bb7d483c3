// The block counters of one operation: what DISCOPEN, DISKFILE and DISC add up.
//
// A read call asks for a block to look at it; a write call is made once per change of a block.
// Each is classified by the state the block is in when the call arrives (R-C1):
//   read:   in cache                                  -> cache_hits
//           absent                                    -> read_misses
//   write:  created by this operation, or dirty       -> write_hits
//           clean                                     -> write_cleans
//           absent (had to be fetched for the write)  -> write_misses
// so that, exactly and at all times, input calls = hits + read misses and output calls = write
// hits + write cleans + write misses.
#ifndef QUIRE_SERVER_COUNTERS_BLOCK_CALLS_H_
#define QUIRE_SERVER_COUNTERS_BLOCK_CALLS_H_

#include <cstdint>

namespace quire {

struct BlockCalls {
  int64_t driver_input_calls = 0;
  int64_t driver_output_calls = 0;
  int64_t cache_hits = 0;
  int64_t cache_read_misses = 0;
  int64_t cache_write_hits = 0;
  int64_t cache_write_cleans = 0;
  int64_t cache_write_misses = 0;
  int64_t block_splits = 0;  // data blocks only
  int64_t extent_allocations = 0;

  void Add(const BlockCalls& other);
};

}  // namespace quire

#endif  // QUIRE_SERVER_COUNTERS_BLOCK_CALLS_H_
