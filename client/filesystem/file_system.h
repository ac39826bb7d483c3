// The FileSystem over one Service that knows all volumes.
#ifndef QUIRE_CLIENT_FILESYSTEM_FILE_SYSTEM_H_
#define QUIRE_CLIENT_FILESYSTEM_FILE_SYSTEM_H_

#include <memory>
#include <optional>
#include <string>

#include "client/filesystem/resuming_session.h"
#include "quire/filesystem.h"
#include "quire/service.h"

namespace quire {

// `resume`: see OpenFile; for a router's stub.
std::unique_ptr<FileSystem> MakeFileSystem(std::shared_ptr<Service> service,
                                           std::string client_name,
                                           std::optional<ResumePolicy> resume = {});

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_FILE_SYSTEM_H_
