// Has the kernel begin to write a file's dirty pages while more of them are being made.
//
// LMDB writes a commit into the page cache and syncs it at its end: the disc is idle for most of a
// large commit and then busy with all of it, which is what syncs of other files wait for. Begun
// early, the disc works beside the commit and the sync finds little left. Pages may reach the disc
// at any time before that sync anyway, so that nothing depends on this.
#ifndef QUIRE_SERVER_STORE_EARLY_WRITE_BACK_H_
#define QUIRE_SERVER_STORE_EARLY_WRITE_BACK_H_

#include <thread>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

namespace quire {

// While it lives, a thread of its own asks every kEveryMicros. Advice: where it fails, or where
// there is no thread, the sync at the end does all.
class EarlyWriteBack {
 public:
  // Well below what a sync takes, well above what asking does.
  static constexpr int64_t kEveryMicros = 3000;

  // `descriptor` stays the caller's and open.
  explicit EarlyWriteBack(int descriptor);
  ~EarlyWriteBack();
  EarlyWriteBack(const EarlyWriteBack&) = delete;
  EarlyWriteBack& operator=(const EarlyWriteBack&) = delete;

 private:
  void Loop();

  const int descriptor_;
  Mutex mutex_;
  CondVar ends_;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_EARLY_WRITE_BACK_H_
