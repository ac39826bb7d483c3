// Reads what one control point holds, unchanged for as long as the reader lives.
//
// A reader that BlockStore::OpenReader gives is independent of the store's other users: it may be
// used on any thread, by one at a time, while requests and control points go on. What it costs: the
// store keeps every page that its control point holds, so blocks rewritten meanwhile take new
// pages, and the pages freed meanwhile are used again only when the reader has gone. A reader held
// while a volume of n blocks is rewritten whole makes the store grow by those n blocks. It cannot
// be renewed, on purpose: hold one for one walk and let it go.
#ifndef QUIRE_SERVER_STORE_BLOCK_READER_H_
#define QUIRE_SERVER_STORE_BLOCK_READER_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "server/base/ids.h"

namespace quire {

class BlockReader {
 public:
  virtual ~BlockReader() = default;

  // Fills `image` (the file's image size exactly) and verifies it. 59 when it is absent, of another
  // size or does not check.
  virtual absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) = 0;
  virtual absl::StatusOr<std::map<FileId, std::string>> ReadLabels() = 0;
  virtual absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_BLOCK_READER_H_
