// A request whose answer comes from a control point, not from a batch.
#ifndef QUIRE_SERVER_VOLUME_CONTROL_POINT_REQUEST_H_
#define QUIRE_SERVER_VOLUME_CONTROL_POINT_REQUEST_H_

#include <utility>

#include "absl/functional/any_invocable.h"
#include "quire/file_name.h"
#include "quire/service.h"
#include "server/volume/request.h"
#include "server/volume/resolve.h"

namespace quire {

// `start` runs in the role and sees to it that its DoneStatus is called; `done` is, with the
// volume's error, when it never ran. `file` (may be empty) is the file that admission goes by.
class ControlPointRequest : public Request {
 public:
  using Start = absl::AnyInvocable<void(VolumeState&, DiscProcess&, Request&, DoneStatus) &&>;

  ControlPointRequest(FileName file, Start start, DoneStatus done)
      : file_(std::move(file)), start_(std::move(start)), done_(std::move(done)) {}

  FileEntry* Target(VolumeState& state) override { return FindFile(state, file_); }
  // `start` has `done` then: an exception could not be told any more.
  void Execute(VolumeState& state, DiscProcess& process) noexcept override {
    std::move(start_)(state, process, *this, std::move(done_));
    wait_batch = 0;
  }
  void Reply(const absl::Status& volume, bool executed) override {
    if (!executed) std::move(done_)(volume);
  }

 private:
  const FileName file_;
  Start start_;
  DoneStatus done_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_CONTROL_POINT_REQUEST_H_
