#include "tests/support/process_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "quire/text.h"

namespace quire {
namespace {

std::vector<std::string> EnvironmentOf(const ChildOptions& options) {
  std::vector<std::string> lines;
  for (char** line = environ; *line != nullptr; ++line) {
    const std::string_view text = *line;
    const std::string name(text.substr(0, text.find('=')));
    // The caller's own settings must not decide what a test sees.
    if (name.starts_with("QUIRE_") || options.environment.contains(name)) continue;
    lines.emplace_back(text);
  }
  for (const auto& [name, value] : options.environment) lines.push_back(StrCat(name, "=", value));
  return lines;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

bool WaitUntil(const std::function<bool()>& condition, absl::Duration deadline) {
  const absl::Time end = absl::Now() + deadline;
  while (!condition()) {
    if (absl::Now() >= end) return false;
    poll(nullptr, 0, 5);
  }
  return true;
}

std::string ReadWholeFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void WriteWholeFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) ADD_FAILURE() << "cannot write " << path;
}

ChildProcess::ChildProcess(const ChildOptions& options) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, options.input_path.c_str(), O_RDONLY, 0);
  const int flags = O_WRONLY | O_CREAT | O_APPEND;
  posix_spawn_file_actions_addopen(&files, 1, options.output_path.c_str(), flags, 0600);
  if (options.error_path.empty()) {
    posix_spawn_file_actions_adddup2(&files, 1, 2);
  } else {
    posix_spawn_file_actions_addopen(&files, 2, options.error_path.c_str(), flags, 0600);
  }
  if (!options.directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&files, options.directory.c_str());
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A test run in the background has SIGINT ignored; its children must not inherit that.
  sigset_t every;
  sigset_t none;
  sigfillset(&every);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &every);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> arguments = options.arguments;
  std::vector<std::string> environment = EnvironmentOf(options);
  const int error = posix_spawn(&pid_, arguments[0].c_str(), &files, &attributes,
                                Pointers(arguments).data(), Pointers(environment).data());
  if (error != 0) {
    pid_ = 0;
    exit_code_ = 127;
    ADD_FAILURE() << "cannot start " << arguments[0] << ": " << strerror(error);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
}

ChildProcess::~ChildProcess() {
  if (pid_ == 0) return;
  // The group's number is its leader's, and not given to others before the leader is reaped.
  if (Running()) SignalGroup(SIGKILL);
  if (!exit_code_) WaitForExit();
}

bool ChildProcess::Running() {
  if (exit_code_) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return false;
}

void ChildProcess::Signal(int signal) {
  if (Running()) kill(pid_, signal);
}

void ChildProcess::SignalGroup(int signal) {
  if (Running()) kill(-pid_, signal);
}

std::optional<int> ChildProcess::WaitForExit(absl::Duration deadline) {
  WaitUntil([this] { return !Running(); }, deadline);
  return exit_code_;
}

void ChildProcess::Kill() {
  Signal(SIGKILL);
  WaitForExit();
}

CommandResult RunCommand(ChildOptions options, const std::string& folder,
                         const std::string& input) {
  static std::atomic<int> number = 0;
  const std::string base = StrCat(folder, "/command-", ++number);
  options.input_path = base + ".in";
  options.output_path = base + ".out";
  WriteWholeFile(options.input_path, input);
  ChildProcess child(options);
  CommandResult result;
  const std::optional<int> exit_code = child.WaitForExit();
  if (!exit_code) ADD_FAILURE() << options.arguments[0] << " does not end";
  result.exit_code = exit_code.value_or(-1);
  result.output = ReadWholeFile(options.output_path);
  return result;
}

}  // namespace quire
