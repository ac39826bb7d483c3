// The records of one scan, one after the other, from chunks that are fetched ahead. Used by one
// thread; answers of the service may come on others.
#ifndef QUIRE_CLIENT_FILESYSTEM_CHUNK_READER_H_
#define QUIRE_CLIENT_FILESYSTEM_CHUNK_READER_H_

#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/filesystem/read_ahead.h"
#include "quire/service.h"

namespace quire {

class ChunkReader {
 public:
  // Fetches nothing yet. The service is kept alive by the reader.
  ChunkReader(std::shared_ptr<Service> service, ScanRequest request, ReadAhead read_ahead);
  // Cancels what is under way.
  ~ChunkReader();
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;

  // Asks for the first chunk. Does not wait.
  void Start();
  // The next record, valid until the next call; 1 after the last. An error stays.
  absl::StatusOr<std::string_view> Next();

 private:
  class Fetcher;

  void TakePage();

  const std::shared_ptr<Service> service_;
  const std::shared_ptr<Fetcher> fetcher_;
  ReadAhead read_ahead_;
  ScanPage page_;
  size_t record_ = 0;   // next in page_
  size_t offset_ = 0;   // of it in the page's data
  absl::Status ended_;  // not OK: what comes after the records of page_
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_CHUNK_READER_H_
