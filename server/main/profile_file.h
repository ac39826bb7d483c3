// --profile FILE: what the server spends its processor time on, as JSON, written at the end and
// whenever the process gets SIGUSR1. Each writing replaces the file whole, so that a reader who
// asked waits for a higher "writes" (quire-bench profile does).
#ifndef QUIRE_SERVER_MAIN_PROFILE_FILE_H_
#define QUIRE_SERVER_MAIN_PROFILE_FILE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/base/activity_sampler.h"

namespace quire {

class ProfileFile {
 public:
  // Starts sampling and writes the file for the first time; once in a process. 66 when the file
  // cannot be written, 31 when the process cannot be sampled.
  static absl::StatusOr<std::unique_ptr<ProfileFile>> Start(const std::string& path);
  ~ProfileFile();  // writes it for the last time

 private:
  ProfileFile(std::string path, std::unique_ptr<ActivitySampler> sampler);
  absl::Status Write();  // of one thread at a time
  void AnswerSignals();

  const std::string path_;
  const std::unique_ptr<ActivitySampler> sampler_;
  uint64_t writes_ = 0;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_PROFILE_FILE_H_
