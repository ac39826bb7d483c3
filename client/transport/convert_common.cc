#include "client/transport/convert_common.h"

#include <numeric>
#include <utility>

#include "client/transport/convert_error.h"
#include "client/transport/errors.h"
#include "quire/limits.h"

namespace quire {

void ToProto(const FileName& name, v1::FileName* out) {
  out->set_node(WireText(name.node));
  out->set_volume(WireText(name.volume));
  out->set_subvolume(WireText(name.subvolume));
  out->set_file(WireText(name.file));
}

FileName FromProto(const v1::FileName& in) {
  return FileName{in.node(), in.volume(), in.subvolume(), in.file()};
}

absl::StatusOr<FileName> CheckedFileName(const v1::FileName& in) {
  FileName name = FromProto(in);
  if (IsFileName(name)) return name;
  return ParseFileName(name.ToString());
}

absl::StatusOr<FileName> CheckedFileset(const v1::FileName& in) {
  return ParseFileset(FromProto(in).ToString());
}

void ToProto(const FileReference& file, v1::FileReference* out) {
  ToProto(file.name, out->mutable_name());
  out->set_create_id(file.create_id);
  out->set_open_id(file.open_id);
  out->set_client_name(WireText(file.client_name, kMaxClientNameBytes));
  out->set_client_id(file.client_id);
}

absl::StatusOr<FileReference> FromProto(const v1::FileReference& in) {
  if (in.client_name().size() > kMaxClientNameBytes) {
    return transport_errors::TooLarge("the length of client_name", in.client_name().size(),
                                      kMaxClientNameBytes);
  }
  absl::StatusOr<FileName> name = CheckedFileName(in.name());
  if (!name.ok()) return name.status();
  return FileReference{*std::move(name), in.create_id(), in.open_id(), in.client_name(),
                       in.client_id()};
}

v1::LockMode LockModeToProto(uint32_t mode) {
  // The wire's 4 is mode 0 said outright; SETMODE has no mode 4, and none 5 either.
  constexpr uint32_t kNoMode = 5;
  return static_cast<v1::LockMode>(mode == v1::LOCK_MODE_NORMAL ? kNoMode : mode);
}

uint32_t LockModeFromProto(v1::LockMode mode) {
  return mode == v1::LOCK_MODE_NORMAL ? 0 : static_cast<uint32_t>(mode);
}

void ToProto(const KeyRange& range, v1::KeyRange* out) {
  out->set_start(range.start);
  out->set_limit(range.limit);
}

KeyRange FromProto(const v1::KeyRange& in) {
  return KeyRange{in.start(), in.limit()};
}

void ToProto(RecordChunk&& chunk, v1::RecordChunk* out) {
  out->mutable_lengths()->Assign(chunk.lengths.begin(), chunk.lengths.end());
  *out->mutable_data() = std::move(chunk.data);
  *out->mutable_last_key() = std::move(chunk.last_key);
}

absl::StatusOr<RecordChunk> FromProto(v1::RecordChunk&& in) {
  // A record's length takes at least one byte on the wire.
  const uint64_t bytes = in.data().size() + static_cast<uint64_t>(in.lengths_size());
  if (bytes > kMaxMessageBytes) {
    return transport_errors::TooLarge("the size of the chunk in bytes", bytes, kMaxMessageBytes);
  }
  const uint64_t sum = std::accumulate(in.lengths().begin(), in.lengths().end(), uint64_t{0});
  if (sum != in.data().size()) {
    return transport_errors::LengthsDisagree("chunk", sum, in.data().size());
  }
  RecordChunk chunk;
  chunk.lengths.assign(in.lengths().begin(), in.lengths().end());
  chunk.data = std::move(*in.mutable_data());
  chunk.last_key = std::move(*in.mutable_last_key());
  return chunk;
}

}  // namespace quire
