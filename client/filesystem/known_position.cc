#include "client/filesystem/known_position.h"

#include "absl/status/statusor.h"
#include "client/filesystem/errors.h"

namespace quire {

absl::Status KnownPosition::Set(const Operation& operation) {
  absl::StatusOr<Position> position = PositionFrom(operation, attributes_);
  if (!position.ok()) return position.status();
  Here(*std::move(position));
  return absl::OkStatus();
}

absl::Status KnownPosition::Restore(std::string_view saved) {
  absl::StatusOr<Position> position = DecodePosition(saved);
  if (!position.ok()) return position.status();
  if (position->key.size() > attributes_.key_length) {
    return filesystem_errors::PositionOfOtherFile(position->key.size(), attributes_.key_length);
  }
  Here(*std::move(position));
  return absl::OkStatus();
}

std::optional<Position> KnownPosition::TakeUntold() {
  SettleDoubt();
  if (told_) return std::nullopt;
  told_ = true;
  return position_;
}

void KnownPosition::Doubt::TellingFailed(Position position) {
  MutexLock lock(&mutex);
  untold = std::move(position);
}

void KnownPosition::SettleDoubt() {
  std::optional<Position> untold;
  {
    MutexLock lock(&doubt_->mutex);
    untold.swap(doubt_->untold);
  }
  if (!untold) return;
  if (!position_) position_ = std::move(untold);
  told_ = false;
}

}  // namespace quire
