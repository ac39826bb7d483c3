#include "quire/service.h"

#include "quire/error.h"

namespace quire {

void Service::Check(FileReference, Done<std::vector<PartitionCheck>> done) {
  std::move(done)(MakeError(ErrorNumber::kInvalidOperation, "CHECK is not built here"));
}

void Service::Backup(BackupRequest, Done<BackupAnswer> done) {
  std::move(done)(MakeError(ErrorNumber::kInvalidOperation, "BACKUP is not built here"));
}

}  // namespace quire
