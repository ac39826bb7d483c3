// The listings of LISTOPENS and LISTLOCKS as text and JSON. They only format: no file system here.
#ifndef QUIRE_CLIENT_FUP_OPEN_LISTING_H_
#define QUIRE_CLIENT_FUP_OPEN_LISTING_H_

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "nlohmann/json_fwd.hpp"
#include "quire/file_name.h"
#include "quire/lock.h"
#include "quire/service.h"

namespace quire {

// The file's name, a heading, a line an open. PID is the client's program name, cut to the column;
// PROGRAM FILE NAME has all of it; there are no terminals. Nothing for a file nobody has open.
void PrintOpens(const FileName& name, const std::vector<OpenInfo>& opens, std::ostream& out);

// For each partition with locks its name, a heading, a line a lock; keys that are longer than the
// rest of an 80-column line go on below themselves. `detail` adds the kind of lock state.
void PrintLocks(const std::vector<LockInfo>& locks, bool detail, std::ostream& out);

// A key as FUP reads it back: "AB" when all of it can be printed, else strings and bytes as in
// ["AB",%H00,%HFF].
std::string LockKeyText(std::string_view key);

nlohmann::json OpenJson(const OpenInfo& open);
nlohmann::json LockJson(const LockInfo& lock);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_OPEN_LISTING_H_
