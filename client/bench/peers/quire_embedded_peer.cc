// Quire in this process.
#include <map>
#include <utility>

#include "client/bench/peers/quire_store.h"
#include "client/transport/embedded.h"

namespace quire {
namespace bench {
namespace {

// A group of 64 is one batch of a session; a load has its own call.
constexpr size_t kLoadFrom = 1000;

absl::StatusOr<std::unique_ptr<PeerStore>> OpenEmbedded(const PeerOpen& open, DurableMode mode) {
  EmbeddedOptions options;
  options.directory = open.directory;
  options.volumes = {kBenchVolume};
  options.volume.cache_bytes = kBenchCacheBytes;
  options.volume.dirty_limit_bytes = kBenchDirtyLimitBytes;
  options.volume.control_point_target_ms = kBenchControlPointTargetMs;
  absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> volumes =
      OpenEmbeddedVolumes(options);
  if (!volumes.ok()) return volumes.status();
  return QuireStore::Make(
      FileSystem::Over(*std::move(volumes), "quire-bench"),
      {.durability = open.durability, .durable_mode = mode, .load_from = kLoadFrom});
}

uint64_t DataBytes(const PeerOpen& open) {
  return VolumeDataBytes(open.directory);
}

}  // namespace

std::vector<Peer> QuireEmbeddedPeers() {
  return {
      {.name = kQuireEmbedded,
       .settings =
           "BUFFERED, durable work AUDIT; cache 1 GiB, dirty limit 384 MiB, control points of "
           "half of it (--control-point-target-ms=0); groups of 64 by session, loads by Load",
       .ours = true,
       .open = [](const PeerOpen& open) { return OpenEmbedded(open, DurableMode::kAudit); },
       .data_bytes = DataBytes},
      {.name = "quire embedded, write-through",
       .settings = "the same, durable work NO BUFFERED",
       .ours = true,
       .open = [](const PeerOpen& open) { return OpenEmbedded(open, DurableMode::kWriteThrough); },
       .data_bytes = DataBytes,
       .works = {Work::kDurable, Work::kGroup}},
  };
}

}  // namespace bench
}  // namespace quire
