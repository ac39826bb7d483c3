// Quire's own file as a store to compare: embedded and over gRPC alike, by session and by Load.
#ifndef QUIRE_CLIENT_BENCH_PEERS_QUIRE_STORE_H_
#define QUIRE_CLIENT_BENCH_PEERS_QUIRE_STORE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/bench/peers/peer.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

inline constexpr char kBenchVolume[] = "$DATA01";
inline constexpr uint64_t kBenchCacheBytes = uint64_t{1} << 30;  // as every store with a cache
// Near what R-D5 allows, so that a load of the usual size is placed once.
inline constexpr uint64_t kBenchDirtyLimitBytes = uint64_t{384} << 20;
// Nobody waits beside a measured load, so that control points may be as large as the dirty limit
// allows: the others keep what changed in memory as well.
inline constexpr uint32_t kBenchControlPointTargetMs = 0;

// How records of a durability are kept.
enum class DurableMode : uint8_t { kAudit, kWriteThrough };

struct QuireStoreOptions {
  PeerDurability durability = PeerDurability::kNone;  // kNone: BUFFERED
  DurableMode durable_mode = DurableMode::kAudit;
  size_t load_from = 0;  // groups of so many records and more go by Load, smaller ones pipelined
};

class QuireStore : public PeerStore {
 public:
  // Makes the file and opens it. `system` is destroyed after the file.
  static absl::StatusOr<std::unique_ptr<QuireStore>> Make(std::unique_ptr<FileSystem> system,
                                                          const QuireStoreOptions& options);

  absl::Status Write(RecordView record) override;
  absl::Status WriteGroup(const std::vector<RecordView>& records) override;
  absl::Status Update(RecordView record) override;
  absl::Status Settle() override;
  absl::Status Read(std::string_view key, std::string* record) override;
  absl::Status ReadGroup(const std::vector<std::string>& keys,
                         absl::FunctionRef<void(RecordView)> visit) override;
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override;
  absl::Status Close() override;

  const FileName& name() const { return name_; }

 private:
  QuireStore(std::unique_ptr<FileSystem> system, const QuireStoreOptions& options)
      : system_(std::move(system)), options_(options) {}

  const std::unique_ptr<FileSystem> system_;
  const QuireStoreOptions options_;
  FileName name_;
  std::unique_ptr<File> file_;
  // For reading, as one who only reads opens it: the answers of an open that may change the file
  // are kept for repeating, records read with them (R-S2).
  std::unique_ptr<File> reader_;
};

// Bytes of the volume under `directory` without its trail.
uint64_t VolumeDataBytes(const std::string& directory);

// The rows of one kind, for QuirePeers.
std::vector<Peer> QuireEmbeddedPeers();
std::vector<Peer> QuireNetworkPeers();

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_QUIRE_STORE_H_
