#include "client/fup/name_groups.h"

#include <map>
#include <set>
#include <string>

#include "client/fup/listing.h"
#include "quire/text.h"

namespace quire {
namespace {

using Groups = std::map<std::string, std::set<std::string>>;

void Print(const Groups& groups, std::ostream& out) {
  for (const auto& [heading, names] : groups) {
    PrintNames(heading, std::vector<std::string>(names.begin(), names.end()), out);
  }
}

std::string VolumeOf(const FileName& name) {
  return name.node.empty() ? name.volume : StrCat(name.node, ".", name.volume);
}

}  // namespace

void PrintNamesBySubvolume(const std::vector<FileInfo>& files, std::ostream& out) {
  Groups groups;
  for (const FileInfo& info : files) {
    groups[StrCat(VolumeOf(info.name), ".", info.name.subvolume)].insert(info.name.file);
  }
  Print(groups, out);
}

void PrintSubvolumesByVolume(const std::vector<FileInfo>& files, std::ostream& out) {
  Groups groups;
  for (const FileInfo& info : files) groups[VolumeOf(info.name)].insert(info.name.subvolume);
  Print(groups, out);
}

}  // namespace quire
