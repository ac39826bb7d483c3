#include "tests/unit/volume/gated_device.h"

#include <utility>

namespace quire::test {
namespace {

class GatedDevice : public TrailDevice {
 public:
  GatedDevice(std::unique_ptr<TrailDevice> device, std::shared_ptr<Gate> gate)
      : device_(std::move(device)), gate_(std::move(gate)) {}

  absl::StatusOr<std::vector<uint64_t>> List() override { return device_->List(); }
  absl::Status Create(uint64_t segment, uint64_t bytes) override {
    return device_->Create(segment, bytes);
  }
  absl::Status Rename(uint64_t from, uint64_t to) override { return device_->Rename(from, to); }
  absl::Status Remove(uint64_t segment) override { return device_->Remove(segment); }
  absl::StatusOr<uint64_t> Size(uint64_t segment) override { return device_->Size(segment); }
  absl::Status Read(uint64_t segment, uint64_t offset, absl::Span<char> to) override {
    return device_->Read(segment, offset, to);
  }
  absl::Status WriteDurably(uint64_t segment, uint64_t offset,
                            absl::Span<const char> from) override {
    gate_->Pass();
    return device_->WriteDurably(segment, offset, from);
  }
  absl::Status Sync(uint64_t segment) override { return device_->Sync(segment); }

 private:
  std::unique_ptr<TrailDevice> device_;
  std::shared_ptr<Gate> gate_;
};

}  // namespace

void Gate::Close() {
  MutexLock lock(&mutex_);
  open_ = false;
}

void Gate::Open() {
  MutexLock lock(&mutex_);
  open_ = true;
  changed_.SignalAll();
}

void Gate::Pass() {
  MutexLock lock(&mutex_);
  ++waiting_;
  changed_.SignalAll();
  while (!open_) changed_.Wait(&mutex_);
  --waiting_;
}

void Gate::AwaitArrival() {
  MutexLock lock(&mutex_);
  while (waiting_ == 0) changed_.Wait(&mutex_);
}

std::unique_ptr<TrailDevice> WrapWithGate(std::unique_ptr<TrailDevice> device,
                                          std::shared_ptr<Gate> gate) {
  return std::make_unique<GatedDevice>(std::move(device), std::move(gate));
}

}  // namespace quire::test
