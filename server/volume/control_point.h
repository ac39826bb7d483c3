// The control-point writer: one thread that places the dirty blocks of a cut in the store (R-D3,
// R-D4). It never runs on the committer and never touches the cache's structures, only the images
// of the cut.
#ifndef QUIRE_SERVER_VOLUME_CONTROL_POINT_H_
#define QUIRE_SERVER_VOLUME_CONTROL_POINT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/mutex.h"
#include "server/base/ids.h"
#include "server/store/block_store.h"

namespace quire {

// Names of the values a control point keeps in the store's meta database.
namespace meta_key {
inline constexpr char kVolume[] = "volume";                 // see EncodeVolumeMeta
inline constexpr char kControlPoint[] = "control-point";    // see EncodeControlPointMeta
inline constexpr char kSavedAnswers[] = "saved-answers";    // see answer_table.h
inline constexpr char kCoveredEpochs[] = "covered-epochs";  // see covered_epochs.h
}  // namespace meta_key

// What was true at the cut.
struct ControlPointMeta {
  Lsn lsn = 0;  // the store is complete to here
  uint64_t epoch = 0;
  FileId next_file_id = 1;
  uint64_t change_sequence = 0;  // changes covered (R-D9)
};
std::string EncodeControlPointMeta(const ControlPointMeta& meta);
absl::StatusOr<ControlPointMeta> DecodeControlPointMeta(std::string_view bytes);  // 59

struct ControlPointReport {
  uint64_t blocks_written = 0;
  uint64_t change_sequence = 0;
};

struct ControlPointJob {
  ControlPoint content;
  ControlPointMeta meta;
  uint64_t cut_batch = 0;  // trail batches up to here must be durable first (R-D3)
  int64_t cut_us = 0;      // monotonic
};

struct ControlPointResult {
  absl::StatusOr<CommitResult> commit = absl::UnknownError("not committed");
  ControlPointMeta meta;
  uint64_t blocks = 0;
  int64_t micros = 0;  // from the cut to the commit
};

class ControlPointWriter {
 public:
  struct Environment {
    BlockStore* store;
    std::function<absl::Status(uint64_t batch)> wait_durable;  // blocks
    std::function<void(ControlPointResult)> done;
    std::function<void()> tick;  // every tick_ms, for what goes by time
    uint32_t tick_ms;
    std::function<int64_t()> monotonic_us;
  };
  explicit ControlPointWriter(Environment environment);
  ~ControlPointWriter();  // ends as End does

  void Start();
  // Any thread; one job at a time. Behind the end `done` is called at once, with an error.
  void Submit(ControlPointJob job);
  // Ends the thread after the job that is there, if one is.
  void End();

 private:
  void Loop();
  ControlPointResult Write(ControlPointJob job);

  const Environment environment_;
  Mutex mutex_;
  CondVar wakes_;
  std::optional<ControlPointJob> job_ ABSL_GUARDED_BY(mutex_);
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;  // the thread takes no job any more
  std::thread thread_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_CONTROL_POINT_H_
