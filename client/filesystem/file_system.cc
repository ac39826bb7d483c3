#include "client/filesystem/file_system.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "client/filesystem/await.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/open_file.h"
#include "client/filesystem/router_service.h"
#include "client/transport/grpc_stub.h"
#include "quire/filesystem.h"
#include "quire/text.h"

namespace quire {
namespace {

// Blocking calls over one Service, which is a router's stub or the routing code in this process.
class ServiceFileSystem : public FileSystem {
 public:
  ServiceFileSystem(std::shared_ptr<Service> service, std::string client_name,
                    std::optional<ResumePolicy> resume)
      : service_(std::move(service)),
        client_name_(std::move(client_name)),
        resume_(std::move(resume)) {}

  absl::StatusOr<FileInfo> Create(const FileName& name, const FileAttributes& attributes) override {
    CreateRequest request;
    request.name = name;
    request.attributes = attributes;
    return Await<absl::StatusOr<FileInfo>>(
        [&](auto done) { service_->Create(std::move(request), std::move(done)); });
  }

  absl::StatusOr<FileDescription> Info(const FileName& name) override {
    return Await<absl::StatusOr<FileDescription>>(
        [&](auto done) { service_->Info(Reference(name), std::move(done)); });
  }

  absl::Status Alter(const FileName& name, const Changes& changes) override {
    AlterRequest request;
    request.file = Reference(name);
    request.buffered = changes.buffered;
    request.audit = changes.audit;
    request.max_extents = changes.max_extents;
    request.lookaside = changes.lookaside;
    return Await<absl::Status>(
        [&](auto done) { service_->Alter(std::move(request), std::move(done)); });
  }

  absl::Status Purge(const FileName& name) override {
    PurgeRequest request;
    request.file = Reference(name);
    return Await<absl::Status>(
        [&](auto done) { service_->Purge(std::move(request), std::move(done)); });
  }

  absl::StatusOr<std::vector<FileInfo>> List(const FileName& fileset, bool pending) override {
    std::vector<FileInfo> files;
    std::string page_token;
    do {
      ListRequest request;
      request.fileset = fileset;
      request.pending = pending;
      request.page_token = std::move(page_token);
      absl::StatusOr<ListPage> page = Await<absl::StatusOr<ListPage>>(
          [&](auto done) { service_->List(std::move(request), std::move(done)); });
      if (!page.ok()) return page.status();
      std::copy_if(std::make_move_iterator(page->files.begin()),
                   std::make_move_iterator(page->files.end()), std::back_inserter(files),
                   [&](const FileInfo& info) { return info.pending == pending; });
      page_token = std::move(page->next_page_token);
    } while (!page_token.empty());
    std::sort(files.begin(), files.end(),
              [](const FileInfo& a, const FileInfo& b) { return a.name < b.name; });
    return files;
  }

  absl::StatusOr<std::vector<std::string>> Volumes() override {
    return Await<absl::StatusOr<std::vector<std::string>>>(
        [&](auto done) { service_->Volumes(std::move(done)); });
  }

  absl::StatusOr<RefreshAnswer> Refresh(const std::string& volume) override {
    return Await<absl::StatusOr<RefreshAnswer>>(
        [&](auto done) { service_->Refresh(volume, std::move(done)); });
  }

  absl::StatusOr<BackupAnswer> Backup(const std::string& volume,
                                      const std::string& directory) override {
    return Await<absl::StatusOr<BackupAnswer>>([&](auto done) {
      service_->Backup({volume, directory}, std::move(done));
    });
  }

  absl::StatusOr<MeasureSnapshot> Snapshot(const std::string& volume) override {
    return Await<absl::StatusOr<MeasureSnapshot>>(
        [&](auto done) { service_->Snapshot(SnapshotRequest{volume}, std::move(done)); });
  }

  absl::StatusOr<std::vector<OpenInfo>> ListOpens(const FileName& name) override {
    std::vector<OpenInfo> opens;
    ListOpensRequest request;
    request.file = Reference(name);
    do {
      absl::StatusOr<ListOpensPage> page = Await<absl::StatusOr<ListOpensPage>>(
          [&](auto done) { service_->ListOpens(request, std::move(done)); });
      if (!page.ok()) return page.status();
      std::move(page->opens.begin(), page->opens.end(), std::back_inserter(opens));
      request.page_token = std::move(page->next_page_token);
    } while (!request.page_token.empty());
    return opens;
  }

  absl::StatusOr<std::vector<LockInfo>> ListLocks(const FileName& name,
                                                  bool granted_only) override {
    std::vector<LockInfo> locks;
    ListLocksRequest request;
    request.file = Reference(name);
    request.granted_only = granted_only;
    do {
      absl::StatusOr<ListLocksPage> page = Await<absl::StatusOr<ListLocksPage>>(
          [&](auto done) { service_->ListLocks(request, std::move(done)); });
      if (!page.ok()) return page.status();
      std::move(page->locks.begin(), page->locks.end(), std::back_inserter(locks));
      request.page_token = std::move(page->next_page_token);
    } while (!request.page_token.empty());
    return locks;
  }

  absl::StatusOr<std::vector<PartitionCheck>> Check(const FileName& name) override {
    return Await<absl::StatusOr<std::vector<PartitionCheck>>>(
        [&](auto done) { service_->Check(Reference(name), std::move(done)); });
  }

  absl::StatusOr<std::unique_ptr<File>> Open(const FileName& name,
                                             const FileOpenOptions& options) override {
    return OpenFile(service_, name, client_name_, options, resume_);
  }

 private:
  FileReference Reference(const FileName& name) const {
    FileReference file;
    file.name = name;
    file.client_name = client_name_;
    return file;
  }

  const std::shared_ptr<Service> service_;
  const std::string client_name_;
  const std::optional<ResumePolicy> resume_;
};

std::shared_ptr<Service> StubOf(const std::string& address, const ConnectOptions& options) {
  GrpcStubOptions stub;
  stub.address = address;
  stub.client_name = options.client_name;
  return MakeGrpcStub(std::move(stub));
}

absl::StatusOr<std::unique_ptr<FileSystem>> ConnectRouter(const ConnectOptions& options) {
  std::shared_ptr<Service> router = StubOf(options.router, options);
  // A wrong address shows now, not at the first file.
  Awaited<absl::StatusOr<std::vector<std::string>>> volumes;
  router->Volumes(volumes.Callback());
  const auto answer = volumes.TakeWithin(options.connect_timeout);
  if (!answer) return filesystem_errors::RouterSilent(options.router, "no answer in time");
  if (!answer->ok()) {
    return filesystem_errors::RouterSilent(options.router, ToStd(answer->status().message()));
  }
  return MakeFileSystem(std::move(router), options.client_name,
                        ResumePolicy{options.retry_time, MakeThreadTimer()});
}

}  // namespace

std::unique_ptr<FileSystem> MakeFileSystem(std::shared_ptr<Service> service,
                                           std::string client_name,
                                           std::optional<ResumePolicy> resume) {
  return std::make_unique<ServiceFileSystem>(std::move(service), std::move(client_name),
                                             std::move(resume));
}

absl::StatusOr<std::unique_ptr<FileSystem>> FileSystem::Connect(const ConnectOptions& options) {
  if (options.router.empty() == options.volumes.empty()) {
    return filesystem_errors::OneOfRouterAndVolumes();
  }
  if (!options.router.empty()) return ConnectRouter(options);
  std::map<std::string, std::shared_ptr<Service>> volumes;
  for (const auto& [text, address] : options.volumes) {
    absl::StatusOr<std::string> volume = ParseVolumeName(text);
    if (!volume.ok()) return volume.status();
    volumes.emplace(*std::move(volume), StubOf(address, options));
  }
  // Volumes that are down now may come up later, and must not hinder the others.
  return MakeFileSystem(
      MakeRouterService(std::move(volumes), RoutingOptions{options.retry_time, nullptr}),
      options.client_name);
}

std::unique_ptr<FileSystem> FileSystem::Over(
    std::map<std::string, std::shared_ptr<Service>> volumes, std::string client_name) {
  return MakeFileSystem(MakeRouterService(std::move(volumes)), std::move(client_name));
}

absl::StatusOr<std::unique_ptr<File>> FileSystem::Open(std::string_view name,
                                                       const FileOpenOptions& options) {
  absl::StatusOr<FileName> parsed = ParseFileName(name);
  if (!parsed.ok()) return parsed.status();
  return Open(*parsed, options);
}

}  // namespace quire
