// Quire over gRPC: a volume server of its own for every store, on loopback.
#include <limits>
#include <utility>

#include "client/bench/peers/quire_store.h"
#include "client/bench/process_figures.h"
#include "client/bench/server_fleet.h"
#include "client/transport/grpc_stub.h"
#include "quire/error.h"
#include "quire/mutex.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kNever = std::numeric_limits<size_t>::max();

// A store whose server ends after it.
class ServedStore : public PeerStore {
 public:
  ServedStore(std::unique_ptr<ServerFleet> fleet, std::unique_ptr<QuireStore> store)
      : fleet_(std::move(fleet)), store_(std::move(store)) {}
  absl::Status Write(RecordView record) override { return store_->Write(record); }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    return store_->WriteGroup(records);
  }
  absl::Status Update(RecordView record) override { return store_->Update(record); }
  absl::Status Settle() override { return store_->Settle(); }
  absl::Status Read(std::string_view key, std::string* record) override {
    return store_->Read(key, record);
  }
  absl::Status ReadGroup(const std::vector<std::string>& keys,
                         absl::FunctionRef<void(RecordView)> visit) override {
    return store_->ReadGroup(keys, visit);
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    return store_->Scan(start, limit, visit);
  }
  absl::Status Close() override {
    const absl::Status closed = store_->Close();
    store_.reset();
    const absl::Status stopped = fleet_->Stop();
    return closed.ok() ? stopped : closed;
  }

 protected:
  const FileName& name() const { return store_->name(); }

 private:
  std::unique_ptr<ServerFleet> fleet_;
  std::unique_ptr<QuireStore> store_;
};

// Single calls, one after the other.
class UnaryStore : public ServedStore {
 public:
  UnaryStore(std::shared_ptr<Service> service, std::unique_ptr<ServerFleet> fleet,
             std::unique_ptr<QuireStore> store)
      : ServedStore(std::move(fleet), std::move(store)), service_(std::move(service)) {}

  absl::Status Write(RecordView record) override {
    Operation write;
    write.kind = OperationKind::kWrite;
    write.record = record;
    return Execute(write).status();
  }
  absl::Status Update(RecordView record) override {
    Operation update;
    update.kind = OperationKind::kUpdate;
    update.record = record;
    return Execute(update).status();
  }
  absl::Status Read(std::string_view key, std::string* record) override {
    Operation read;
    read.key = key;
    const absl::StatusOr<BatchResult> result = Execute(read);
    if (!result.ok()) return result.status();
    record->assign(result->record(0));
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<BatchResult> Execute(const Operation& operation) {
    UnaryRequest request;
    request.file.name = name();
    request.file.client_name = "quire-bench";
    request.operation.caller_waits = true;
    request.operation.Add(operation);
    absl::StatusOr<BatchResult> answer;
    Notification answered;
    service_->Execute(std::move(request), [&](absl::StatusOr<BatchResult> result) {
      answer = std::move(result);
      answered.Notify();
    });
    answered.Wait();
    if (answer.ok() && !answer->results.at(0).status.ok()) return answer->results[0].status;
    return answer;
  }

  const std::shared_ptr<Service> service_;
};

// The sampler of the server of the store that is open; one at a time.
std::unique_ptr<MemorySampler>* ServerSampler() {
  static auto* sampler = new std::unique_ptr<MemorySampler>();
  return sampler;
}

uint64_t ServerMemory() {
  if (*ServerSampler() == nullptr) return 0;
  const uint64_t peak = (*ServerSampler())->Finish();
  ServerSampler()->reset();
  return peak;
}

struct Served {
  std::string address;
  std::unique_ptr<ServerFleet> fleet;
  std::unique_ptr<QuireStore> store;
};

absl::StatusOr<Served> Serve(const PeerOpen& open, DurableMode mode, size_t load_from) {
  FleetOptions options;
  options.program = ProgramBeside("quire-volume");
  options.directory = open.directory;
  options.volumes = {kBenchVolume};
  options.cache_bytes = kBenchCacheBytes;
  options.dirty_limit_bytes = kBenchDirtyLimitBytes;
  options.arguments = {StrCat("--control-point-target-ms=", kBenchControlPointTargetMs)};
  Served served;
  absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options);
  if (!fleet.ok()) return fleet.status();
  served.fleet = *std::move(fleet);
  served.address = served.fleet->addresses().begin()->second;
  *ServerSampler() = std::make_unique<MemorySampler>(served.fleet->pids());
  absl::StatusOr<std::unique_ptr<FileSystem>> system =
      FileSystem::Connect({.volumes = served.fleet->addresses(), .client_name = "quire-bench"});
  if (!system.ok()) return system.status();
  absl::StatusOr<std::unique_ptr<QuireStore>> store = QuireStore::Make(
      *std::move(system),
      {.durability = open.durability, .durable_mode = mode, .load_from = load_from});
  if (!store.ok()) return store.status();
  served.store = *std::move(store);
  return served;
}

absl::StatusOr<std::unique_ptr<PeerStore>> OpenServed(const PeerOpen& open, DurableMode mode,
                                                      size_t load_from) {
  absl::StatusOr<Served> served = Serve(open, mode, load_from);
  if (!served.ok()) return served.status();
  return std::make_unique<ServedStore>(std::move(served->fleet), std::move(served->store));
}

absl::StatusOr<std::unique_ptr<PeerStore>> OpenUnary(const PeerOpen& open) {
  absl::StatusOr<Served> served = Serve(open, DurableMode::kAudit, /*load_from=*/0);
  if (!served.ok()) return served.status();
  return std::make_unique<UnaryStore>(MakeGrpcStub({.address = served->address}),
                                      std::move(served->fleet), std::move(served->store));
}

Peer NetworkPeer(std::string name, std::string settings, std::vector<Work> works) {
  Peer peer;
  peer.name = std::move(name);
  peer.settings = std::move(settings);
  peer.ours = true;
  peer.over_network = true;
  peer.data_bytes = [](const PeerOpen& open) { return VolumeDataBytes(open.directory); };
  peer.server_memory = ServerMemory;
  peer.works = std::move(works);
  return peer;
}

}  // namespace

std::vector<Peer> QuireNetworkPeers() {
  Peer session =
      NetworkPeer(kQuireSession,
                  "a volume server on loopback with the same memory; one session, groups "
                  "pipelined in batches of 64, scans by Scan",
                  {});
  session.open = [](const PeerOpen& open) { return OpenServed(open, DurableMode::kAudit, kNever); };
  Peer through = NetworkPeer("quire session, write-through", "the same, durable work NO BUFFERED",
                             {Work::kDurable, Work::kGroup});
  through.open = [](const PeerOpen& open) {
    return OpenServed(open, DurableMode::kWriteThrough, kNever);
  };
  Peer unary = NetworkPeer(kQuireUnary, "single calls, the next after the reply",
                           {Work::kDurable, Work::kRead});
  unary.open = OpenUnary;
  Peer load =
      NetworkPeer(kQuireLoad, "the Load call",
                  {Work::kLoadAscending, Work::kLoadRuns, Work::kLoadShuffled, Work::kLoadDurable});
  load.open = [](const PeerOpen& open) {
    return OpenServed(open, DurableMode::kAudit, /*load_from=*/0);
  };
  return {std::move(session), std::move(through), std::move(unary), std::move(load)};
}

}  // namespace bench
}  // namespace quire
