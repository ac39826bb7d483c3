#include "tests/crash/file_recording.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace quire::test {
namespace {

constexpr uint64_t kSectorBytes = 512;  // what a disc writes whole or not at all

}  // namespace

std::vector<bool> FileRecording::DurableEvents(uint64_t moment) const {
  std::vector<bool> durable(moment, false);
  std::map<int, bool> synced;  // per node: a sync follows
  for (uint64_t i = moment; i-- > 0;) {
    const FileEvent& event = events_[i];
    if (event.kind == FileEvent::Kind::kSync) synced[event.node] = true;
    durable[i] = event.synchronous || synced[event.node];
  }
  return durable;
}

void FileRecording::ApplyData(const FileEvent& event, bool whole, uint64_t share,
                              std::mt19937_64& random, std::string* content) {
  if (event.kind != FileEvent::Kind::kWrite) {
    if (!whole && random() % 2 == 0) return;
    if (event.kind == FileEvent::Kind::kResize || content->size() < event.offset) {
      content->resize(event.offset, '\0');
    }
    return;
  }
  const uint64_t end = event.offset + event.bytes.size();
  for (uint64_t at = event.offset; at < end;) {
    const uint64_t next = std::min(end, (at / kSectorBytes + 1) * kSectorBytes);
    if (whole || random() % 100 < share) {
      if (content->size() < next) content->resize(next, '\0');
      content->replace(at, next - at, event.bytes, at - event.offset, next - at);
    }
    at = next;
  }
}

void FileRecording::ApplyEntry(const FileEvent& event, Directory* directory) {
  if (event.kind == FileEvent::Kind::kLink || event.kind == FileEvent::Kind::kMakeDirectory) {
    (*directory)[event.bytes] = event.child;
  } else if (event.kind == FileEvent::Kind::kUnlink) {
    directory->erase(event.bytes);
  } else if (const auto entry = directory->find(event.bytes); entry != directory->end()) {
    const int child = entry->second;
    directory->erase(entry);
    (*directory)[event.to] = child;
  }
}

std::map<int, uint64_t> FileRecording::KeptEntries(const std::vector<bool>& durable, uint64_t end,
                                                   std::mt19937_64& random) const {
  std::map<int, uint64_t> kept;
  std::map<int, std::vector<uint64_t>> later;  // not durable, and nothing after them is
  for (uint64_t i = 0; i < end; ++i) {
    if (!IsEntry(events_[i].kind)) continue;
    const int node = events_[i].node;
    if (i < durable.size() && durable[i]) {
      kept[node] = i + 1;
      later[node].clear();
    } else {
      later[node].push_back(i);
    }
  }
  for (const auto& [node, events] : later) {
    const uint64_t more = random() % (events.size() + 1);
    if (more > 0) kept[node] = events[more - 1] + 1;
  }
  return kept;
}

void FileRecording::Rebuild(uint64_t moment, std::mt19937_64& random,
                            const std::string& directory) const {
  const std::vector<bool> durable = DurableEvents(moment);
  // Data of the event under way may be on disc too.
  const uint64_t end = std::min<uint64_t>(moment + 1, events_.size());
  const uint64_t share = random() % 101;
  std::map<int, uint64_t> entries_kept = KeptEntries(durable, end, random);
  Image image;
  image.directories[0];
  for (uint64_t i = 0; i < end; ++i) {
    const FileEvent& event = events_[i];
    if (event.kind == FileEvent::Kind::kSync) continue;
    if (IsEntry(event.kind)) {
      if (i < entries_kept[event.node]) ApplyEntry(event, &image.directories[event.node]);
      if (event.kind == FileEvent::Kind::kMakeDirectory) image.directories[event.child];
      if (event.kind == FileEvent::Kind::kLink) image.files[event.child];
    } else {
      ApplyData(event, i < moment && durable[i], share, random, &image.files[event.node]);
    }
  }
  WriteOut(image, 0, directory);
}

void FileRecording::WriteOut(const Image& image, int directory, const std::string& path) {
  std::filesystem::create_directories(path);
  for (const auto& [name, node] : image.directories.at(directory)) {
    const std::string below = path + "/" + name;
    if (image.directories.contains(node)) {
      WriteOut(image, node, below);
    } else {
      std::ofstream(below, std::ios::binary) << image.files.at(node);
    }
  }
}

}  // namespace quire::test
