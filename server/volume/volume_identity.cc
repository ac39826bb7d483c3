#include "server/volume/volume_identity.h"

#include <optional>
#include <random>

#include "server/base/bytes.h"
#include "server/volume/control_point.h"
#include "server/volume/errors.h"

namespace quire {

std::string EncodeIdentity(const VolumeIdentity& identity) {
  std::string bytes;
  ByteWriter writer(&bytes);
  writer.Put(identity.format);
  writer.Put(identity.volume_id);
  writer.PutString(identity.name);
  return bytes;
}

absl::StatusOr<VolumeIdentity> DecodeIdentity(std::string_view bytes) {
  ByteReader reader(bytes);
  VolumeIdentity identity;
  identity.format = reader.Get<uint8_t>();
  if (reader.ok() && identity.format > kVolumeFormat) {
    return volume_error::NewerFormat("the volume", identity.format, kVolumeFormat);
  }
  identity.volume_id = reader.Get<uint64_t>();
  identity.name = std::string(reader.GetString());
  if (!reader.ok() || !reader.at_end() || identity.format == 0) {
    return volume_error::BadStore("the volume record does not decode");
  }
  return identity;
}

uint64_t NewVolumeId() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

absl::StatusOr<VolumeIdentity> ReadOrMakeIdentity(BlockStore& store, const VolumeOptions& options) {
  const absl::StatusOr<std::optional<std::string>> bytes = store.ReadMeta(meta_key::kVolume);
  if (!bytes.ok()) return bytes.status();
  if (bytes->has_value()) {
    absl::StatusOr<VolumeIdentity> identity = DecodeIdentity(**bytes);
    if (identity.ok() && identity->name != options.name) {
      return volume_error::OtherVolume(options.directory, identity->name, options.name);
    }
    return identity;
  }
  VolumeIdentity identity{NewVolumeId(), options.name, kVolumeFormat};
  ControlPoint content;
  content.meta[meta_key::kVolume] = EncodeIdentity(identity);
  if (absl::Status s = store.Commit(content).status(); !s.ok()) return s;
  if (absl::Status s = store.RenewSnapshot(); !s.ok()) return s;
  return identity;
}

}  // namespace quire
