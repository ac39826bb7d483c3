#include "client/bench/profile/profile_source.h"

#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/bench/errors.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr absl::Duration kAnswerTimeout = absl::Seconds(10);
constexpr absl::Duration kLookInterval = absl::Microseconds(500);

absl::StatusOr<ProfileText> ReadProfile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return ParseProfile(text.str());
}

class OfServer final : public ProfileSource {
 public:
  OfServer(pid_t pid, std::string path) : pid_(pid), path_(std::move(path)) {}

  absl::StatusOr<ActivitySamples> Take() override {
    const absl::StatusOr<ProfileText> before = ReadProfile(path_);
    if (!before.ok()) return before.status();
    if (kill(pid_, SIGUSR1) != 0) return NoProfile(path_, "its server has ended");
    const absl::Time deadline = absl::Now() + kAnswerTimeout;
    for (;;) {
      absl::StatusOr<ProfileText> now = ReadProfile(path_);
      if (!now.ok()) return now.status();
      if (now->writes > before->writes) return now->samples;
      if (absl::Now() >= deadline) return NoProfile(path_, "its server does not write it");
      absl::SleepFor(kLookInterval);
    }
  }

 private:
  const pid_t pid_;
  const std::string path_;
};

class OfThisProcess final : public ProfileSource {
 public:
  explicit OfThisProcess(std::unique_ptr<ActivitySampler> sampler) : sampler_(std::move(sampler)) {}
  absl::StatusOr<ActivitySamples> Take() override { return sampler_->Take(); }

 private:
  const std::unique_ptr<ActivitySampler> sampler_;
};

}  // namespace

absl::StatusOr<ProfileText> ParseProfile(std::string_view json) {
  const nlohmann::json file = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  ProfileText text;
  try {
    text.writes = file.at("writes").get<uint64_t>();
    const nlohmann::json& profile = file.at("profile");
    text.samples.user_s = profile.at("user_s").get<double>();
    text.samples.kernel_s = profile.at("kernel_s").get<double>();
    for (size_t i = 0; i < kActivities; ++i) {
      text.samples.counts[i] =
          profile.at("samples").at(std::string(kActivityNames[i])).get<uint64_t>();
    }
  } catch (const nlohmann::json::exception& wrong) {
    return DamagedProfile(wrong.what());
  }
  return text;
}

std::unique_ptr<ProfileSource> ServerProfile(pid_t pid, std::string path) {
  return std::make_unique<OfServer>(pid, std::move(path));
}

std::unique_ptr<ProfileSource> OwnProfile() {
  std::unique_ptr<ActivitySampler> sampler = ActivitySampler::Start();
  if (sampler == nullptr) return nullptr;
  return std::make_unique<OfThisProcess>(std::move(sampler));
}

}  // namespace bench
}  // namespace quire
