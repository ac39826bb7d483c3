// What all routed calls of one file system share: volumes, labels, standing opens, worker threads.
// Any thread. Owned in common by the router service and what it has opened.
#ifndef QUIRE_CLIENT_FILESYSTEM_ROUTING_H_
#define QUIRE_CLIENT_FILESYSTEM_ROUTING_H_

#include <map>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "client/filesystem/label_cache.h"
#include "client/filesystem/open_registry.h"
#include "client/filesystem/resuming_session.h"
#include "client/filesystem/routing_options.h"
#include "client/filesystem/volume_set.h"
#include "client/filesystem/worker_pool.h"
#include "quire/service.h"

namespace quire {

class Routing : public std::enable_shared_from_this<Routing> {
 public:
  Routing(std::map<std::string, std::shared_ptr<Service>> volumes, RoutingOptions options);

  const VolumeSet& volumes() const { return volumes_; }
  LabelCache& labels() { return labels_; }
  OpenRegistry& opens() { return opens_; }
  WorkerPool& workers() { return workers_; }
  const ResumePolicy& resume_policy() const { return resume_policy_; }

  // The primary's label of the file, from the cache or its volume. Does not block; `done` may run
  // inside the call. A file whose CREATE was interrupted after its commit is finished first
  // (R-D13). Errors: 11; 14; 60 when the file is another than file.create_id; 66; 72 for a
  // secondary's name.
  void FetchLabel(const FileReference& file, Done<Label> done);

  // Runs `finish` when every secondary of the file has been told that it is part of it, or could
  // not be reached; at once when that was known (FileInfo::confirmed).
  void Confirm(Label label, absl::AnyInvocable<void(Label) &&> finish);

  // Whether `status` says that the label a call was routed by is stale and nothing was executed.
  // Forgets that label then.
  bool IsStale(const absl::Status& status, const Label& label);

 private:
  const VolumeSet volumes_;
  LabelCache labels_;
  OpenRegistry opens_;
  WorkerPool workers_;
  const ResumePolicy resume_policy_;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_ROUTING_H_
