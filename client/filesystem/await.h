// Waiting for the answers of Service calls, one or many. For the calls of programs and the steps
// of CREATE, PURGE and the like; never on a thread that Service callbacks need.
#ifndef QUIRE_CLIENT_FILESYSTEM_AWAIT_H_
#define QUIRE_CLIENT_FILESYSTEM_AWAIT_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "quire/mutex.h"

namespace quire {

// One answer to come. `Answer` is absl::StatusOr<T> or absl::Status. Copies are the same answer,
// so that the callback may outlive the one who waits.
template <typename Answer>
class Awaited {
 public:
  Awaited() : state_(std::make_shared<State>()) {}

  // The callback to give to the call; to be called once.
  auto Callback() const {
    return [state = state_](Answer answer) {
      state->answer = std::move(answer);
      state->ready.Notify();
    };
  }

  Answer Take() {
    state_->ready.Wait();
    return *std::move(state_->answer);
  }

  // Nothing when there is no answer within `timeout`.
  std::optional<Answer> TakeWithin(absl::Duration timeout) {
    if (!state_->ready.WaitForMicros(absl::ToInt64Microseconds(timeout))) return std::nullopt;
    return *std::move(state_->answer);
  }

 private:
  struct State {
    std::optional<Answer> answer;
    Notification ready;
  };
  std::shared_ptr<State> state_;
};

// Makes the call with `start(callback)` and waits for its answer.
template <typename Answer, typename Start>
Answer Await(Start&& start) {
  Awaited<Answer> awaited;
  start(awaited.Callback());
  return awaited.Take();
}

// Makes one call per item at once with `start(item, callback)`; answers in the order of the items.
template <typename Answer, typename Items, typename Start>
std::vector<Answer> AwaitAll(const Items& items, Start&& start) {
  std::vector<Awaited<Answer>> awaited(items.size());
  size_t next = 0;
  for (const auto& item : items) start(item, awaited[next++].Callback());
  std::vector<Answer> answers;
  answers.reserve(awaited.size());
  for (Awaited<Answer>& one : awaited) answers.push_back(one.Take());
  return answers;
}

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_AWAIT_H_
