// Where a File stands, as far as its own process knows. KEYPOSITION and REPOSITION only set it:
// the session that reads is told with the next operation that needs it, in the same message.
//
// A failed call leaves the position (R-S5), also one whose outcome is unknown: then the session is
// told anew. Not thread safe, but for TellingFailed.
#ifndef QUIRE_CLIENT_FILESYSTEM_KNOWN_POSITION_H_
#define QUIRE_CLIENT_FILESYSTEM_KNOWN_POSITION_H_

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "quire/attributes.h"
#include "quire/mutex.h"
#include "quire/operation.h"
#include "quire/position.h"

namespace quire {

class KnownPosition {
 public:
  // As an open begins: before the first record, and the session too.
  explicit KnownPosition(const FileAttributes& attributes) : attributes_(attributes) {}

  // KEYPOSITION: 21, 46, 22. REPOSITION: 22. Unchanged by an error.
  absl::Status Set(const Operation& operation);
  absl::Status Restore(std::string_view saved);

  // Nothing when only the session knows.
  const std::optional<Position>& get() const { return position_; }

  // The position moved here, without the session, or the session may stand elsewhere.
  void Here(Position position) {
    position_ = std::move(position);
    told_ = false;
  }
  // A READ at this process; only while the position is known.
  Position* Advance() {
    told_ = false;
    return &*position_;
  }
  // The session stands here.
  void Learnt(Position position) {
    position_ = std::move(position);
    told_ = true;
  }
  // The session moves its position; where to is not known here.
  void Lost() {
    position_.reset();
    told_ = true;
  }

  // What the session must be told before an operation on the position; counts as told from then on.
  std::optional<Position> TakeUntold();

  // For the completion of a telling that is not waited for: keep `doubt()`, and report a failure.
  // The position told then is the open's again, as far as it was not set meanwhile.
  struct Doubt {
    void TellingFailed(Position position);
    Mutex mutex;
    std::optional<Position> untold ABSL_GUARDED_BY(mutex);
  };
  const std::shared_ptr<Doubt>& doubt() const { return doubt_; }

 private:
  void SettleDoubt();

  const FileAttributes attributes_;
  std::optional<Position> position_ = Position();
  bool told_ = true;  // the session's position is the same
  const std::shared_ptr<Doubt> doubt_ = std::make_shared<Doubt>();
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_KNOWN_POSITION_H_
