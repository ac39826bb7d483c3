// quire-router: many volumes behind one door. Flags and wiring only; it keeps no state.
#include <map>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "client/filesystem/router_service.h"
#include "client/transport/grpc_stub.h"
#include "client/transport/lock_checks.h"
#include "quire/error.h"
#include "quire/filesystem.h"
#include "quire/program.h"
#include "quire/text.h"
#include "server/base/huge_memory.h"
#include "server/main/serve.h"
#include "server/main/stop_signal.h"
#include "spdlog/spdlog.h"

ABSL_FLAG(std::string, volumes, "", "volume map: a file with lines \"$DATA01 = host:port\"");
ABSL_FLAG(std::string, listen, "127.0.0.1:7000", "host:port to serve; port 0: one that is free");
ABSL_FLAG(std::string, port_file, "", "file to write the port to");
ABSL_FLAG(uint32_t, drain_ms, 5000, "time that calls under way get to finish at the end");
ABSL_FLAG(uint32_t, retry_ms, 5000,
          "time that a volume which does not answer is tried, before operations get 66 or 201");

namespace quire {
namespace {

constexpr char kUsage[] =
    "quire-router --volumes FILE [options]\n\n"
    "Serves the volumes of a map to clients that do not route by themselves, until SIGTERM or\n"
    "SIGINT. Prints one line when it is ready. A volume that is down does not hinder the others.\n"
    "Exit codes: 0 ended normally, 2 bad options, 3 cannot start.";

int Serve(const std::map<std::string, std::string>& addresses, StopSignal& stop) {
  std::map<std::string, std::shared_ptr<Service>> volumes;
  for (const auto& [name, address] : addresses) {
    volumes.emplace(name, MakeGrpcStub({.address = address, .client_name = "quire-router"}));
  }
  const std::string listen = absl::GetFlag(FLAGS_listen);
  const RoutingOptions options{absl::Milliseconds(absl::GetFlag(FLAGS_retry_ms)), nullptr};
  absl::StatusOr<std::unique_ptr<RpcServer>> server = StartServing(
      MakeRouterService(std::move(volumes), options), listen, absl::GetFlag(FLAGS_port_file));
  if (!server.ok()) {
    spdlog::error("{}", Describe(server.status()));
    return kExitCannotStart;
  }
  Announce("quire-router", listen, **server, StrCat(", volumes: ", addresses.size()));
  spdlog::info("signal {}: draining", stop.Wait());
  (*server)->Stop(absl::Milliseconds(absl::GetFlag(FLAGS_drain_ms)));
  return kExitNormal;
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::KeepFreedMemory();
  quire::DropLockChecks();
  const quire::ProgramArguments arguments =
      quire::ParseProgram(argc, argv, {"quire-router", QUIRE_VERSION, quire::kUsage});
  if (arguments.exit_code) return *arguments.exit_code;
  quire::StartLog("quire-router");
  quire::StopSignal stop;
  const std::string path = absl::GetFlag(FLAGS_volumes);
  if (path.empty() || !arguments.positional.empty()) {
    spdlog::error(
        "option --volumes must name the volume map, and nothing else is taken; see --help");
    return quire::kExitBadOptions;
  }
  const absl::StatusOr<std::map<std::string, std::string>> addresses = quire::ReadVolumeMap(path);
  if (!addresses.ok()) {
    spdlog::error("{}", quire::Describe(addresses.status()));
    return quire::kExitBadOptions;
  }
  return quire::Serve(*addresses, stop);
}
