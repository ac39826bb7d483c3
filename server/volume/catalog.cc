#include "server/volume/catalog.h"

#include <algorithm>

#include "quire/text.h"
#include "server/base/check.h"

namespace quire {

std::string CatalogKey(const FileName& name) {
  return StrCat(name.subvolume, ".", name.file);
}

FileEntry* Catalog::Add(FileLabel label) {
  next_file_id = std::max(next_file_id, label.id + 1);
  const FileId id = label.id;
  const std::string key = CatalogKey(label.name);
  auto entry = std::make_unique<FileEntry>(std::move(label), cache_);
  FileEntry* const raw = entry.get();
  raw->file.tree().SetReadAhead(read_ahead_);
  QUIRE_CHECK(by_id_.emplace(id, std::move(entry)).second);
  QUIRE_CHECK(by_name_.emplace(key, raw).second);
  return raw;
}

void Catalog::Purge(FileEntry* entry) {
  FileLabel label = entry->label();
  by_name_.erase(CatalogKey(label.name));
  cache_->DropFile(label.id);
  by_id_.erase(label.id);
  AddTombstone(std::move(label));
}

void Catalog::AddTombstone(FileLabel label) {
  next_file_id = std::max(next_file_id, label.id + 1);
  label.purged = true;
  tombstones_[label.id] = std::move(label);
}

FileEntry* Catalog::Find(const FileName& name) const {
  const auto found = by_name_.find(CatalogKey(name));
  return found == by_name_.end() ? nullptr : found->second;
}

FileEntry* Catalog::FindId(FileId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second.get();
}

}  // namespace quire
