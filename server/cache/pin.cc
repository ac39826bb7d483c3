#include <utility>

#include "server/base/check.h"
#include "server/cache/block_cache.h"
#include "server/cache/frame.h"
#include "server/cache/frame_pool.h"
#include "server/cache/frame_table.h"

namespace quire {

Pin::Pin(Frame* frame) : frame_(frame) {}

Pin::Pin(Pin&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}

Pin& Pin::operator=(Pin&& other) noexcept {
  if (this != &other) {
    Release();
    frame_ = std::exchange(other.frame_, nullptr);
  }
  return *this;
}

Pin::~Pin() {
  Release();
}

BlockNumber Pin::block() const {
  QUIRE_CHECK(frame_ != nullptr);
  return frame_->block;
}

absl::Span<const char> Pin::image() const {
  QUIRE_CHECK(frame_ != nullptr);
  return absl::MakeConstSpan(frame_->image, frame_->image_bytes);
}

void Pin::Release() {
  if (frame_ == nullptr) return;
  Frame* frame = std::exchange(frame_, nullptr);
  frame->pool->table->Unpin(frame);
}

}  // namespace quire
