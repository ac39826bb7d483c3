// Names, references, ranges and chunks between their proto messages and Quire's own types.
//
// In all converters: ToProto fills an empty (cleared) message; FromProto checks what came from
// the wire and answers 13, 21 or 22 for what it refuses. Big byte strings are moved, not copied,
// where the argument is an rvalue.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_COMMON_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_COMMON_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/file_name.h"
#include "quire/key_range.h"
#include "quire/operation.h"
#include "quire/service.h"
#include "quire/v1/common.pb.h"

namespace quire {

inline constexpr uint32_t kMaxClientNameBytes = 64;

void ToProto(const FileName& name, v1::FileName* out);
// As it stands, for names that a server sent.
FileName FromProto(const v1::FileName& in);
// 13 when it is no full file name (or, for a fileset, no pattern of one).
absl::StatusOr<FileName> CheckedFileName(const v1::FileName& in);
absl::StatusOr<FileName> CheckedFileset(const v1::FileName& in);

void ToProto(const FileReference& file, v1::FileReference* out);
absl::StatusOr<FileReference> FromProto(const v1::FileReference& in);

// The modes of SETMODE 4. A number that is no mode travels as it is: the open answers it with 2, as
// SETMODE does.
v1::LockMode LockModeToProto(uint32_t mode);
uint32_t LockModeFromProto(v1::LockMode mode);

void ToProto(const KeyRange& range, v1::KeyRange* out);
KeyRange FromProto(const v1::KeyRange& in);

void ToProto(RecordChunk&& chunk, v1::RecordChunk* out);
// 21 above the message limit, 22 when lengths and data disagree.
absl::StatusOr<RecordChunk> FromProto(v1::RecordChunk&& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_COMMON_H_
