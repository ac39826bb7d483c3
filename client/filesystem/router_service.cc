#include "client/filesystem/router_service.h"

#include <utility>

#include "client/filesystem/change_file.h"
#include "client/filesystem/check_file.h"
#include "client/filesystem/create_file.h"
#include "client/filesystem/describe_file.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/list_files.h"
#include "client/filesystem/list_locks.h"
#include "client/filesystem/partitioned_load.h"
#include "client/filesystem/partitioned_scan.h"
#include "client/filesystem/partitioned_session.h"
#include "client/filesystem/routing_owner.h"
#include "client/filesystem/unary_call.h"

namespace quire {
namespace {

class RouterService : public Service {
 public:
  RouterService(std::map<std::string, std::shared_ptr<Service>> volumes, RoutingOptions options)
      : routing_(std::move(volumes), std::move(options)) {}

  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override {
    return OpenPartitioned(routing_.get(), std::move(request), std::move(events));
  }
  void Execute(UnaryRequest request, Done<BatchResult> done) override {
    ExecuteRouted(routing_.get(), std::move(request), std::move(done));
  }
  std::unique_ptr<ScanStream> Scan(ScanRequest request) override {
    return ScanPartitions(routing_.get(), std::move(request));
  }
  std::unique_ptr<LoadStream> Load(LoadRequest request) override {
    return LoadPartitions(routing_.get(), std::move(request));
  }

  void Create(CreateRequest request, Done<FileInfo> done) override {
    Run<absl::StatusOr<FileInfo>>(std::move(done), [request](const VolumeSet& volumes) {
      return CreateFile(volumes, request);
    });
  }
  void Info(FileReference file, Done<FileDescription> done) override {
    Run<absl::StatusOr<FileDescription>>(
        std::move(done), [file](const VolumeSet& volumes) { return DescribeFile(volumes, file); });
  }
  void Alter(AlterRequest request, DoneStatus done) override {
    Run<absl::Status>(std::move(done),
                      [request](const VolumeSet& volumes) { return AlterFile(volumes, request); });
  }
  void Purge(PurgeRequest request, DoneStatus done) override {
    if (Label known = routing_.get()->labels().Find(request.file.name, 0)) {
      routing_.get()->labels().Forget(request.file.name, known->create_id);
    }
    Run<absl::Status>(std::move(done),
                      [request](const VolumeSet& volumes) { return PurgeFile(volumes, request); });
  }
  void List(ListRequest request, Done<ListPage> done) override {
    Run<absl::StatusOr<ListPage>>(std::move(done), [request](const VolumeSet& volumes) {
      return ListFiles(volumes, request);
    });
  }
  // Every open of a file is open at its primary.
  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override {
    const std::string name = request.file.name.volume;
    const absl::StatusOr<std::shared_ptr<Service>> volume = routing_.get()->volumes().Find(name);
    if (!volume.ok()) {
      std::move(done)(volume.status());
      return;
    }
    (*volume)->ListOpens(std::move(request), [name, done = std::move(done)](
                                                 absl::StatusOr<ListOpensPage> page) mutable {
      if (!page.ok()) page = filesystem_errors::AsReadFailure(page.status(), name);
      std::move(done)(std::move(page));
    });
  }
  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override {
    ListLocksRouted(routing_.get(), std::move(request), std::move(done));
  }
  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override {
    CheckRouted(routing_.get(), std::move(file), std::move(done));
  }
  void Volumes(Done<std::vector<std::string>> done) override {
    std::move(done)(routing_.get()->volumes().Names());
  }
  void Refresh(std::string volume, Done<RefreshAnswer> done) override {
    routing_.get()->labels().ForgetFrozen(volume);
    Run<absl::StatusOr<RefreshAnswer>>(std::move(done), [volume](const VolumeSet& volumes) {
      return RefreshVolumes(volumes, volume);
    });
  }
  // One volume's own affair: the answer comes when its copy is done, which may be long.
  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    const std::string name = request.volume;
    const absl::StatusOr<std::shared_ptr<Service>> volume = routing_.get()->volumes().Find(name);
    if (!volume.ok()) {
      std::move(done)(volume.status());
      return;
    }
    (*volume)->Backup(std::move(request),
                      [name, done = std::move(done)](absl::StatusOr<BackupAnswer> answer) mutable {
                        if (!answer.ok())
                          answer = filesystem_errors::AsReadFailure(answer.status(), name);
                        std::move(done)(std::move(answer));
                      });
  }
  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override {
    Run<absl::StatusOr<MeasureSnapshot>>(std::move(done), [request](const VolumeSet& volumes) {
      return SnapshotVolumes(volumes, request);
    });
  }

 private:
  // Runs `call` on a worker thread and hands its answer to `done`.
  template <typename Answer, typename Callback, typename Call>
  void Run(Callback done, Call call) {
    auto shared_done = std::make_shared<Callback>(std::move(done));
    WorkerPool::Task task = [routing = routing_.get(), shared_done, call = std::move(call)] {
      std::move (*shared_done)(call(routing->volumes()));
    };
    if (!routing_.get()->workers().Post(task)) {
      std::move (*shared_done)(Answer(filesystem_errors::ShuttingDown()));
    }
  }

  const RoutingOwner routing_;
};

}  // namespace

std::shared_ptr<Service> MakeRouterService(std::map<std::string, std::shared_ptr<Service>> volumes,
                                           RoutingOptions options) {
  return std::make_shared<RouterService>(std::move(volumes), std::move(options));
}

}  // namespace quire
