// Requests in order, linked through themselves: nothing that moves a request from one place to
// another ever needs memory, so none is lost between its execution and its answer.
#ifndef QUIRE_SERVER_VOLUME_REQUEST_LIST_H_
#define QUIRE_SERVER_VOLUME_REQUEST_LIST_H_

#include <memory>
#include <utility>

#include "server/volume/request.h"

namespace quire {

// Owns what is in it; a request is in one list at most. Not thread safe.
class RequestList {
 public:
  RequestList() = default;
  RequestList(RequestList&& other) noexcept { swap(other); }
  RequestList& operator=(RequestList&& other) noexcept {
    RequestList old(std::move(other));
    swap(old);
    return *this;
  }
  ~RequestList() {
    while (!empty()) PopFront();
  }

  bool empty() const { return first_ == nullptr; }

  void PushBack(std::unique_ptr<Request> request) noexcept {
    Request* const added = request.get();
    (last_ == nullptr ? first_ : last_->next) = std::move(request);
    last_ = added;
  }
  void PushFront(std::unique_ptr<Request> request) noexcept {
    if (last_ == nullptr) last_ = request.get();
    request->next = std::move(first_);
    first_ = std::move(request);
  }
  // nullptr when empty.
  std::unique_ptr<Request> PopFront() noexcept {
    std::unique_ptr<Request> request = std::move(first_);
    if (request == nullptr) return nullptr;
    first_ = std::move(request->next);
    if (first_ == nullptr) last_ = nullptr;
    return request;
  }
  // Behind its own, in their order.
  void Append(RequestList others) noexcept {
    if (others.empty()) return;
    (last_ == nullptr ? first_ : last_->next) = std::move(others.first_);
    last_ = std::exchange(others.last_, nullptr);
  }

 private:
  void swap(RequestList& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
  }

  std::unique_ptr<Request> first_;
  Request* last_ = nullptr;  // in the chain that first_ owns
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_REQUEST_LIST_H_
