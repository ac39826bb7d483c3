// A Scanner that reads ahead: while its user works on one page, the next are under way.
#ifndef QUIRE_CLIENT_FILESYSTEM_PREFETCHING_SCANNER_H_
#define QUIRE_CLIENT_FILESYSTEM_PREFETCHING_SCANNER_H_

#include <memory>

#include "quire/filesystem.h"
#include "quire/service.h"

namespace quire {

// Asks for the first page at once. The service is kept alive by the scanner.
std::unique_ptr<Scanner> MakePrefetchingScanner(std::shared_ptr<Service> service,
                                                ScanRequest request);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_PREFETCHING_SCANNER_H_
