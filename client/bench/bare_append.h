// A bare synced append: what a durable write costs without any database (R-M1).
#ifndef QUIRE_CLIENT_BENCH_BARE_APPEND_H_
#define QUIRE_CLIENT_BENCH_BARE_APPEND_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace quire {
namespace bench {

enum class AppendWay { kFdatasync, kDirect };  // write and fdatasync; O_DIRECT | O_DSYNC

// Appends to a file that was written with zeros before, so that a sync costs no metadata; begins
// again at its end.
class BareAppend {
 public:
  virtual ~BareAppend() = default;
  // `bytes`: of one append, a multiple of 4,096, at most 1 MiB. Makes the file. 11, 22, 43, 48.
  static absl::StatusOr<std::unique_ptr<BareAppend>> Make(const std::string& path, AppendWay way,
                                                          uint32_t bytes);
  // Durable when it returns. 22, 43.
  virtual absl::Status Append() = 0;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_BARE_APPEND_H_
