// Every limit of Quire in one place; each queue, loop and message is bounded by one of them.
// Sources: "Enscribe" = Enscribe Programmer's Guide limits table; "LMDB" = its page arithmetic;
// "gRPC" = its default message limit; the rest are ours.
#ifndef QUIRE_LIMITS_H_
#define QUIRE_LIMITS_H_

#include <cstdint>

namespace quire {

inline constexpr uint32_t kPageBytes = 2048;  // Enscribe: extents are counted in these pages

// Blocks. An image is BLOCK - 16 bytes: the 16 are LMDB's page header, so that an image takes
// whole LMDB pages (R-B1).
inline constexpr uint32_t kStoreHeaderBytes = 16;
inline constexpr uint32_t kMaxBlockBytes = 32768;
inline constexpr uint32_t kDefaultBlockBytes = 4096;
inline constexpr uint32_t kRecordOverheadBytes = 56;  // Enscribe format 2: REC <= BLOCK - 56
inline constexpr uint32_t kMaxRecordBytesLargeBlock = 27648;  // Enscribe: REC at BLOCK 32768
inline constexpr uint32_t kDefaultRecordBytes = 80;           // Enscribe

// Keys (Enscribe; 2,048 with format 2 and BLOCK 32768).
inline constexpr uint32_t kMaxKeyBytes = 255;
inline constexpr uint32_t kMaxKeyBytesLargeBlock = 2048;

// Partitions, the primary included (R-B5).
inline constexpr uint32_t kMaxPartitionsFormat1 = 16;
inline constexpr uint32_t kMaxPartitionsFormat2 = 128;

// Extents (Enscribe).
inline constexpr uint32_t kMinMaxExtents = 16;
inline constexpr uint32_t kMaxMaxExtents = 978;
inline constexpr uint64_t kMaxExtentPagesFormat1 = 65535;
inline constexpr uint64_t kMaxExtentPagesFormat2 = 512000000;
inline constexpr uint64_t kMaxFileBytesFormat1 = (uint64_t{2} << 30) - (1 << 20);
inline constexpr uint64_t kMaxFileBytesFormat2 = uint64_t{1} << 40;  // about 1 TB a partition

// Messages. Servers receive up to 16 MiB so that handlers can answer 21 above 4 MiB (R-A5).
inline constexpr uint32_t kReceiveLimitBytes = 16 << 20;
inline constexpr uint32_t kMaxMessageBytes = 4 << 20;
inline constexpr uint32_t kDefaultChunkBytes = 256 << 10;  // scans and loads
inline constexpr uint32_t kMaxBatchBytes = 1 << 20;        // data of one session batch
inline constexpr uint32_t kMaxBatchOperations = 4096;
inline constexpr uint32_t kSessionCredits = 64;  // batches of one open under way
inline constexpr uint32_t kListPageSize = 1000;

// Opens.
inline constexpr uint32_t kLeaseMs = 30000;         // default lease of an open
inline constexpr uint32_t kMaxSyncDepth = 15;       // Enscribe
inline constexpr uint32_t kMaxOpens = 65536;        // per volume; more is error 35
inline constexpr uint32_t kClosedOpensKept = 1000;  // R-C4

// Locks. A record lock takes some 200 bytes and its key.
inline constexpr uint32_t kLockTimeoutMs = 60000;       // R-S4
inline constexpr uint32_t kMaxLocksPerOpen = 20000;     // more is error 35
inline constexpr uint32_t kMaxLocksPerVolume = 100000;  // granted and waiting; more is error 31
// Records read and not acknowledged, kept per open so that a repeated read gives the same one;
// beyond it WRITEUPDATE, and a read repeated behind a change, get 31, retry safe.
inline constexpr uint32_t kMaxSavedRecordBytes = 4 << 20;
// Answers of mutations kept for repeating, per open: what the credits allow to be under way.
inline constexpr uint32_t kMaxSavedAnswers = kSessionCredits * kMaxBatchOperations;
// Answers of single calls with a client id and sequence kept, per client and file (R-S2).
inline constexpr uint32_t kUnaryAnswersKept = 1024;

// Volume.
inline constexpr uint64_t kDefaultCapacityBytes = uint64_t{1} << 40;  // LMDB map, virtual
inline constexpr uint64_t kDefaultCacheBytes = uint64_t{512} << 20;
// Memory for frozen index blocks (LOOKASIDE FREEZE), taken as used. So much is part of the 128 MiB
// that R-D5 grants beside cache and dirty blocks; what is above it comes out of the cache.
inline constexpr uint64_t kDefaultLookasideBytes = uint64_t{32} << 20;
inline constexpr uint64_t kDefaultDirtyLimitBytes = uint64_t{256} << 20;  // R-D5
inline constexpr uint32_t kMaxDirtyBlocks = 100000;   // R-D5, below LMDB's 131,071-page list
inline constexpr uint32_t kPurgeSliceBlocks = 20000;  // R-D12
inline constexpr uint32_t kControlPointIntervalMs = 1000;
// Size of a control point: how long one should take.
inline constexpr uint32_t kControlPointTargetMs = 120;
inline constexpr uint32_t kRecoveryTargetMs = 10000;  // replay after a crash takes no longer
inline constexpr uint64_t kDefaultTrailLimitBytes = uint64_t{512} << 20;  // starts a control point
inline constexpr uint64_t kTrailSegmentBytes = uint64_t{64} << 20;        // R-D17
inline constexpr uint64_t kReserveStepBytes = uint64_t{64} << 20;         // R-D8

static_assert(kMaxRecordBytesLargeBlock <= kMaxBlockBytes - kRecordOverheadBytes);
static_assert(kMaxBatchBytes + kMaxBatchOperations * 64 < kMaxMessageBytes);
static_assert(kDefaultChunkBytes < kMaxMessageBytes);
static_assert(kMaxDirtyBlocks < 131071);

}  // namespace quire

#endif  // QUIRE_LIMITS_H_
