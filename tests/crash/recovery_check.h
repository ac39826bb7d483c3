// What must hold whenever power comes back, in both harnesses of R-D16.
#ifndef QUIRE_TESTS_CRASH_RECOVERY_CHECK_H_
#define QUIRE_TESTS_CRASH_RECOVERY_CHECK_H_

#include <functional>
#include <string>

#include "server/volume/volume.h"
#include "tests/crash/history.h"
#include "tests/crash/store_dump.h"

namespace quire::test {

// What a crash left.
struct CrashSite {
  VolumeOptions options;
  std::function<StoreDump()> dump;  // of the store, while no volume is open on it
  // The offline check, of files: empty, or its faults.
  std::function<std::string()> inspect = [] { return std::string(); };
};

// Small in everything, so that segments rotate and control points run during a history. By `kind`
// (modulo 3) they come by time, by dirty memory, or by the length of the trail.
VolumeOptions SmallVolume(uint64_t kind);

// Opens, checks every promise, crashes at once, opens again: the same bytes. The history's senders
// then go on, when `repeats`. Empty, or what is wrong.
std::string FindBrokenRecovery(const CrashSite& site, History& history, Moment crash, bool repeats);

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_RECOVERY_CHECK_H_
