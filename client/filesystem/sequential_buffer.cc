#include "client/filesystem/sequential_buffer.h"

#include <utility>

#include "client/filesystem/errors.h"
#include "quire/error.h"

namespace quire {

SequentialBuffer::SequentialBuffer(std::shared_ptr<Service> service, FileReference file,
                                   const FileAttributes& attributes, uint32_t chunk_bytes)
    : service_(std::move(service)),
      file_(std::move(file)),
      attributes_(attributes),
      chunk_bytes_(chunk_bytes) {}

absl::StatusOr<std::string_view> SequentialBuffer::Next(Position* position) {
  if (reader_ == nullptr) {
    const Subset subset = SubsetFrom(*position, attributes_);
    if (subset.empty) return filesystem_errors::SubsetEnded();
    ScanRequest request;
    request.file = file_;
    request.range = subset.range;
    request.start_exclusive = subset.start_exclusive;
    request.reverse = subset.reverse;
    request.chunk_bytes = chunk_bytes_;
    range_ = subset.range;
    reader_ = std::make_unique<ChunkReader>(service_, std::move(request), ReadAhead::OfReads());
  }
  const absl::StatusOr<std::string_view> record = reader_->Next();
  if (!record.ok()) {
    const bool ended = NumberOf(record.status()) == ErrorNumber::kEndOfFile;
    const absl::Status status = ended ? filesystem_errors::SubsetEnded() : record.status();
    Drop();
    return status;
  }
  const std::optional<std::string_view> key = NextKey(*record, *position);
  if (!key) {
    Drop();
    return filesystem_errors::ChunkOutOfOrder();
  }
  MoveTo(*key, position);
  return record;
}

std::optional<std::string_view> SequentialBuffer::NextKey(std::string_view record,
                                                          const Position& position) const {
  if (record.size() < size_t{attributes_.key_offset} + attributes_.key_length) return std::nullopt;
  const std::string_view key = record.substr(attributes_.key_offset, attributes_.key_length);
  if (!range_.Contains(key)) return std::nullopt;
  if (position.next && (position.reverse ? key >= position.key : key <= position.key)) {
    return std::nullopt;
  }
  return key;
}

}  // namespace quire
