// The commands of the session, for HISTORY, ! and ?.
#ifndef QUIRE_CLIENT_FUP_COMMAND_HISTORY_H_
#define QUIRE_CLIENT_FUP_COMMAND_HISTORY_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace quire {

class CommandHistory {
 public:
  static constexpr size_t kKept = 1000;

  struct Entry {
    uint64_t number;  // from 1
    std::string text;
  };

  void Add(std::string text);
  // The last `count`, oldest first.
  std::vector<Entry> Last(uint64_t count) const;

  // `wanted` as ! and ? take it: nothing (the last), -n (n back), n (number n), text (the last
  // that begins so, in any letter case), "text" (the last that has it anywhere). 22 when there is
  // none.
  absl::StatusOr<std::string> Find(std::string_view wanted) const;

 private:
  std::deque<Entry> entries_;
  uint64_t next_number_ = 1;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_COMMAND_HISTORY_H_
