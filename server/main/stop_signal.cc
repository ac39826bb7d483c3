#include "server/main/stop_signal.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "server/base/check.h"

namespace quire {

StopSignal::StopSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  QUIRE_CHECK(pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0);
  signal_descriptor_ = signalfd(-1, &signals, SFD_CLOEXEC);
  wake_descriptor_ = eventfd(0, EFD_CLOEXEC);
  QUIRE_CHECK(signal_descriptor_ >= 0 && wake_descriptor_ >= 0);
}

StopSignal::~StopSignal() {
  close(signal_descriptor_);
  close(wake_descriptor_);
}

int StopSignal::Wait() {
  std::array<pollfd, 2> waiting = {pollfd{wake_descriptor_, POLLIN, 0},
                                   pollfd{signal_descriptor_, POLLIN, 0}};
  while (poll(waiting.data(), waiting.size(), -1) < 0) QUIRE_CHECK(errno == EINTR);
  if ((waiting[0].revents & POLLIN) != 0) return 0;
  signalfd_siginfo received = {};
  QUIRE_CHECK(read(signal_descriptor_, &received, sizeof(received)) == sizeof(received));
  return static_cast<int>(received.ssi_signo);
}

bool StopSignal::Pending() const {
  std::array<pollfd, 2> waiting = {pollfd{wake_descriptor_, POLLIN, 0},
                                   pollfd{signal_descriptor_, POLLIN, 0}};
  return poll(waiting.data(), waiting.size(), 0) > 0;
}

void StopSignal::Wake() {
  const uint64_t one = 1;
  QUIRE_CHECK(write(wake_descriptor_, &one, sizeof(one)) == sizeof(one));
}

}  // namespace quire
