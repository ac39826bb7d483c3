#include "tests/support/cutting_proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "absl/strings/numbers.h"
#include "gtest/gtest.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr size_t kPieceBytes = 16384;
constexpr uint64_t kSetUpBytes = 500;

// The one address family used here; port in host order.
sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

uint16_t PortOf(const std::string& address) {
  uint32_t port = 0;
  const std::string text = address.substr(address.rfind(':') + 1);
  if (!absl::SimpleAtoi(text, &port)) ADD_FAILURE() << "no port in " << address;
  return static_cast<uint16_t>(port);
}

// bind, connect and getsockname take any family's address by its first member.
sockaddr* Generic(sockaddr_in* address) {
  return reinterpret_cast<sockaddr*>(address);
}

void MakeReady(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

// On loopback a connection is made or refused without delay. -1: nobody listens.
int Connect(const std::string& target) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(PortOf(target));
  if (connect(connection, Generic(&address), sizeof(address)) == 0) return connection;
  close(connection);
  return -1;
}

// `reset`: what is on its way is dropped and the other end sees an error; else it sees an end.
void CloseSocket(int socket, bool reset) {
  if (reset) {
    const linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  }
  close(socket);
}

}  // namespace

CuttingProxy::CuttingProxy(const std::string& target, const CuttingProxyOptions& options)
    : options_(options), random_(options.seed), target_(target) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  sockaddr_in own = Loopback(0);
  socklen_t size = sizeof(own);
  if (bind(listener_, Generic(&own), size) != 0 || listen(listener_, 64) != 0 ||
      getsockname(listener_, Generic(&own), &size) != 0) {
    ADD_FAILURE() << "the proxy cannot listen";
  }
  address_ = StrCat("127.0.0.1:", ntohs(own.sin_port));
  thread_ = std::thread([this] { Run(); });
}

CuttingProxy::~CuttingProxy() {
  stopping_ = true;
  eventfd_write(wake_, 1);
  thread_.join();
  for (Link& link : links_) End(&link, true);
  close(listener_);
  close(wake_);
}

void CuttingProxy::SetTarget(const std::string& target) {
  MutexLock lock(&mutex_);
  target_ = target;
}

bool CuttingProxy::Pump::Read() {
  std::array<char, kPieceBytes> piece;
  const size_t wanted = std::min<uint64_t>(piece.size(), bytes_left);
  const ssize_t count = recv(from, piece.data(), wanted, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  if (bytes_left != UINT64_MAX) bytes_left -= static_cast<uint64_t>(count);
  pending.append(piece.data(), static_cast<size_t>(count));
  return true;
}

bool CuttingProxy::Pump::Write() {
  if (pending.empty()) return true;
  const ssize_t count = send(to, pending.data(), pending.size(), MSG_NOSIGNAL);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  pending.erase(0, static_cast<size_t>(count));
  return true;
}

void CuttingProxy::Run() {
  while (!stopping_) {
    std::vector<pollfd> watched = {{wake_, POLLIN, 0}, {listener_, POLLIN, 0}};
    for (const Link& link : links_) {
      short client = link.replies.pending.empty() ? 0 : POLLOUT;
      short server = link.requests.pending.empty() ? 0 : POLLOUT;
      if (!link.ending && link.requests.pending.empty()) client |= POLLIN;
      if (!link.ending && link.replies.pending.empty()) server |= POLLIN;
      watched.push_back({link.requests.from, client, 0});
      watched.push_back({link.replies.from, server, 0});
    }
    if (poll(watched.data(), watched.size(), -1) < 0) continue;
    size_t next = 2;
    for (auto link = links_.begin(); link != links_.end(); next += 2) {
      const bool lives = Work(&*link, watched[next], watched[next + 1]);
      link = lives ? std::next(link) : links_.erase(link);
    }
    if ((watched[1].revents & POLLIN) != 0) Accept();
  }
}

void CuttingProxy::Accept() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  std::string target;
  {
    MutexLock lock(&mutex_);
    target = target_;
  }
  const int server = Connect(target);
  if (server < 0) return CloseSocket(client, true);
  MakeReady(client);
  MakeReady(server);
  ++connections_;
  Link link;
  link.requests = {.from = client, .to = server};
  link.replies = {.from = server, .to = client};
  if (cutting_) ChooseCut(&link);
  links_.push_back(std::move(link));
}

void CuttingProxy::ChooseCut(Link* link) {
  const bool requests =
      options_.mean_reply_bytes == 0 || (options_.mean_request_bytes != 0 && random_() % 2 == 0);
  const uint64_t mean = requests ? options_.mean_request_bytes : options_.mean_reply_bytes;
  if (mean == 0) return;
  const uint64_t most = random_() % 8 == 0 ? kSetUpBytes : 2 * mean;
  (requests ? link->requests : link->replies).bytes_left = 1 + random_() % most;
}

bool CuttingProxy::Work(Link* link, const pollfd& client, const pollfd& server) {
  // Also on POLLHUP and POLLERR: reading then tells what happened.
  const bool client_speaks = (client.revents & ~POLLOUT) != 0;
  const bool server_speaks = (server.revents & ~POLLOUT) != 0;
  if (client_speaks && link->requests.pending.empty() && !link->requests.Read()) {
    link->ending = true;
  }
  if (server_speaks && link->replies.pending.empty() && !link->replies.Read()) link->ending = true;
  const bool lives = link->requests.Write() && link->replies.Write();
  if (lives && link->IsSpent() && cutting_) {
    ++cuts_;
    End(link, random_() % 2 == 0);
    return false;
  }
  // Without cutting the rest of a count means nothing.
  if (link->IsSpent()) link->requests.bytes_left = link->replies.bytes_left = UINT64_MAX;
  if (lives && !(link->ending && !link->HasPending())) return true;
  End(link, !lives);
  return false;
}

void CuttingProxy::End(Link* link, bool reset) {
  CloseSocket(link->requests.from, reset);
  CloseSocket(link->replies.from, reset);
}

}  // namespace quire
