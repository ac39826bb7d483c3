#include "server/main/inspect_guard.h"

#include <csetjmp>
#include <csignal>
#include <cstdlib>

#include "server/base/check.h"

namespace quire {
namespace {

// Where the guarded call under way on this thread began.
thread_local sigjmp_buf* under_way = nullptr;

void OnFault(int signal) {
  if (under_way != nullptr) siglongjmp(*under_way, 1);
  // The instruction is run again and ends the program, with a core as usual.
  std::signal(signal, SIG_DFL);
}

bool TakeSignals() {
  struct sigaction action = {};
  action.sa_handler = &OnFault;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, nullptr) == 0 && sigaction(SIGSEGV, &action, nullptr) == 0;
}

}  // namespace

bool Guarded(absl::FunctionRef<void()> read) {
  static const bool taken = TakeSignals();
  QUIRE_CHECK(taken && under_way == nullptr);
  sigjmp_buf begin;
  if (sigsetjmp(begin, /*savemask=*/1) != 0) {
    under_way = nullptr;
    return false;
  }
  under_way = &begin;
  read();
  under_way = nullptr;
  return true;
}

void LeaveGuard() {
  if (under_way == nullptr) std::abort();
  siglongjmp(*under_way, 1);
}

}  // namespace quire
