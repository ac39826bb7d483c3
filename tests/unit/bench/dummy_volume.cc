// Stands in for quire-volume in the fleet's tests: says a port and waits for SIGTERM. Option
// --behaviour=: "exit" ends at once with code 3, "deaf" ignores SIGTERM, "sour" answers it with
// code 9, "silent" never says its port.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

namespace {

std::string OptionOf(int argc, char** argv, std::string_view name) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.substr(0, name.size()) == name) return std::string(word.substr(name.size()));
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string behaviour = OptionOf(argc, argv, "--behaviour=");
  for (int i = 1; i < argc; ++i) std::printf("%s\n", argv[i]);
  std::fflush(stdout);
  if (behaviour == "exit") return 3;

  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigprocmask(SIG_BLOCK, &stops, nullptr);
  if (behaviour != "silent") {
    const std::string path = OptionOf(argc, argv, "--port_file=");
    std::ofstream(path + ".new") << 4711 << "\n";
    std::rename((path + ".new").c_str(), path.c_str());
  }
  if (behaviour == "deaf") {
    for (;;) pause();
  }
  int signal_number = 0;
  sigwait(&stops, &signal_number);
  return behaviour == "sour" ? 9 : 0;
}
