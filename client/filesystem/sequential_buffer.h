// Sequential block buffering: READ hands out records from chunks fetched ahead, without a message
// per record. Not thread safe.
#ifndef QUIRE_CLIENT_FILESYSTEM_SEQUENTIAL_BUFFER_H_
#define QUIRE_CLIENT_FILESYSTEM_SEQUENTIAL_BUFFER_H_

#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/filesystem/chunk_reader.h"
#include "quire/attributes.h"
#include "quire/position.h"
#include "quire/service.h"

namespace quire {

class SequentialBuffer {
 public:
  // `file` names the open that reads. At most (1 + ReadAhead::kMostChunks) chunks are in memory.
  SequentialBuffer(std::shared_ptr<Service> service, FileReference file,
                   const FileAttributes& attributes, uint32_t chunk_bytes);

  // Whether records of the run that began at the position before are in hand or under way.
  bool reading() const { return reader_ != nullptr; }

  // READ from `*position`, which then stands at the record; valid until the next call. 1 at the end
  // of the subset; the next call looks again. Any other error ends the run as well and leaves the
  // position.
  absl::StatusOr<std::string_view> Next(Position* position);

  // Forgets what was fetched: the position was set, or the file changed.
  void Drop() { reader_.reset(); }

 private:
  // The key of `record` if it may follow `position`.
  std::optional<std::string_view> NextKey(std::string_view record, const Position& position) const;

  const std::shared_ptr<Service> service_;
  const FileReference file_;
  const FileAttributes attributes_;
  const uint32_t chunk_bytes_;
  std::unique_ptr<ChunkReader> reader_;
  KeyRange range_;  // of the run
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_SEQUENTIAL_BUFFER_H_
