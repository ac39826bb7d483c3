#include "server/base/durable_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"

namespace quire {
namespace {

constexpr size_t kStepBytes = size_t{1} << 20;
constexpr mode_t kFileMode = 0640;

int OpenPath(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = open(path.c_str(), flags | O_CLOEXEC, kFileMode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Gives the file's bytes step by step until `take` answers an errno.
int ReadSteps(const std::string& path, absl::FunctionRef<int(std::string_view)> take) {
  const int descriptor = OpenPath(path, O_RDONLY);
  if (descriptor < 0) return errno;
  std::vector<char> step(kStepBytes);
  int result = 0;
  while (result == 0) {
    const ssize_t got = read(descriptor, step.data(), step.size());
    if (got == 0) break;
    if (got > 0) {
      result = take({step.data(), static_cast<size_t>(got)});
    } else if (errno != EINTR) {
      result = errno;
    }
  }
  close(descriptor);
  return result;
}

}  // namespace

struct DurableFile::Hash {
  Hash() { XXH3_64bits_reset(state); }
  ~Hash() { XXH3_freeState(state); }
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;
  XXH3_state_t* const state = XXH3_createState();
};

DurableFile::DurableFile(std::string path)
    : path_(std::move(path)), hash_(std::make_unique<Hash>()) {}

DurableFile::~DurableFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(unfinished().c_str());
}

int DurableFile::Open() {
  descriptor_ = OpenPath(unfinished(), O_WRONLY | O_CREAT | O_TRUNC);
  return descriptor_ < 0 ? errno : 0;
}

int DurableFile::Append(std::string_view bytes) {
  XXH3_64bits_update(hash_->state, bytes.data(), bytes.size());
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (written == 0) return EIO;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

int DurableFile::Finish() {
  if (fsync(descriptor_) != 0) return errno;
  if (std::rename(unfinished().c_str(), path_.c_str()) != 0) return errno;
  close(std::exchange(descriptor_, -1));
  return SyncPath(ParentOf(path_));
}

FileSum DurableFile::sum() const {
  return {bytes_, XXH3_64bits_digest(hash_->state)};
}

int SumFile(const std::string& path, FileSum* sum) {
  XXH3_state_t* const state = XXH3_createState();
  XXH3_64bits_reset(state);
  uint64_t bytes = 0;
  const int result = ReadSteps(path, [&](std::string_view step) {
    XXH3_64bits_update(state, step.data(), step.size());
    bytes += step.size();
    return 0;
  });
  *sum = {bytes, XXH3_64bits_digest(state)};
  XXH3_freeState(state);
  return result;
}

int CopyDurably(const std::string& from, const std::string& to, FileSum* sum) {
  DurableFile copy(to);
  int result = copy.Open();
  if (result == 0) {
    result = ReadSteps(from, [&](std::string_view step) { return copy.Append(step); });
  }
  if (result == 0) result = copy.Finish();
  if (sum != nullptr) *sum = copy.sum();
  return result;
}

int SyncPath(const std::string& path) {
  const int descriptor = OpenPath(path, O_RDONLY);
  if (descriptor < 0) return errno;
  const int result = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  return result;
}

}  // namespace quire
