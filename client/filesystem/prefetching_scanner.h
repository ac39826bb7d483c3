// A Scanner that reads one page ahead: while its user works on a page, the next is under way.
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
