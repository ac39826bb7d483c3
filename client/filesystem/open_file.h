// A File: the blocking and pipelining front on a Session, whoever is behind it (a router, or the
// routing code in this process).
#ifndef QUIRE_CLIENT_FILESYSTEM_OPEN_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_OPEN_FILE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "quire/filesystem.h"
#include "quire/service.h"

namespace quire {

// Opens and waits. Nowait operations are collected per partition, so that a message goes to one
// volume; blocking calls send at once what is collected.
absl::StatusOr<std::unique_ptr<File>> OpenFile(std::shared_ptr<Service> service,
                                               const FileName& name, const std::string& client_name,
                                               const FileOpenOptions& options);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_OPEN_FILE_H_
