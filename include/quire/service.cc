#include "quire/service.h"

#include "quire/error.h"

namespace quire {

void Service::Backup(BackupRequest, Done<BackupAnswer> done) {
  std::move(done)(MakeError(ErrorNumber::kInvalidOperation, "BACKUP is not built here"));
}

}  // namespace quire
