// Counts the calls made through a Service: a wrapper for tests and for tools that show their own
// traffic.
#ifndef QUIRE_CLIENT_TRANSPORT_COUNTING_STUB_H_
#define QUIRE_CLIENT_TRANSPORT_COUNTING_STUB_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "quire/service.h"

namespace quire {

// Only rise. Read them at any time from any thread; each is exact, together they are no snapshot.
struct CallCounts {
  std::atomic<uint64_t> sessions{0};
  std::atomic<uint64_t> batches{0};
  std::atomic<uint64_t> operations{0};  // of batches and unary calls
  std::atomic<uint64_t> cancels{0};
  std::atomic<uint64_t> unary{0};
  std::atomic<uint64_t> scans{0};
  std::atomic<uint64_t> scan_pages{0};  // asked for
  std::atomic<uint64_t> loads{0};
  std::atomic<uint64_t> load_chunks{0};
  std::atomic<uint64_t> file_calls{0};  // Create … Refresh
  std::atomic<uint64_t> snapshots{0};
};

std::shared_ptr<Service> MakeCountingStub(std::shared_ptr<Service> inner,
                                          std::shared_ptr<CallCounts> counts);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_COUNTING_STUB_H_
