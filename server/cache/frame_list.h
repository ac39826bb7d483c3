// A list of frames through Frame::previous and Frame::next: every operation takes constant time and
// no memory. A frame is in one list at most.
#ifndef QUIRE_SERVER_CACHE_FRAME_LIST_H_
#define QUIRE_SERVER_CACHE_FRAME_LIST_H_

#include <cstdint>

#include "server/base/check.h"
#include "server/cache/frame.h"

namespace quire {

class FrameList {
 public:
  Frame* front() const { return front_; }
  uint64_t size() const { return size_; }

  void PushBack(Frame* frame) {
    QUIRE_INVARIANT(frame->previous == nullptr && frame->next == nullptr && frame != front_);
    frame->previous = back_;
    (back_ == nullptr ? front_ : back_->next) = frame;
    back_ = frame;
    ++size_;
  }

  void Remove(Frame* frame) {
    QUIRE_INVARIANT(frame->previous != nullptr || frame == front_);
    (frame->previous == nullptr ? front_ : frame->previous->next) = frame->next;
    (frame->next == nullptr ? back_ : frame->next->previous) = frame->previous;
    frame->previous = nullptr;
    frame->next = nullptr;
    --size_;
  }

 private:
  Frame* front_ = nullptr;
  Frame* back_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_FRAME_LIST_H_
