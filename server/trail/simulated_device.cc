#include "server/trail/simulated_device.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/error.h"
#include "quire/mutex.h"
#include "server/trail/errors.h"

namespace quire {
namespace {

constexpr uint64_t kSectorBytes = 512;  // what a disc writes whole or not at all

}  // namespace

struct SimulatedMedium::Content {
  struct Trigger {
    int left = 0;  // calls until it strikes; 0: never
    uint64_t seed = 0;
    absl::Status status;
    // Whether this call is the one.
    bool Strikes() { return left > 0 && --left == 0; }
  };

  Mutex mutex;
  std::map<uint64_t, std::string> segments ABSL_GUARDED_BY(mutex);
  std::map<uint64_t, std::string> unfinished ABSL_GUARDED_BY(mutex);  // cut inside Create
  uint64_t capacity_bytes ABSL_GUARDED_BY(mutex) = std::numeric_limits<uint64_t>::max();
  int writes ABSL_GUARDED_BY(mutex) = 0;
  int calls ABSL_GUARDED_BY(mutex) = 0;
  Trigger cut_at_write ABSL_GUARDED_BY(mutex);
  Trigger cut_at_call ABSL_GUARDED_BY(mutex);
  Trigger fail_at_write ABSL_GUARDED_BY(mutex);
  bool cut ABSL_GUARDED_BY(mutex) = false;
  uint64_t generation ABSL_GUARDED_BY(mutex) = 0;  // raised by Heal

  uint64_t UsedBytes() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    uint64_t bytes = 0;
    for (const auto& [number, content] : segments) bytes += content.size();
    return bytes;
  }
  // Whether the changing call under way is cut; `random` then says how much of it is done.
  bool CutsNow(std::mt19937_64* random) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    ++calls;
    if (!cut_at_call.Strikes()) return false;
    random->seed(cut_at_call.seed);
    cut = true;
    return true;
  }
};

namespace {

class SimulatedDevice : public TrailDevice {
 public:
  explicit SimulatedDevice(std::shared_ptr<SimulatedMedium> medium)
      : medium_(std::move(medium)), content_(*medium_->content()) {
    const MutexLock lock(&content_.mutex);
    generation_ = content_.generation;
  }

  absl::StatusOr<std::vector<uint64_t>> List() override;
  absl::Status Create(uint64_t segment, uint64_t bytes) override;
  absl::Status Rename(uint64_t from, uint64_t to) override;
  absl::Status Remove(uint64_t segment) override;
  absl::StatusOr<uint64_t> Size(uint64_t segment) override;
  absl::Status Read(uint64_t segment, uint64_t offset, absl::Span<char> to) override;
  absl::Status WriteDurably(uint64_t segment, uint64_t offset,
                            absl::Span<const char> from) override;
  absl::Status Sync(uint64_t segment) override;

 private:
  bool IsDead() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(content_.mutex) {
    return content_.cut || generation_ != content_.generation;
  }
  // The segment, when `bytes` at `offset` lie inside it; else nullptr.
  std::string* Find(uint64_t segment, uint64_t offset, uint64_t bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(content_.mutex);

  const std::shared_ptr<SimulatedMedium> medium_;
  SimulatedMedium::Content& content_;
  uint64_t generation_ = 0;
};

std::string* SimulatedDevice::Find(uint64_t segment, uint64_t offset, uint64_t bytes) {
  const auto found = content_.segments.find(segment);
  if (found == content_.segments.end()) return nullptr;
  const uint64_t size = found->second.size();
  return offset <= size && bytes <= size - offset ? &found->second : nullptr;
}

absl::StatusOr<std::vector<uint64_t>> SimulatedDevice::List() {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  content_.unfinished.clear();
  std::vector<uint64_t> numbers;
  for (const auto& [number, content] : content_.segments) numbers.push_back(number);
  return numbers;
}

absl::Status SimulatedDevice::Create(uint64_t segment, uint64_t bytes) {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  if (bytes > content_.capacity_bytes - std::min(content_.capacity_bytes, content_.UsedBytes())) {
    return trail_error::NoSpaceForSegment(segment, bytes);
  }
  std::mt19937_64 random;
  if (content_.CutsNow(&random)) {
    const uint64_t part = random() % 3;  // nothing, a half-made one, or all but the answer
    if (part == 1) content_.unfinished.emplace(segment, std::string(bytes / 2, '\0'));
    if (part == 2) content_.segments.emplace(segment, std::string(bytes, '\0'));
    return trail_error::DiscCut();
  }
  const bool is_new = content_.segments.emplace(segment, std::string(bytes, '\0')).second;
  return is_new ? absl::OkStatus() : trail_error::DiscFailed("creation", "segment", EEXIST);
}

absl::Status SimulatedDevice::Rename(uint64_t from, uint64_t to) {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  if (Find(from, 0, 0) == nullptr) return trail_error::OutsideSegment(from, 0, 0);
  if (Find(to, 0, 0) != nullptr) return trail_error::DiscFailed("renaming", "segment", EEXIST);
  std::mt19937_64 random;
  const bool cut = content_.CutsNow(&random);
  if (!cut || random() % 2 == 0) {
    auto node = content_.segments.extract(from);
    node.key() = to;
    content_.segments.insert(std::move(node));
  }
  return cut ? trail_error::DiscCut() : absl::OkStatus();
}

absl::Status SimulatedDevice::Remove(uint64_t segment) {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  if (Find(segment, 0, 0) == nullptr) return trail_error::OutsideSegment(segment, 0, 0);
  std::mt19937_64 random;
  const bool cut = content_.CutsNow(&random);
  if (!cut || random() % 2 == 0) content_.segments.erase(segment);
  return cut ? trail_error::DiscCut() : absl::OkStatus();
}

absl::StatusOr<uint64_t> SimulatedDevice::Size(uint64_t segment) {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  const std::string* found = Find(segment, 0, 0);
  if (found == nullptr) return trail_error::OutsideSegment(segment, 0, 0);
  return found->size();
}

absl::Status SimulatedDevice::Read(uint64_t segment, uint64_t offset, absl::Span<char> to) {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  const std::string* found = Find(segment, offset, to.size());
  if (found == nullptr) return trail_error::OutsideSegment(segment, offset, to.size());
  std::memcpy(to.data(), found->data() + offset, to.size());
  return absl::OkStatus();
}

absl::Status SimulatedDevice::WriteDurably(uint64_t segment, uint64_t offset,
                                           absl::Span<const char> from) {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  std::string* found = Find(segment, offset, from.size());
  if (found == nullptr) return trail_error::OutsideSegment(segment, offset, from.size());
  ++content_.writes;
  std::mt19937_64 random;
  bool cut = content_.CutsNow(&random);
  if (content_.cut_at_write.Strikes() && !cut) {
    random.seed(content_.cut_at_write.seed);
    cut = content_.cut = true;
  }
  if (cut) {
    // Any share of the sectors, from none to all.
    const uint64_t share = random() % 101;
    for (uint64_t at = 0; at < from.size(); at += kSectorBytes) {
      if (random() % 100 >= share) continue;
      const uint64_t bytes = std::min<uint64_t>(kSectorBytes, from.size() - at);
      std::memcpy(found->data() + offset + at, from.data() + at, bytes);
    }
    return trail_error::DiscCut();
  }
  if (content_.fail_at_write.Strikes()) return content_.fail_at_write.status;
  std::memcpy(found->data() + offset, from.data(), from.size());
  return absl::OkStatus();
}

absl::Status SimulatedDevice::Sync(uint64_t segment) {
  const MutexLock lock(&content_.mutex);
  if (IsDead()) return trail_error::DiscCut();
  if (Find(segment, 0, 0) == nullptr) return trail_error::OutsideSegment(segment, 0, 0);
  return absl::OkStatus();
}

}  // namespace

SimulatedMedium::SimulatedMedium() : content_(std::make_unique<Content>()) {}
SimulatedMedium::~SimulatedMedium() = default;

void SimulatedMedium::CutAtWrite(int k, uint64_t seed) {
  const MutexLock lock(&content_->mutex);
  content_->cut_at_write = {.left = k, .seed = seed, .status = {}};
}

void SimulatedMedium::CutAtCall(int k, uint64_t seed) {
  const MutexLock lock(&content_->mutex);
  content_->cut_at_call = {.left = k, .seed = seed, .status = {}};
}

void SimulatedMedium::FailAtWrite(int k, absl::Status status) {
  const MutexLock lock(&content_->mutex);
  content_->fail_at_write = {.left = k, .seed = 0, .status = std::move(status)};
}

void SimulatedMedium::SetCapacity(uint64_t bytes) {
  const MutexLock lock(&content_->mutex);
  content_->capacity_bytes = bytes;
}

int SimulatedMedium::writes() const {
  const MutexLock lock(&content_->mutex);
  return content_->writes;
}

int SimulatedMedium::calls() const {
  const MutexLock lock(&content_->mutex);
  return content_->calls;
}

std::shared_ptr<SimulatedMedium> SimulatedMedium::Copy() const {
  auto copy = std::make_shared<SimulatedMedium>();
  const MutexLock lock(&content_->mutex);
  const MutexLock copy_lock(&copy->content_->mutex);
  copy->content_->segments = content_->segments;
  copy->content_->unfinished = content_->unfinished;
  copy->content_->capacity_bytes = content_->capacity_bytes;
  return copy;
}

bool SimulatedMedium::Damage(uint64_t segment, uint64_t offset) {
  const MutexLock lock(&content_->mutex);
  const auto found = content_->segments.find(segment);
  if (found == content_->segments.end() || offset >= found->second.size()) return false;
  found->second[offset] = static_cast<char>(found->second[offset] ^ 1);
  return true;
}

void SimulatedMedium::Heal() {
  const MutexLock lock(&content_->mutex);
  content_->cut = false;
  content_->cut_at_write.left = 0;
  content_->cut_at_call.left = 0;
  content_->fail_at_write.left = 0;
  ++content_->generation;
}

std::unique_ptr<TrailDevice> OpenSimulatedDevice(std::shared_ptr<SimulatedMedium> medium) {
  return std::make_unique<SimulatedDevice>(std::move(medium));
}

}  // namespace quire
