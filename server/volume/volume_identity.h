// Who a volume is and how its directory is laid out: one value in the store's meta database, made
// with the volume.
//
//   size  field
//      1  format of the directory. 1: trail batches of version 1; 2: of version 2 too
//      8  volume id, random
//   text  name (4-byte length)
#ifndef QUIRE_SERVER_VOLUME_VOLUME_IDENTITY_H_
#define QUIRE_SERVER_VOLUME_VOLUME_IDENTITY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/store/block_store.h"
#include "server/volume/volume.h"

namespace quire {

// The newest that this program reads, and what it writes: a volume of an older format gets it with
// the first control point of a start, before any byte of the new format is written.
inline constexpr uint8_t kVolumeFormat = 2;

struct VolumeIdentity {
  uint64_t volume_id = 0;
  std::string name;
  uint8_t format = kVolumeFormat;
};

std::string EncodeIdentity(const VolumeIdentity& identity);
// The value of meta_key::kVolume. 59 when it is not one, or of a newer format.
absl::StatusOr<VolumeIdentity> DecodeIdentity(std::string_view bytes);
uint64_t NewVolumeId();

// Reads the identity, or makes it (one commit) in an empty store. 22 when the store holds a volume
// of another name.
absl::StatusOr<VolumeIdentity> ReadOrMakeIdentity(BlockStore& store, const VolumeOptions& options);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_IDENTITY_H_
