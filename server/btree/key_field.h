// Where the key lies in a record.
#ifndef QUIRE_SERVER_BTREE_KEY_FIELD_H_
#define QUIRE_SERVER_BTREE_KEY_FIELD_H_

#include <cstdint>
#include <string_view>

namespace quire {

struct KeyField {
  uint32_t offset = 0;
  uint32_t length = 0;
  // First byte after the key: the shortest record that holds it.
  uint32_t end() const { return offset + length; }
  // `record` must reach to the end of the key.
  std::string_view Of(std::string_view record) const { return record.substr(offset, length); }
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_KEY_FIELD_H_
