#include "client/filesystem/chunk_split.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "client/filesystem/batch_plan.h"
#include "client/filesystem/errors.h"

namespace quire {
namespace {

std::vector<uint32_t> PartitionsOf(const FileAttributes& attributes, const RecordChunk& chunk) {
  std::vector<uint32_t> partitions;
  partitions.reserve(chunk.size());
  size_t offset = 0;
  for (const uint32_t length : chunk.lengths) {
    Operation write;
    write.kind = OperationKind::kWrite;
    write.record = std::string_view(chunk.data).substr(offset, length);
    partitions.push_back(PartitionOfKey(attributes, KeyOf(attributes, write)));
    offset += length;
  }
  return partitions;
}

std::vector<ChunkPart> WholeChunk(uint32_t partition, RecordChunk chunk) {
  std::vector<ChunkPart> whole(1);
  whole[0].partition = partition;
  whole[0].chunk = std::move(chunk);
  return whole;
}

}  // namespace

absl::StatusOr<std::vector<ChunkPart>> SplitChunk(const FileAttributes& attributes,
                                                  RecordChunk chunk) {
  const uint64_t bytes = std::accumulate(chunk.lengths.begin(), chunk.lengths.end(), uint64_t{0});
  if (bytes != chunk.data.size()) return filesystem_errors::ChunkMalformed();
  if (chunk.lengths.empty()) return std::vector<ChunkPart>();
  if (attributes.partitions.empty()) return WholeChunk(0, std::move(chunk));

  const std::vector<uint32_t> partitions = PartitionsOf(attributes, chunk);
  const uint32_t first = partitions[0];
  if (std::all_of(partitions.begin(), partitions.end(),
                  [first](uint32_t partition) { return partition == first; })) {
    return WholeChunk(first, std::move(chunk));
  }
  std::vector<ChunkPart> parts;
  std::vector<size_t> part_of(PartitionCount(attributes), SIZE_MAX);
  size_t offset = 0;
  for (uint32_t i = 0; i < partitions.size(); ++i) {
    size_t& part = part_of[partitions[i]];
    if (part == SIZE_MAX) {
      part = parts.size();
      parts.emplace_back().partition = partitions[i];
    }
    parts[part].chunk.Add(std::string_view(chunk.data).substr(offset, chunk.lengths[i]));
    parts[part].places.push_back(i);
    offset += chunk.lengths[i];
  }
  return parts;
}

}  // namespace quire
