// A File: the blocking and pipelining front on a Session, whoever is behind it (a router, or the
// routing code in this process).
#ifndef QUIRE_CLIENT_FILESYSTEM_OPEN_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_OPEN_FILE_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/filesystem/resuming_session.h"
#include "quire/filesystem.h"
#include "quire/service.h"

namespace quire {

// Opens and waits. Nowait operations are collected per partition, so that a message goes to one
// volume; blocking calls send at once what is collected. With `resume` the open outlives its
// connection to the service; without, the service sees to that itself, if anybody.
absl::StatusOr<std::unique_ptr<File>> OpenFile(std::shared_ptr<Service> service,
                                               const FileName& name, const std::string& client_name,
                                               const FileOpenOptions& options,
                                               const std::optional<ResumePolicy>& resume = {});

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_OPEN_FILE_H_
