#include "client/filesystem/open_file.h"

#include <algorithm>
#include <utility>

#include "client/filesystem/errors.h"
#include "client/filesystem/file_stream.h"
#include "client/filesystem/new_id.h"
#include "client/filesystem/opened_file.h"
#include "client/filesystem/volume_set.h"
#include "quire/limits.h"

namespace quire {
namespace {

// The partitions as the primary's label names them. Figures that change (EOF, counts) are not
// known of secondaries at open; INFO asks for them.
FileDescription Describe(const FileInfo& primary) {
  FileDescription description;
  description.primary = primary;
  for (const PartitionAddress& address : SecondaryAddresses(primary)) {
    FileInfo secondary;
    secondary.name = address.file.name;
    secondary.attributes = primary.attributes;
    secondary.partition = address.partition;
    secondary.primary_volume = primary.name.volume;
    secondary.create_id = primary.create_id;
    secondary.owner_group = primary.owner_group;
    secondary.owner_user = primary.owner_user;
    secondary.security = primary.security;
    secondary.created_us = primary.created_us;
    description.secondaries.emplace_back(std::move(secondary));
  }
  return description;
}

// A lock_timeout of OperationBatch, where 0 would mean the default.
uint32_t MillisecondsOf(absl::Duration duration) {
  const int64_t up = absl::ToInt64Milliseconds(absl::Ceil(duration, absl::Milliseconds(1)));
  return static_cast<uint32_t>(std::clamp<int64_t>(up, 1, UINT32_MAX));
}

Packing PackingOf(const Opened& opened, const FileOpenOptions& options) {
  Packing packing;
  packing.slots = OrderedSlot(opened.info.attributes) + 1;
  packing.operations =
      std::clamp(options.batch_operations, 1u, std::max(1u, opened.max_batch_operations));
  packing.bytes = opened.max_batch_bytes;
  packing.lock_timeout_ms = MillisecondsOf(options.lock_timeout);
  return packing;
}

}  // namespace

absl::StatusOr<std::unique_ptr<File>> OpenFile(std::shared_ptr<Service> service,
                                               const FileName& name, const std::string& client_name,
                                               const FileOpenOptions& options,
                                               const std::optional<ResumePolicy>& resume) {
  if (options.sequential_buffer_bytes > kMaxMessageBytes) {
    return filesystem_errors::BufferTooLarge(options.sequential_buffer_bytes);
  }
  OpenRequest request;
  request.file.name = name;
  request.file.open_id = NewId();
  request.file.client_name = client_name;
  request.access = options.access;
  request.exclusion = options.exclusion;
  request.sync_depth = options.sync_depth;
  request.lock_mode = static_cast<uint32_t>(options.lock_mode);
  auto stream = std::make_shared<FileStream>(name.ToString());
  std::unique_ptr<Session> session =
      resume ? OpenResuming(service, std::move(request), stream, *resume)
             : service->OpenSession(std::move(request), stream);
  const absl::StatusOr<Opened> opened = stream->AwaitOpened();
  if (!opened.ok()) return filesystem_errors::AsReadFailure(opened.status(), name.volume);
  stream->Start(std::move(session), PackingOf(*opened, options));
  return std::make_unique<OpenedFile>(std::move(service), std::move(stream), client_name, *opened,
                                      Describe(opened->info), options);
}

}  // namespace quire
