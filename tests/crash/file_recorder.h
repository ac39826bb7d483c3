// Records what a program does to the files below one directory (R-D16 b).
//
// file_interposer.cc defines open, write, fdatasync and their kin in the test program itself, in
// front of the C library's, also for the shared libraries it uses; it reports here.
#ifndef QUIRE_TESTS_CRASH_FILE_RECORDER_H_
#define QUIRE_TESTS_CRASH_FILE_RECORDER_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"
#include "tests/crash/file_recording.h"

namespace quire::test {

class FileRecorder {
 public:
  // The one that the interposed calls report to; never destroyed.
  static FileRecorder& Instance();

  // Begins a record of everything below `root` (which exists). Its first events are what is there
  // already, as durable.
  void Start(const std::string& root);
  FileRecording Stop();
  bool active() const { return active_.load(std::memory_order_acquire); }

  // Events so far: what happened after this call has a number at least that high.
  uint64_t event_count() const { return event_count_.load(std::memory_order_acquire); }

  // Told by the interposer, with `mutex` held from before the call to after it.
  Mutex mutex;
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK(mutex) {}
  void Opened(int descriptor, const std::string& path, int flags, bool is_new, bool is_directory)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void Closed(int descriptor) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void Written(int descriptor, uint64_t offset, std::string_view bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void Resized(int descriptor, uint64_t bytes, bool only_grows)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void Synced(int descriptor) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void Renamed(const std::string& from, const std::string& to) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void Unlinked(const std::string& path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void MadeDirectory(const std::string& path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

 private:
  struct Descriptor {
    int node = 0;
    bool synchronous = false;
  };
  using Directory = FileRecording::Directory;

  void Add(FileEvent event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // Path below the root as (directory node, name); false when it is elsewhere or not recorded.
  bool Locate(const std::string& path, int* directory, std::string* name) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void AddPresent(const std::string& path, int directory) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  std::atomic<bool> active_ = false;
  std::atomic<uint64_t> event_count_ = 0;
  std::string root_ ABSL_GUARDED_BY(mutex);
  FileRecording record_ ABSL_GUARDED_BY(mutex);
  std::map<int, Descriptor> descriptors_ ABSL_GUARDED_BY(mutex);
  std::map<int, Directory> tree_ ABSL_GUARDED_BY(mutex);  // as the program sees it; 0: the root
  int next_node_ ABSL_GUARDED_BY(mutex) = 1;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_FILE_RECORDER_H_
