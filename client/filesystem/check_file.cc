#include "client/filesystem/check_file.h"

#include <atomic>
#include <utility>

#include "client/filesystem/errors.h"
#include "client/filesystem/volume_set.h"

namespace quire {
namespace {

// The partitions of one file being checked; each entry is filled by the answer of its volume.
class FileCheck : public std::enable_shared_from_this<FileCheck> {
 public:
  FileCheck(std::shared_ptr<Routing> routing, FileReference file,
            Done<std::vector<PartitionCheck>> done)
      : routing_(std::move(routing)), file_(std::move(file)), done_(std::move(done)) {}

  void Start() {
    const std::string& name = file_.name.volume;
    const absl::StatusOr<std::shared_ptr<Service>> volume = routing_->volumes().Find(name);
    if (!volume.ok()) return std::move(done_)(volume.status());
    (*volume)->Info(file_, [self = shared_from_this()](absl::StatusOr<FileDescription> described) {
      if (!described.ok()) {
        return std::move(self->done_)(
            filesystem_errors::AsReadFailure(described.status(), self->file_.name.volume));
      }
      self->CheckPartitions(described->primary);
    });
  }

 private:
  void CheckPartitions(const FileInfo& named) {
    FileReference first = file_;
    first.create_id = named.create_id;
    std::vector<PartitionAddress> addresses;
    addresses.push_back({named.partition, first});
    if (named.partition == 0) {
      for (PartitionAddress& secondary : SecondaryAddresses(named)) {
        secondary.file.client_name = file_.client_name;
        addresses.push_back(std::move(secondary));
      }
    }
    checks_.resize(addresses.size());
    open_ = addresses.size();
    for (size_t i = 0; i < addresses.size(); ++i) CheckOne(i, addresses[i]);
  }

  void CheckOne(size_t index, const PartitionAddress& address) {
    checks_[index].file = address.file.name;
    checks_[index].partition = address.partition;
    const std::string& name = address.file.name.volume;
    const absl::StatusOr<std::shared_ptr<Service>> volume = routing_->volumes().Find(name);
    if (!volume.ok()) return Finish(index, volume.status());
    (*volume)->Check(address.file, [self = shared_from_this(), index,
                                    name](absl::StatusOr<std::vector<PartitionCheck>> found) {
      if (!found.ok()) {
        return self->Finish(index, filesystem_errors::AsReadFailure(found.status(), name));
      }
      if (found->size() != 1) return self->Finish(index, filesystem_errors::ResultMissing(name));
      self->checks_[index] = std::move(found->front());
      self->Finish(index, self->checks_[index].status);
    });
  }

  void Finish(size_t index, absl::Status status) {
    checks_[index].status = std::move(status);
    if (open_.fetch_sub(1) == 1) std::move(done_)(std::move(checks_));
  }

  const std::shared_ptr<Routing> routing_;
  const FileReference file_;
  Done<std::vector<PartitionCheck>> done_;
  std::vector<PartitionCheck> checks_;  // each written by one answer
  std::atomic<size_t> open_{0};         // answers to come
};

}  // namespace

void CheckRouted(std::shared_ptr<Routing> routing, FileReference file,
                 Done<std::vector<PartitionCheck>> done) {
  std::make_shared<FileCheck>(std::move(routing), std::move(file), std::move(done))->Start();
}

}  // namespace quire
