// A program started by a test: its exit is waited for with a deadline, its output is in files, and
// it is always ended and reaped. Not thread safe.
#ifndef QUIRE_TESTS_SUPPORT_PROCESS_CHILD_H_
#define QUIRE_TESTS_SUPPORT_PROCESS_CHILD_H_

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace quire {

// Long enough for a loaded machine; a test that gets here has failed.
inline constexpr absl::Duration kProcessDeadline = absl::Seconds(60);

// Asks again every few milliseconds until `condition` holds. False when it does not in time.
bool WaitUntil(const std::function<bool()>& condition, absl::Duration deadline = kProcessDeadline);

// The whole file; empty when it cannot be read.
std::string ReadWholeFile(const std::string& path);
void WriteWholeFile(const std::string& path, const std::string& text);

struct ChildOptions {
  std::vector<std::string> arguments = {};  // program first, a full path
  std::map<std::string, std::string> environment =
      {};  // added to the caller's; QUIRE_* of it go away
  std::string input_path = "/dev/null";
  std::string output_path = "/dev/null";
  std::string error_path = {};  // empty: with the output
  std::string directory = {};   // empty: the caller's
};

class ChildProcess {
 public:
  // Starts the program as the leader of a process group of its own, with default signal handling.
  explicit ChildProcess(const ChildOptions& options);
  // Kills what still runs, the rest of its group included, and reaps it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  bool Running();
  void Signal(int signal);
  // What a terminal does with Ctrl-C: the signal goes to the whole group.
  void SignalGroup(int signal);
  // The exit code, or 128 + signal; none when it still runs at the deadline.
  std::optional<int> WaitForExit(absl::Duration deadline = kProcessDeadline);
  // SIGKILL, and waits for it.
  void Kill();

 private:
  pid_t pid_ = 0;  // 0: could not be started
  std::optional<int> exit_code_;
};

struct CommandResult {
  int exit_code = -1;
  std::string output;  // of standard output and standard error
};

// Runs a program to its end; `input` is its standard input. Files go into `folder`.
CommandResult RunCommand(ChildOptions options, const std::string& folder,
                         const std::string& input = "");

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_PROCESS_CHILD_H_
