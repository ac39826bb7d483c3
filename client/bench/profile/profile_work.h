// The requests whose cost `quire-bench profile` splits: kinds of work, run for a time with so many
// requests in flight.
#ifndef QUIRE_CLIENT_BENCH_PROFILE_PROFILE_WORK_H_
#define QUIRE_CLIENT_BENCH_PROFILE_PROFILE_WORK_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/bench/made_records.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

enum class ProfileWork : uint8_t {
  kLoad,        // Load stream into a new BUFFERED file, ascending, then a control point
  kWrite,       // session WRITEs into a new BUFFERED file, shuffled, then a control point
  kWriteAudit,  // the same into an AUDIT file
  kReadUnary,   // single calls, shuffled keys
  kRead,        // session reads, shuffled keys
  kScan,        // so many scans at a time
};
inline constexpr ProfileWork kProfileWorks[] = {
    ProfileWork::kLoad,      ProfileWork::kWrite, ProfileWork::kWriteAudit,
    ProfileWork::kReadUnary, ProfileWork::kRead,  ProfileWork::kScan,
};
std::string_view NameOf(ProfileWork work);

// Not thread safe; what it is given outlives it.
class ProfileWorker {
 public:
  // `unary` answers single calls for the volume of `file_system`; `volume` is its name. Reads and
  // scans use a file of all `records`.
  ProfileWorker(FileSystem* file_system, std::shared_ptr<Service> unary, std::string volume,
                const MadeRecords* records);
  ~ProfileWorker();

  // Makes and fills the file that is read.
  absl::Status Prepare();
  // Makes the empty file that a kind of work fills; not part of what is measured.
  absl::Status Before(ProfileWork work);
  // Works for `time`, or until the records are all written. Returns the record operations done, all
  // of them answered; with kLoad in_flight has no meaning (the stream keeps chunks under way).
  absl::StatusOr<uint64_t> Run(ProfileWork work, uint32_t in_flight, absl::Duration time);
  // Purges what Before made.
  absl::Status After(ProfileWork work);

 private:
  absl::Status Make(const FileName& name, bool audit);
  absl::StatusOr<uint64_t> Load(absl::Time end);
  absl::StatusOr<uint64_t> Session(bool writes, uint32_t in_flight, absl::Time end);
  absl::StatusOr<uint64_t> Unary(uint32_t in_flight, absl::Time end);
  absl::Status CheckKey(uint64_t rank, std::string_view record) const;
  absl::StatusOr<uint64_t> Scan(File& file, absl::Time end) const;
  absl::StatusOr<uint64_t> Scans(uint32_t in_flight, absl::Time end);

  FileSystem* const file_system_;
  const std::shared_ptr<Service> unary_;
  const MadeRecords* const records_;
  const FileName read_name_;
  const FileName write_name_;
  uint64_t next_read_ = 0;  // place in the shuffled order
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PROFILE_PROFILE_WORK_H_
