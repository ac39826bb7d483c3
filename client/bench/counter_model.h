// What the block counters of the article's load must come to: a small model of the B-tree that
// keeps keys only, for any number of records. Independent of Quire's own tree, so that each checks
// the other.
//
// Rules (seed figures solved for their input, see quire-bench --help):
//   - a data block holds two records; an insert after the last record of a full block puts only the
//     new record into the new block; any other split leaves the larger half on the left;
//   - an index block holds (BLOCK - 16 - 36) / (KEYLEN + 6) entries and splits in half;
//   - reads: one per index level walked, one per new block; a plain insert writes once; a split
//     writes the bitmap, the new block twice (formatted, then filled), the old block, the right
//     neighbour if any, the parent and the label; an index split writes bitmap, new block twice,
//     old block, parent;
//   - a write to a block just created is a write hit, every other one a clean (write-through).
#ifndef QUIRE_CLIENT_BENCH_COUNTER_MODEL_H_
#define QUIRE_CLIENT_BENCH_COUNTER_MODEL_H_

#include <cstdint>

namespace quire {
namespace bench {

struct ModelShape {
  uint64_t records = 0;     // record n has prefix n mod 100 and serial n div 100
  uint32_t key_length = 0;  // of the index entries: 11 for A and B, 9 for C
  uint32_t partitions = 1;  // that hold data: 1, or 10 by the first digit of the prefix
  uint32_t block_bytes = 4096;
};

struct ModelCounters {
  uint64_t block_splits = 0;
  uint64_t cache_hits = 0;
  uint64_t write_hits = 0;    // write-through
  uint64_t write_cleans = 0;  // write-through
  uint64_t data_blocks = 0;
  uint64_t index_blocks = 0;
  uint64_t eof_bytes = 0;     // over all partitions, bitmap blocks included
  uint32_t index_levels = 0;  // highest of the partitions

  uint64_t driver_output_calls() const { return write_hits + write_cleans; }
};

// Entries an index block holds.
uint32_t IndexEntries(uint32_t block_bytes, uint32_t key_length);

ModelCounters PlayModel(const ModelShape& shape);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_COUNTER_MODEL_H_
