#include "server/cache/lookaside.h"

#include <chrono>

namespace quire {
namespace {

constexpr uint32_t kMemoryPageBytes = 4096;

int64_t SteadyNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// What a cached fetch costs includes having its memory: one byte of each page is read, for the
// machine may have put it elsewhere.
void TouchPages(absl::Span<const char> image) {
  for (size_t at = 0; at < image.size(); at += kMemoryPageBytes) {
    [[maybe_unused]] const volatile char touched = image[at];
  }
}

}  // namespace

int64_t DataKeeping::Now() const {
  return options_.nanoseconds ? options_.nanoseconds() : SteadyNanoseconds();
}

bool DataKeeping::Keeping(const KeepPolicy& policy) const {
  if (options_.data_keeping == KeepData::kMeasured) return policy.keeping();
  return options_.data_keeping == KeepData::kAlways;
}

DataKeeping::Fetch DataKeeping::Begin(uint32_t image_bytes, BlockUse use) {
  Fetch fetch;
  fetch.policy = &policies_[image_bytes];
  fetch.counted = use == BlockUse::kData && options_.data_keeping == KeepData::kMeasured;
  fetch.keep = Keeping(*fetch.policy);
  return fetch;
}

DataKeeping::Fetch DataKeeping::BeginHit(uint32_t image_bytes, BlockUse use) {
  Fetch fetch = Begin(image_bytes, use);
  fetch.sampled = fetch.counted && fetch.policy->SampleHit();
  if (fetch.sampled) fetch.started_ns = Now();
  return fetch;
}

void DataKeeping::Hit(Fetch& fetch, absl::Span<const char> image) {
  if (options_.before_cached_use) options_.before_cached_use(image);
  if (fetch.sampled) {
    TouchPages(image);
    const int64_t cost_ns = Now() - fetch.started_ns;
    fetch.policy->AddSample(FetchKind::kCached, cost_ns);
    ++figures_.cached_samples;
    figures_.cached_sample_ns += cost_ns;
    if (fetch.policy->LetGo()) fetch.keep = false;
  }
  if (fetch.counted) fetch.policy->Count(/*hit=*/true, /*evicting=*/false);
}

DataKeeping::Fetch DataKeeping::BeginMiss(uint32_t image_bytes, BlockUse use) {
  Fetch fetch = Begin(image_bytes, use);
  if (!fetch.counted) return fetch;
  fetch.sampled = fetch.policy->SampleMiss();
  fetch.keep = fetch.policy->KeepMiss(fetch.sampled);
  if (fetch.sampled) fetch.started_ns = Now();
  return fetch;
}

void DataKeeping::Missed(const Fetch& fetch, bool evicting) {
  if (fetch.sampled) {
    const int64_t cost_ns = Now() - fetch.started_ns;
    fetch.policy->AddSample(fetch.keep ? FetchKind::kKept : FetchKind::kBypassed, cost_ns);
    ++figures_.store_samples;
    figures_.store_sample_ns += cost_ns;
  }
  if (fetch.counted) fetch.policy->Count(/*hit=*/false, evicting);
  (fetch.keep ? figures_.kept : figures_.bypassed) += 1;
}

LookasideFigures DataKeeping::Figures() const {
  LookasideFigures figures = figures_;
  for (const auto& [image_bytes, policy] : policies_) figures.decisions += policy.decisions();
  return figures;
}

}  // namespace quire
