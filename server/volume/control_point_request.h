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
// volume's error, when it never ran. `file` (may be empty) is the file that admission goes by. One
// that `changes` the file waits where its records' changes wait, behind those that came before it;
// a mere wish for a control point does not, for it is what makes room.
class ControlPointRequest : public Request {
 public:
  using Start = absl::AnyInvocable<void(VolumeState&, DiscProcess&, Request&, DoneStatus) &&>;

  ControlPointRequest(FileName file, bool changes, Start start, DoneStatus done)
      : file_(std::move(file)),
        changes_(changes),
        start_(std::move(start)),
        done_(std::move(done)) {}

  FileEntry* Target(VolumeState& state) override { return FindFile(state, file_); }
  bool changes() const override { return changes_; }
  bool bulk() const override { return changes_; }  // else it would pass changes that wait as such
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
  const bool changes_;
  Start start_;
  DoneStatus done_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_CONTROL_POINT_REQUEST_H_
