#include "server/main/profile_file.h"

#include <pthread.h>
#include <signal.h>

#include <cstdio>
#include <fstream>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "server/base/check.h"
#include "spdlog/spdlog.h"

namespace quire {
namespace {

sigset_t Asking() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  return signals;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProfileFile>> ProfileFile::Start(const std::string& path) {
  const sigset_t signals = Asking();
  QUIRE_CHECK(pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0);
  std::unique_ptr<ActivitySampler> sampler = ActivitySampler::Start();
  if (sampler == nullptr) {
    return MakeError(ErrorNumber::kNoBufferSpace,
                     "--profile: the kernel has no timers for it; raise RLIMIT_SIGPENDING");
  }
  std::unique_ptr<ProfileFile> file(new ProfileFile(path, std::move(sampler)));
  if (absl::Status written = file->Write(); !written.ok()) return written;
  file->thread_ = std::thread([profile = file.get()] { profile->AnswerSignals(); });
  return file;
}

ProfileFile::ProfileFile(std::string path, std::unique_ptr<ActivitySampler> sampler)
    : path_(std::move(path)), sampler_(std::move(sampler)) {}

ProfileFile::~ProfileFile() {
  if (!thread_.joinable()) return;  // could not even begin
  ending_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
  if (absl::Status written = Write(); !written.ok()) spdlog::error("{}", Describe(written));
}

void ProfileFile::AnswerSignals() {
  const sigset_t signals = Asking();
  for (;;) {
    int signal = 0;
    QUIRE_CHECK(sigwait(&signals, &signal) == 0);
    if (ending_) return;
    if (absl::Status written = Write(); !written.ok()) spdlog::error("{}", Describe(written));
  }
}

absl::Status ProfileFile::Write() {
  const std::string fresh = StrCat(path_, ".new");
  {
    std::ofstream file(fresh);
    file << "{\"writes\": " << ++writes_ << ", \"profile\": " << ActivityJson(sampler_->Take())
         << "}\n";
    file.close();
    if (!file) {
      return MakeError(ErrorNumber::kVolumeDown,
                       StrCat("cannot write the profile ", path_, "; check its folder"));
    }
  }
  if (std::rename(fresh.c_str(), path_.c_str()) == 0) return absl::OkStatus();
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("cannot put the profile ", path_, " in its place; check its folder"));
}

}  // namespace quire
