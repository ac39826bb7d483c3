// Whose saved answers: what names an open over restarts of the volume (R-D10).
#ifndef QUIRE_SERVER_VOLUME_OPEN_KEY_H_
#define QUIRE_SERVER_VOLUME_OPEN_KEY_H_

#include <cstdint>

namespace quire {

struct OpenKey {
  // Of a session: its open id. Of single calls (implicit): the client's id; then an open is that
  // of one client on one file.
  uint64_t id = 0;
  bool implicit = false;

  bool operator==(const OpenKey&) const = default;
  bool operator<(const OpenKey& other) const {
    return id != other.id ? id < other.id : implicit < other.implicit;
  }
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_OPEN_KEY_H_
