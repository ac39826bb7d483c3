#include "server/store/early_write_back.h"

#include <fcntl.h>

#include <exception>

#include "server/base/activity.h"

namespace quire {

EarlyWriteBack::EarlyWriteBack(int descriptor) : descriptor_(descriptor) {
  try {
    thread_ = std::thread([this] { Loop(); });
  } catch (const std::exception&) {
    // Neither thread nor memory to be had: the sync does all.
  }
}

EarlyWriteBack::~EarlyWriteBack() {
  {
    MutexLock lock(&mutex_);
    ending_ = true;
    ends_.Signal();
  }
  if (thread_.joinable()) thread_.join();
}

void EarlyWriteBack::Loop() {
  const ActivityScope activity(Activity::kStore);
  for (;;) {
    {
      MutexLock lock(&mutex_);
      if (!ending_) ends_.WaitForMicros(&mutex_, kEveryMicros);
      if (ending_) return;
    }
    sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
  }
}

}  // namespace quire
