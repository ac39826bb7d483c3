// QUIRE_CHECK stops the process when an invariant of our own is broken, in every build.
// QUIRE_INVARIANT is the costly kind: only in checked builds (QUIRE_CHECKED).
// Neither is for bytes from disc, wire or user: those give errors.
#ifndef QUIRE_SERVER_BASE_CHECK_H_
#define QUIRE_SERVER_BASE_CHECK_H_

namespace quire {
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);
}  // namespace quire

#define QUIRE_CHECK(condition)                                              \
  do {                                                                      \
    if (!(condition)) ::quire::CheckFailed(__FILE__, __LINE__, #condition); \
  } while (false)

#ifdef QUIRE_CHECKED
#define QUIRE_INVARIANT(condition) QUIRE_CHECK(condition)
#else
#define QUIRE_INVARIANT(condition) \
  do {                             \
    if (false) (void)(condition);  \
  } while (false)
#endif

#endif  // QUIRE_SERVER_BASE_CHECK_H_
