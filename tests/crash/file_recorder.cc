#include "tests/crash/file_recorder.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace quire::test {
namespace {

constexpr uint64_t kSectorBytes = 512;  // what a disc writes whole or not at all
// LMDB's lock file and the directory lock say nothing of the data, and are made anew.
bool IsLockFile(const std::string& name) {
  return name == "lock.mdb" || name == "lock";
}

}  // namespace

FileRecorder& FileRecorder::Instance() {
  static auto* const recorder = new FileRecorder;
  return *recorder;
}

void FileRecorder::Start(const std::string& root) {
  MutexLock lock(&mutex);
  root_ = root;
  events_.clear();
  descriptors_.clear();
  tree_.clear();
  tree_[0];
  next_node_ = 1;
  event_count_.store(0, std::memory_order_release);
  active_.store(true, std::memory_order_release);
}

void FileRecorder::Stop() {
  active_.store(false, std::memory_order_release);
}

void FileRecorder::Add(Event event) {
  events_.push_back(std::move(event));
  event_count_.store(events_.size(), std::memory_order_release);
}

bool FileRecorder::Locate(const std::string& path, int* directory, std::string* name) const {
  if (path.size() <= root_.size() || path.compare(0, root_.size(), root_) != 0 ||
      path[root_.size()] != '/') {
    return false;
  }
  int node = 0;
  const std::filesystem::path below = path.substr(root_.size() + 1);
  for (auto part = below.begin(); part != below.end(); ++part) {
    if (std::next(part) == below.end()) {
      *directory = node;
      *name = part->string();
      return !IsLockFile(*name);
    }
    const auto entry = tree_.at(node).find(part->string());
    if (entry == tree_.at(node).end() || !tree_.contains(entry->second)) return false;
    node = entry->second;
  }
  return false;
}

void FileRecorder::Opened(int descriptor, const std::string& path, int flags, bool is_new,
                          bool is_directory) {
  descriptors_.erase(descriptor);
  std::string clean = std::filesystem::path(path).lexically_normal().string();
  if (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  const bool synchronous = (flags & O_DSYNC) != 0;
  if (is_directory && clean == root_) {
    descriptors_[descriptor] = {0, false};
    return;
  }
  int directory = 0;
  std::string name;
  if (!Locate(clean, &directory, &name)) return;
  Directory& entries = tree_[directory];
  if (is_new) {
    entries[name] = next_node_;
    Event event{.kind = Kind::kLink, .node = directory};
    event.bytes = name;
    event.child = next_node_++;
    Add(std::move(event));
  }
  const auto entry = entries.find(name);
  if (entry == entries.end()) return;
  descriptors_[descriptor] = {entry->second, synchronous};
  if ((flags & O_TRUNC) != 0 && !is_new) Resized(descriptor, 0, false);
}

void FileRecorder::Closed(int descriptor) {
  descriptors_.erase(descriptor);
}

void FileRecorder::Written(int descriptor, uint64_t offset, std::string_view bytes) {
  const auto found = descriptors_.find(descriptor);
  if (found == descriptors_.end()) return;
  Event event{.kind = Kind::kWrite, .node = found->second.node, .offset = offset};
  event.bytes = std::string(bytes);
  event.synchronous = found->second.synchronous;
  Add(std::move(event));
}

void FileRecorder::Resized(int descriptor, uint64_t bytes, bool only_grows) {
  const auto found = descriptors_.find(descriptor);
  if (found == descriptors_.end()) return;
  Add({.kind = only_grows ? Kind::kGrow : Kind::kResize,
       .node = found->second.node,
       .offset = bytes});
}

void FileRecorder::Synced(int descriptor) {
  const auto found = descriptors_.find(descriptor);
  if (found != descriptors_.end()) Add({.kind = Kind::kSync, .node = found->second.node});
}

void FileRecorder::Renamed(const std::string& from, const std::string& to) {
  int directory = 0;
  int to_directory = 0;
  Event event{.kind = Kind::kRename};
  if (!Locate(from, &directory, &event.bytes) || !Locate(to, &to_directory, &event.to)) return;
  event.node = directory;
  if (directory != to_directory) {
    // Of two directories, each has its own sync: an entry in one and the end of one in the other.
    const int child = tree_[directory].at(event.bytes);
    tree_[directory].erase(event.bytes);
    tree_[to_directory][event.to] = child;
    Event link{.kind = Kind::kLink, .node = to_directory};
    link.bytes = event.to;
    link.child = child;
    Add(std::move(link));
    event.kind = Kind::kUnlink;
  } else {
    ApplyEntry(event, &tree_[directory]);
  }
  Add(std::move(event));
}

void FileRecorder::Unlinked(const std::string& path) {
  Event event{.kind = Kind::kUnlink};
  if (!Locate(path, &event.node, &event.bytes)) return;
  tree_[event.node].erase(event.bytes);
  Add(std::move(event));
}

void FileRecorder::MadeDirectory(const std::string& path) {
  Event event{.kind = Kind::kMakeDirectory};
  if (!Locate(path, &event.node, &event.bytes)) return;
  event.child = next_node_++;
  tree_[event.node][event.bytes] = event.child;
  tree_[event.child];
  Add(std::move(event));
}

std::vector<bool> FileRecorder::DurableEvents(uint64_t moment) const {
  std::vector<bool> durable(moment, false);
  std::map<int, bool> synced;  // per node: a sync follows
  for (uint64_t i = moment; i-- > 0;) {
    const Event& event = events_[i];
    if (event.kind == Kind::kSync) synced[event.node] = true;
    durable[i] = event.synchronous || synced[event.node];
  }
  return durable;
}

void FileRecorder::ApplyData(const Event& event, bool whole, uint64_t share,
                             std::mt19937_64& random, std::string* content) const {
  if (event.kind != Kind::kWrite) {
    if (!whole && random() % 2 == 0) return;
    if (event.kind == Kind::kResize || content->size() < event.offset) {
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

void FileRecorder::ApplyEntry(const Event& event, Directory* directory) const {
  if (event.kind == Kind::kLink || event.kind == Kind::kMakeDirectory) {
    (*directory)[event.bytes] = event.child;
  } else if (event.kind == Kind::kUnlink) {
    directory->erase(event.bytes);
  } else if (const auto entry = directory->find(event.bytes); entry != directory->end()) {
    const int child = entry->second;
    directory->erase(entry);
    (*directory)[event.to] = child;
  }
}

std::map<int, uint64_t> FileRecorder::KeptEntries(const std::vector<bool>& durable, uint64_t end,
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

void FileRecorder::Rebuild(uint64_t moment, std::mt19937_64& random, const std::string& directory) {
  MutexLock lock(&mutex);
  const std::vector<bool> durable = DurableEvents(moment);
  // Data of the event under way may be on disc too.
  const uint64_t end = std::min<uint64_t>(moment + 1, events_.size());
  const uint64_t share = random() % 101;
  std::map<int, uint64_t> entries_kept = KeptEntries(durable, end, random);
  Image image;
  image.directories[0];
  for (uint64_t i = 0; i < end; ++i) {
    const Event& event = events_[i];
    if (event.kind == Kind::kSync) continue;
    if (IsEntry(event.kind)) {
      if (i < entries_kept[event.node]) ApplyEntry(event, &image.directories[event.node]);
      if (event.kind == Kind::kMakeDirectory) image.directories[event.child];
      if (event.kind == Kind::kLink) image.files[event.child];
    } else {
      ApplyData(event, i < moment && durable[i], share, random, &image.files[event.node]);
    }
  }
  WriteOut(image, 0, directory);
}

void FileRecorder::WriteOut(const Image& image, int directory, const std::string& path) {
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
