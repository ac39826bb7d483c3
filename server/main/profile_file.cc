#include "server/main/profile_file.h"

#include <semaphore.h>
#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "server/base/check.h"
#include "spdlog/spdlog.h"

namespace quire {
namespace {

// Of the whole process, as the signal is.
sem_t asked;

void Ask(int) {
  sem_post(&asked);
}

void AnswerAt(int signal) {
  struct sigaction action = {};
  action.sa_handler = Ask;
  action.sa_flags = SA_RESTART;
  QUIRE_CHECK(sigaction(signal, &action, nullptr) == 0);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProfileFile>> ProfileFile::Start(const std::string& path) {
  std::unique_ptr<ActivitySampler> sampler = ActivitySampler::Start();
  if (sampler == nullptr) {
    return MakeError(ErrorNumber::kNoBufferSpace,
                     "--profile: the kernel has no timers for it; raise RLIMIT_SIGPENDING");
  }
  std::unique_ptr<ProfileFile> file(new ProfileFile(path, std::move(sampler)));
  if (absl::Status written = file->Write(); !written.ok()) return written;
  QUIRE_CHECK(sem_init(&asked, 0, 0) == 0);
  AnswerAt(SIGUSR1);
  file->thread_ = std::thread([profile = file.get()] { profile->AnswerSignals(); });
  return file;
}

ProfileFile::ProfileFile(std::string path, std::unique_ptr<ActivitySampler> sampler)
    : path_(std::move(path)), sampler_(std::move(sampler)) {}

ProfileFile::~ProfileFile() {
  if (!thread_.joinable()) return;  // could not even begin
  ending_ = true;
  sem_post(&asked);
  thread_.join();
  if (absl::Status written = Write(); !written.ok()) spdlog::error("{}", Describe(written));
}

void ProfileFile::AnswerSignals() {
  for (;;) {
    while (sem_wait(&asked) != 0) QUIRE_CHECK(errno == EINTR);
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
