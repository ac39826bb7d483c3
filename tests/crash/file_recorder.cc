#include "tests/crash/file_recorder.h"

#include <fcntl.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace quire::test {
namespace {

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
  record_ = FileRecording();
  descriptors_.clear();
  tree_.clear();
  tree_[0];
  next_node_ = 1;
  event_count_.store(0, std::memory_order_release);
  AddPresent(root, 0);
  active_.store(true, std::memory_order_release);
}

// Files and folders that are there before: durable.
void FileRecorder::AddPresent(const std::string& path, int directory) {
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    FileEvent event{.kind = FileEvent::Kind::kLink, .node = directory};
    event.bytes = entry.path().filename().string();
    if (IsLockFile(event.bytes)) continue;
    event.synchronous = true;
    const int node = event.child = next_node_++;
    tree_[directory][event.bytes] = node;
    if (entry.is_directory()) {
      event.kind = FileEvent::Kind::kMakeDirectory;
      Add(std::move(event));
      tree_[node];
      AddPresent(entry.path().string(), node);
      continue;
    }
    Add(std::move(event));
    FileEvent content{.kind = FileEvent::Kind::kWrite, .node = node};
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    content.bytes = std::move(bytes).str();
    content.synchronous = true;
    Add(std::move(content));
  }
}

FileRecording FileRecorder::Stop() {
  active_.store(false, std::memory_order_release);
  MutexLock lock(&mutex);
  return std::exchange(record_, FileRecording());
}

void FileRecorder::Add(FileEvent event) {
  record_.Add(std::move(event));
  event_count_.store(record_.size(), std::memory_order_release);
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
    FileEvent event{.kind = FileEvent::Kind::kLink, .node = directory};
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
  FileEvent event{.kind = FileEvent::Kind::kWrite, .node = found->second.node, .offset = offset};
  event.bytes = std::string(bytes);
  event.synchronous = found->second.synchronous;
  Add(std::move(event));
}

void FileRecorder::Resized(int descriptor, uint64_t bytes, bool only_grows) {
  const auto found = descriptors_.find(descriptor);
  if (found == descriptors_.end()) return;
  Add({.kind = only_grows ? FileEvent::Kind::kGrow : FileEvent::Kind::kResize,
       .node = found->second.node,
       .offset = bytes});
}

void FileRecorder::Synced(int descriptor) {
  const auto found = descriptors_.find(descriptor);
  if (found != descriptors_.end())
    Add({.kind = FileEvent::Kind::kSync, .node = found->second.node});
}

void FileRecorder::Renamed(const std::string& from, const std::string& to) {
  int directory = 0;
  int to_directory = 0;
  FileEvent event{.kind = FileEvent::Kind::kRename};
  if (!Locate(from, &directory, &event.bytes) || !Locate(to, &to_directory, &event.to)) return;
  event.node = directory;
  if (directory != to_directory) {
    // Of two directories, each has its own sync: an entry in one and the end of one in the other.
    const int child = tree_[directory].at(event.bytes);
    tree_[directory].erase(event.bytes);
    tree_[to_directory][event.to] = child;
    FileEvent link{.kind = FileEvent::Kind::kLink, .node = to_directory};
    link.bytes = event.to;
    link.child = child;
    Add(std::move(link));
    event.kind = FileEvent::Kind::kUnlink;
  } else {
    FileRecording::ApplyEntry(event, &tree_[directory]);
  }
  Add(std::move(event));
}

void FileRecorder::Unlinked(const std::string& path) {
  FileEvent event{.kind = FileEvent::Kind::kUnlink};
  if (!Locate(path, &event.node, &event.bytes)) return;
  tree_[event.node].erase(event.bytes);
  Add(std::move(event));
}

void FileRecorder::MadeDirectory(const std::string& path) {
  FileEvent event{.kind = FileEvent::Kind::kMakeDirectory};
  if (!Locate(path, &event.node, &event.bytes)) return;
  event.child = next_node_++;
  tree_[event.node][event.bytes] = event.child;
  tree_[event.child];
  Add(std::move(event));
}

}  // namespace quire::test
