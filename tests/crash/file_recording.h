// What happened to the files below one directory, and what a power cut at any moment could have
// left of them (R-D16 b).
//
// What survives a cut: data that a sync (or a synchronous write) covered before it; of the rest any
// sectors of 512 bytes, at random. Of the entries of a directory: those its last sync covered, and
// any number of those that followed, in their order.
#ifndef QUIRE_TESTS_CRASH_FILE_RECORDING_H_
#define QUIRE_TESTS_CRASH_FILE_RECORDING_H_

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace quire::test {

struct FileEvent {
  enum class Kind { kWrite, kGrow, kResize, kSync, kLink, kUnlink, kRename, kMakeDirectory };
  Kind kind = Kind::kWrite;
  int node = 0;            // the file, or for entries the directory; 0: the root
  uint64_t offset = 0;     // kWrite; kGrow, kResize: the size
  std::string bytes = {};  // kWrite; entries: the name
  std::string to = {};     // kRename: the new name
  int child = 0;           // kLink, kMakeDirectory: what is entered
  bool synchronous = false;
};

class FileRecording {
 public:
  using Directory = std::map<std::string, int>;

  void Add(FileEvent event) { events_.push_back(std::move(event)); }
  uint64_t size() const { return events_.size(); }

  // Writes to `directory` (made) what a cut could leave when the events below `moment` had happened
  // and the next one was under way.
  void Rebuild(uint64_t moment, std::mt19937_64& random, const std::string& directory) const;

  static void ApplyEntry(const FileEvent& event, Directory* directory);

 private:
  struct Image {
    std::map<int, std::string> files;
    std::map<int, Directory> directories;
  };

  static bool IsEntry(FileEvent::Kind kind) { return kind >= FileEvent::Kind::kLink; }
  // For each event below `moment`: whether a sync made it durable.
  std::vector<bool> DurableEvents(uint64_t moment) const;
  // Per directory: its entry events below this number survive.
  std::map<int, uint64_t> KeptEntries(const std::vector<bool>& durable, uint64_t end,
                                      std::mt19937_64& random) const;
  static void ApplyData(const FileEvent& event, bool whole, uint64_t share, std::mt19937_64& random,
                        std::string* content);
  static void WriteOut(const Image& image, int directory, const std::string& path);

  std::vector<FileEvent> events_;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_CRASH_FILE_RECORDING_H_
