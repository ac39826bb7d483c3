// Records what a program does to the files below one directory, and builds from the record what a
// power cut at any moment could have left of them (R-D16 b).
//
// file_interposer.cc defines open, write, fdatasync and their kin in the test program itself, in
// front of the C library's, also for the shared libraries it uses; it reports here.
//
// What survives a cut: data that a sync (or a synchronous write) covered before it; of the rest any
// sectors of 512 bytes, at random. Of the entries of a directory: those its last sync covered, and
// any number of those that followed, in their order.
#ifndef QUIRE_TESTS_CRASH_FILE_RECORDER_H_
#define QUIRE_TESTS_CRASH_FILE_RECORDER_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

namespace quire::test {

class FileRecorder {
 public:
  // The one that the interposed calls report to; never destroyed.
  static FileRecorder& Instance();

  // Begins a record of everything below `root` (which exists), and forgets the one before.
  void Start(const std::string& root);
  void Stop();
  bool active() const { return active_.load(std::memory_order_acquire); }

  // Events so far: what happened after this call has a number at least that high.
  uint64_t event_count() const { return event_count_.load(std::memory_order_acquire); }

  // Writes to `directory` (made) what a cut could leave when the events below `moment` had happened
  // and the next one was under way.
  void Rebuild(uint64_t moment, std::mt19937_64& random, const std::string& directory);

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
  enum class Kind { kWrite, kGrow, kResize, kSync, kLink, kUnlink, kRename, kMakeDirectory };
  struct Event {
    Kind kind = Kind::kWrite;
    int node = 0;            // the file, or for entries the directory
    uint64_t offset = 0;     // kWrite; kGrow, kResize: the size
    std::string bytes = {};  // kWrite; entries: the name
    std::string to = {};     // kRename: the new name
    int child = 0;           // kLink, kMakeDirectory: what is entered
    bool synchronous = false;
  };
  struct Descriptor {
    int node = 0;
    bool synchronous = false;
  };
  using Directory = std::map<std::string, int>;
  struct Image {
    std::map<int, std::string> files;
    std::map<int, Directory> directories;
  };

  void Add(Event event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // Path below the root as (directory node, name); false when it is elsewhere or not recorded.
  bool Locate(const std::string& path, int* directory, std::string* name) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  static bool IsEntry(Kind kind) { return kind >= Kind::kLink; }
  // For each event below `moment`: whether a sync made it durable.
  std::vector<bool> DurableEvents(uint64_t moment) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  // Per directory: its entry events below this number survive.
  std::map<int, uint64_t> KeptEntries(const std::vector<bool>& durable, uint64_t end,
                                      std::mt19937_64& random) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void ApplyData(const Event& event, bool whole, uint64_t share, std::mt19937_64& random,
                 std::string* content) const;
  void ApplyEntry(const Event& event, Directory* directory) const;
  static void WriteOut(const Image& image, int directory, const std::string& path);

  std::atomic<bool> active_ = false;
  std::atomic<uint64_t> event_count_ = 0;
  std::string root_ ABSL_GUARDED_BY(mutex);
  std::vector<Event> events_ ABSL_GUARDED_BY(mutex);
  std::map<int, Descriptor> descriptors_ ABSL_GUARDED_BY(mutex);
  std::map<int, Directory> tree_ ABSL_GUARDED_BY(mutex);  // as the program sees it; 0: the root
  int next_node_ ABSL_GUARDED_BY(mutex) = 1;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_FILE_RECORDER_H_
