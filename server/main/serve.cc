#include "server/main/serve.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

namespace quire {

void StartLog(const std::string& program) {
  auto logger = spdlog::stderr_logger_mt(program);
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %n %l: %v");
  spdlog::set_default_logger(std::move(logger));
}

std::string HostOfAddress(const std::string& address) {
  return address.substr(0, address.rfind(':'));
}

bool IsLoopback(const std::string& host) {
  return host.starts_with("127.") || host == "localhost" || host == "[::1]" || host == "::1";
}

absl::Status WritePortFile(const std::string& path, int port) {
  const std::string fresh = StrCat(path, ".new");
  {
    std::ofstream file(fresh);
    file << port << "\n";
    file.close();
    if (!file) {
      return MakeError(ErrorNumber::kVolumeDown,
                       StrCat("cannot write the port file ", path, "; check its folder"));
    }
  }
  if (std::rename(fresh.c_str(), path.c_str()) == 0) return absl::OkStatus();
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("cannot put the port file ", path, " in its place; check its folder"));
}

absl::StatusOr<std::unique_ptr<RpcServer>> StartServing(std::shared_ptr<Service> service,
                                                        const std::string& listen,
                                                        const std::string& port_file) {
  absl::StatusOr<std::unique_ptr<RpcServer>> server =
      RpcServer::Start(std::move(service), {.address = listen});
  if (!server.ok()) return server;
  if (!IsLoopback(HostOfAddress(listen))) {
    spdlog::warn(
        "port {} is open on {} without TLS or passwords: everybody who reaches it can read and "
        "change every record",
        (*server)->port(), HostOfAddress(listen));
  }
  if (port_file.empty()) return server;
  if (absl::Status status = WritePortFile(port_file, (*server)->port()); !status.ok()) {
    return status;
  }
  return server;
}

void Announce(const std::string& what, const std::string& listen, const RpcServer& server,
              const std::string& more) {
  std::cout << what << " listening on " << HostOfAddress(listen) << ":" << server.port() << more
            << "\n"
            << std::flush;
}

}  // namespace quire
