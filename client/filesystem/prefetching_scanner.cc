#include "client/filesystem/prefetching_scanner.h"

#include <utility>

#include "client/filesystem/chunk_reader.h"

namespace quire {
namespace {

class PrefetchingScanner : public Scanner {
 public:
  PrefetchingScanner(std::shared_ptr<Service> service, ScanRequest request)
      : reader_(std::move(service), std::move(request), ReadAhead::OfScan()) {
    reader_.Start();
  }

  absl::StatusOr<std::string_view> Next() override { return reader_.Next(); }

 private:
  ChunkReader reader_;
};

}  // namespace

std::unique_ptr<Scanner> MakePrefetchingScanner(std::shared_ptr<Service> service,
                                                ScanRequest request) {
  return std::make_unique<PrefetchingScanner>(std::move(service), std::move(request));
}

}  // namespace quire
