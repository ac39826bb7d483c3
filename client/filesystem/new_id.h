// Random ids for opens and files: unique over all clients without asking anybody.
#ifndef QUIRE_CLIENT_FILESYSTEM_NEW_ID_H_
#define QUIRE_CLIENT_FILESYSTEM_NEW_ID_H_

#include <cstdint>

namespace quire {

// 64 random bits, never 0. Any thread.
uint64_t NewId();

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_NEW_ID_H_
