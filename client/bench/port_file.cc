#include "client/bench/port_file.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/time/clock.h"
#include "client/bench/errors.h"
#include "client/bench/stop_signal.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kLogTailBytes = 600;
// The stop flag is looked at this often while waiting for a server.
constexpr absl::Duration kLookInterval = absl::Milliseconds(200);

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class DirectoryWatch {
 public:
  explicit DirectoryWatch(const std::string& directory)
      : descriptor_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (descriptor_ >= 0) {
      inotify_add_watch(descriptor_, directory.c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
    }
  }
  ~DirectoryWatch() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  // Returns when something changed in the directory, the child ended or `limit` passed; poll
  // leaves out a descriptor of -1, then the limit alone paces the caller.
  void Wait(const ChildProcess& child, absl::Duration limit) {
    pollfd waited[2] = {{descriptor_, POLLIN, 0}, {child.descriptor(), POLLIN, 0}};
    poll(waited, 2, static_cast<int>(absl::ToInt64Milliseconds(limit)) + 1);
    char events[4096];
    while (descriptor_ >= 0 && read(descriptor_, events, sizeof(events)) > 0) {
    }
  }

 private:
  const int descriptor_;
};

}  // namespace

std::string LogTail(const std::string& path) {
  std::string text = ReadText(path);
  if (text.size() > kLogTailBytes) text = "…" + text.substr(text.size() - kLogTailBytes);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "its log is empty" : "its log ends: " + text;
}

absl::StatusOr<std::string> WaitForPort(const StartedServer& server, ChildProcess* process,
                                        absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  DirectoryWatch watch(std::filesystem::path(server.port_path).parent_path().string());
  for (;;) {
    // The server renames the finished file into place, so what is there is whole.
    std::string text = ReadText(server.port_path);
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c <= ' '; }),
               text.end());
    if (!text.empty()) return text.find(':') == std::string::npos ? "127.0.0.1:" + text : text;
    if (const auto ended = process->WaitUntil(absl::InfinitePast()); ended.has_value()) {
      return ServerNotStarted(server.name, StrCat("it ", ended->empty() ? "ended" : *ended, "; ",
                                                  LogTail(server.log_path)));
    }
    if (StopRequested()) return Interrupted();
    if (absl::Now() >= deadline) {
      return ServerNotStarted(
          server.name, StrCat("it did not say its port within ", absl::ToInt64Seconds(timeout),
                              " s; ", LogTail(server.log_path)));
    }
    watch.Wait(*process, kLookInterval);
  }
}

}  // namespace bench
}  // namespace quire
