// A Request made of a function that answers with a value: for commands that happen once and are
// not worth a class each.
#ifndef QUIRE_SERVER_VOLUME_FUNCTION_REQUEST_H_
#define QUIRE_SERVER_VOLUME_FUNCTION_REQUEST_H_

#include <memory>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "quire/service.h"
#include "server/volume/disc_process.h"
#include "server/volume/request.h"
#include "server/volume/resolve.h"

namespace quire {

// Runs `work` in the role, then answers `done` with its result when what it logged or saw is
// durable. `file` (may be empty) is the file that admission goes by; `work` must not keep
// references to what it is given.
template <typename T>
class FunctionRequest : public Request {
 public:
  using Work = absl::AnyInvocable<absl::StatusOr<T>(VolumeState&, DiscProcess&, Request&) &&>;

  FunctionRequest(FileName file, bool changes, Work work, Done<T> done)
      : file_(std::move(file)), changes_(changes), work_(std::move(work)), done_(std::move(done)) {}

  FileEntry* Target(VolumeState& state) override { return FindFile(state, file_); }
  bool changes() const override { return changes_; }

  void Execute(VolumeState& state, DiscProcess& process) override {
    result_ = std::move(work_)(state, process, *this);
  }
  void Reply(const absl::Status& volume, bool) override {
    if (!volume.ok()) result_ = volume;
    std::move(done_)(std::move(result_));
  }

 private:
  const FileName file_;
  const bool changes_;
  Work work_;
  Done<T> done_;
  absl::StatusOr<T> result_ = absl::UnknownError("not executed");
};

template <typename T>
void SubmitFunction(DiscProcess& process, FileName file, bool changes,
                    typename FunctionRequest<T>::Work work, Done<T> done) {
  process.Submit(std::make_unique<FunctionRequest<T>>(std::move(file), changes, std::move(work),
                                                      std::move(done)));
}

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_FUNCTION_REQUEST_H_
