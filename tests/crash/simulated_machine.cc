#include "tests/crash/simulated_machine.h"

#include <atomic>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "quire/text.h"

namespace quire::test {

struct SimulatedMachine::State {
  Mutex mutex;  // held through every operation: their order is one
  DiscImage image;
  uint64_t next = 0;
  uint64_t step = 0;
  std::mt19937_64 random ABSL_GUARDED_BY(mutex);
  std::atomic<Moment> operations = 0;
  std::vector<DiscImage> images ABSL_GUARDED_BY(mutex);

  // Does one operation. `cut` does the same on the copied medium, where it is cut.
  template <typename Operation, typename Cut>
  auto Do(const std::string& name, Operation operation, Cut cut) {
    MutexLock lock(&mutex);
    const Moment moment = operations.load(std::memory_order_relaxed);
    if (step != 0 && moment == next) {
      next += step;
      DiscImage left = image.Copy();
      left.moment = moment;
      left.under_way = name;
      left.medium->CutAtCall(1, random());
      cut(*OpenSimulatedDevice(left.medium));
      left.medium->Heal();
      images.push_back(std::move(left));
    }
    auto result = operation();
    operations.store(moment + 1, std::memory_order_release);
    return result;
  }
};

namespace {

using State = std::shared_ptr<SimulatedMachine::State>;

class MachineDevice : public TrailDevice {
 public:
  explicit MachineDevice(State state)
      : state_(std::move(state)), device_(OpenSimulatedDevice(state_->image.medium)) {}

  absl::StatusOr<std::vector<uint64_t>> List() override { return device_->List(); }
  absl::StatusOr<uint64_t> Size(uint64_t segment) override { return device_->Size(segment); }
  absl::Status Read(uint64_t segment, uint64_t offset, absl::Span<char> to) override {
    return device_->Read(segment, offset, to);
  }
  absl::Status Sync(uint64_t segment) override { return device_->Sync(segment); }
  absl::Status Create(uint64_t segment, uint64_t bytes) override {
    return Do(StrCat("making segment ", segment),
              [=](TrailDevice& device) { return device.Create(segment, bytes); });
  }
  absl::Status Rename(uint64_t from, uint64_t to) override {
    return Do(StrCat("renaming segment ", from, " to ", to),
              [=](TrailDevice& device) { return device.Rename(from, to); });
  }
  absl::Status Remove(uint64_t segment) override {
    return Do(StrCat("removing segment ", segment),
              [=](TrailDevice& device) { return device.Remove(segment); });
  }
  absl::Status WriteDurably(uint64_t segment, uint64_t offset,
                            absl::Span<const char> from) override {
    return Do(StrCat("writing ", from.size(), " bytes to segment ", segment),
              [=](TrailDevice& d) { return d.WriteDurably(segment, offset, from); });
  }

 private:
  template <typename Call>
  absl::Status Do(const std::string& name, Call call) {
    return state_->Do(
        name, [&] { return call(*device_); },
        [&](TrailDevice& device) { call(device).IgnoreError(); });
  }

  const State state_;
  const std::unique_ptr<TrailDevice> device_;
};

class MachineStore : public BlockStore {
 public:
  explicit MachineStore(State state)
      : state_(std::move(state)), store_(OpenMemoryStore(state_->image.disc, uint64_t{1} << 30)) {}

  absl::Status ReadBlock(FileId file, BlockNumber block, absl::Span<char> image) override {
    return store_->ReadBlock(file, block, image);
  }
  absl::StatusOr<std::map<FileId, std::string>> ReadLabels() override {
    return store_->ReadLabels();
  }
  absl::StatusOr<std::optional<std::string>> ReadMeta(const std::string& key) override {
    return store_->ReadMeta(key);
  }
  absl::Status RenewSnapshot() override { return store_->RenewSnapshot(); }
  absl::StatusOr<std::unique_ptr<BlockReader>> OpenReader() override {
    return store_->OpenReader();
  }
  absl::StatusOr<CommitResult> Commit(const ControlPoint& control_point) override {
    return state_->Do(
        StrCat("committing ", control_point.blocks.size(), " blocks"),
        [&] { return store_->Commit(control_point); }, [](TrailDevice&) {});
  }
  absl::Status EnsureRoom(uint64_t dirty_blocks, uint64_t dirty_bytes) override {
    return store_->EnsureRoom(dirty_blocks, dirty_bytes);
  }
  StoreStatistics Statistics() const override { return store_->Statistics(); }

 private:
  const State state_;
  const std::unique_ptr<BlockStore> store_;
};

}  // namespace

SimulatedMachine::SimulatedMachine(DiscImage image, uint64_t first, uint64_t step, uint64_t seed)
    : state_(std::make_shared<State>()) {
  state_->image = std::move(image);
  state_->next = first;
  state_->step = step;
  MutexLock lock(&state_->mutex);
  state_->random.seed(seed);
}

SimulatedMachine::~SimulatedMachine() = default;

VolumeOptions SimulatedMachine::Connect(VolumeOptions options) {
  options.open_store = [state = state_]() -> absl::StatusOr<std::unique_ptr<BlockStore>> {
    return std::make_unique<MachineStore>(state);
  };
  options.open_trail_device = [state = state_]() -> absl::StatusOr<std::unique_ptr<TrailDevice>> {
    return std::make_unique<MachineDevice>(state);
  };
  return options;
}

Moment SimulatedMachine::now() const {
  return state_->operations.load(std::memory_order_acquire);
}

std::vector<DiscImage> SimulatedMachine::TakeImages() {
  MutexLock lock(&state_->mutex);
  return std::exchange(state_->images, {});
}

}  // namespace quire::test
