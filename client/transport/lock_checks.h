// Abseil's deadlock detector, which Debian's packages are built with: gRPC's mutexes are Abseil's,
// and with it each lock and unlock of theirs takes one spin lock of the whole process.
#ifndef QUIRE_CLIENT_TRANSPORT_LOCK_CHECKS_H_
#define QUIRE_CLIENT_TRANSPORT_LOCK_CHECKS_H_

namespace quire {

// Turns it off for the process; Quire's own mutexes are not Abseil's. For main, before the first
// channel or server. A program that links the client library decides for itself: without, calls
// work as well and take some 10 % more processor time.
void DropLockChecks();

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_LOCK_CHECKS_H_
