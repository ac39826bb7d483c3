#include "client/bench/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/time/clock.h"
#include "client/bench/errors.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// In the child, between fork and exec: only async-signal-safe calls. Reports errno through
// `report` when exec fails; the pipe closes by itself when it succeeds.
[[noreturn]] void BecomeProgram(const char* program, char* const* arguments, int log, int report,
                                pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);  // the parent died before the line above
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(program, arguments);
  const int cause = errno;
  [[maybe_unused]] const ssize_t told = write(report, &cause, sizeof(cause));
  _exit(127);
}

}  // namespace

absl::StatusOr<ChildProcess> ChildProcess::Start(const std::string& program,
                                                 const std::vector<std::string>& arguments,
                                                 const std::string& log_path) {
  const int log = open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) return CannotOpen(log_path, errno);
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    const int cause = errno;
    close(log);
    return CannotOpen(program, cause);
  }
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);

  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) BecomeProgram(program.c_str(), words.data(), log, report[1], parent);
  const int fork_cause = errno;
  close(log);
  close(report[1]);
  int cause = pid < 0 ? fork_cause : 0;
  if (pid > 0) {
    ssize_t got;
    do {
      got = read(report[0], &cause, sizeof(cause));
    } while (got < 0 && errno == EINTR);
    if (got <= 0) cause = 0;
  }
  close(report[0]);
  if (cause != 0) {
    if (pid > 0) waitpid(pid, nullptr, 0);
    return CannotOpen(program, cause);
  }
  // glibc 2.36 declares pidfd_open without C linkage for C++.
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) {
    const int pidfd_cause = errno;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return CannotOpen(program, pidfd_cause);
  }
  return ChildProcess(pid, descriptor);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), descriptor_(std::exchange(other.descriptor_, -1)) {}

ChildProcess::~ChildProcess() {
  Kill();
  if (descriptor_ >= 0) close(descriptor_);
}

void ChildProcess::RequestStop() {
  if (pid_ != 0) kill(pid_, SIGTERM);
}

std::optional<std::string> ChildProcess::WaitUntil(absl::Time deadline) {
  if (pid_ == 0) return std::string();
  for (;;) {
    const absl::Duration left = std::max(deadline - absl::Now(), absl::ZeroDuration());
    pollfd ended = {descriptor_, POLLIN, 0};
    const int ready = poll(&ended, 1, static_cast<int>(absl::ToInt64Milliseconds(left)) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    break;
  }
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  if (WIFSIGNALED(status)) return StrCat("was ended by signal ", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return StrCat("exited with code ", WEXITSTATUS(status));
  return std::string();
}

void ChildProcess::Kill() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

}  // namespace bench
}  // namespace quire
