#include "tests/compat/data_directory.h"

#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "server/base/huge_memory.h"
#include "server/store/lmdb_store.h"
#include "server/trail/file_device.h"
#include "server/trail/trail_format.h"
#include "tests/compat/kept_bytes.h"

namespace quire {
namespace {

// Those that a format does not have are missing.
constexpr const char* kMetaKeys[] = {"volume", "control-point", "saved-answers", "covered-epochs"};

std::string Hex(std::string_view bytes) {
  constexpr size_t kLineBytes = 32;
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    StrAppend(&text, absl::Hex(static_cast<unsigned char>(bytes[i]), absl::kZeroPad2));
    if ((i + 1) % kLineBytes == 0 || i + 1 == bytes.size()) text += '\n';
  }
  return text;
}

std::unique_ptr<BlockStore> OpenStore(const std::string& directory) {
  auto store = OpenLmdbStore(LmdbOptions{directory + "/store", kKeptCapacityBytes, 0});
  EXPECT_TRUE(store.ok()) << Describe(store.status());
  return store.ok() ? *std::move(store) : nullptr;
}

std::unique_ptr<TrailDevice> OpenTrailOf(const std::string& directory) {
  auto device = OpenFileDevice(directory + "/trail", TrailSync::kFdatasync);
  EXPECT_TRUE(device.ok()) << Describe(device.status());
  return device.ok() ? *std::move(device) : nullptr;
}

std::string DescribeStore(BlockStore& store) {
  std::string text;
  for (const char* key : kMetaKeys) {
    const auto value = store.ReadMeta(key);
    EXPECT_TRUE(value.ok()) << key;
    if (value.ok() && value->has_value()) StrAppend(&text, "meta ", key, "\n", Hex(**value));
  }
  const auto labels = store.ReadLabels();
  EXPECT_TRUE(labels.ok()) << Describe(labels.status());
  for (const auto& [id, bytes] : *labels) {
    StrAppend(&text, "label ", id, "\n", Hex(bytes));
    const auto label = DecodeLabel(bytes);
    EXPECT_TRUE(label.ok()) << Describe(label.status());
    for (BlockNumber block = 0; block < label->tree.eof_blocks; ++block) {
      std::string image(kKeptImageBytes, '\0');
      const absl::Status read = store.ReadBlock(id, block, absl::MakeSpan(image));
      if (!read.ok()) continue;  // never placed: it is free
      StrAppend(&text, "block ", id, " ", block, "\n", Hex(image));
    }
  }
  return text;
}

std::string DescribeTrail(TrailDevice& device) {
  std::string text;
  const auto segments = device.List();
  EXPECT_TRUE(segments.ok()) << Describe(segments.status());
  for (const uint64_t segment : *segments) {
    std::string bytes(*device.Size(segment), '\0');
    EXPECT_TRUE(device.Read(segment, 0, absl::MakeSpan(bytes)).ok());
    for (uint64_t offset = 0; offset < bytes.size();) {
      BatchHeader header;
      const absl::Span<const char> left(bytes.data() + offset, bytes.size() - offset);
      if (!PeekBatchHeader(left, &header) || header.segment != segment ||
          !IsWholeBatch(left, header)) {
        offset += kTrailBlockBytes;
        continue;
      }
      StrAppend(&text, "batch ", segment, " ", offset, "\n",
                Hex({left.data(), header.content_bytes}));
      offset += header.disc_bytes();
    }
  }
  return text;
}

void PlaceBatch(TrailDevice& device, uint64_t segment, uint64_t offset, const std::string& bytes) {
  if (!device.Size(segment).ok()) {
    ASSERT_TRUE(device.Create(segment, kKeptSegmentBytes).ok());
  }
  const uint64_t padded =
      (bytes.size() + kTrailBlockBytes - 1) / kTrailBlockBytes * kTrailBlockBytes;
  const HugeMemory batch(padded);
  bytes.copy(batch.data(), bytes.size());
  ASSERT_TRUE(device.WriteDurably(segment, offset, absl::MakeConstSpan(batch.data(), padded)).ok());
}

}  // namespace

std::string DescribeDirectory(const std::string& directory) {
  const auto store = OpenStore(directory);
  const auto device = OpenTrailOf(directory);
  if (store == nullptr || device == nullptr) return "";
  return DescribeStore(*store) + DescribeTrail(*device);
}

void MakeDirectory(const std::string& text, const std::string& directory) {
  std::filesystem::create_directories(directory);
  const auto store = OpenStore(directory);
  const auto device = OpenTrailOf(directory);
  ASSERT_TRUE(store != nullptr && device != nullptr);
  std::vector<std::pair<std::string, std::string>> entries;  // what it is, its bytes
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(' ') != std::string::npos) {
      entries.emplace_back(line, "");
    } else {
      entries.back().second += BytesOfHex(line);
    }
  }
  ControlPoint content;
  for (const auto& [what, bytes] : entries) {
    std::istringstream words(what);
    std::string kind;
    words >> kind;
    if (kind == "meta") {
      std::string key;
      words >> key;
      content.meta[key] = bytes;
      continue;
    }
    uint64_t first = 0;
    uint64_t second = 0;
    words >> first >> second;
    if (kind == "label") content.labels[first] = bytes;
    if (kind == "block") {
      content.blocks.push_back({first, static_cast<BlockNumber>(second), bytes.data(),
                                static_cast<uint32_t>(bytes.size())});
    }
    if (kind == "batch") PlaceBatch(*device, first, second, bytes);
  }
  const auto commit = store->Commit(content);
  ASSERT_TRUE(commit.ok()) << Describe(commit.status());
}

}  // namespace quire
