// Groups the files of a listing for FILES, FILENAMES and SUBVOLS.
#ifndef QUIRE_CLIENT_FUP_NAME_GROUPS_H_
#define QUIRE_CLIENT_FUP_NAME_GROUPS_H_

#include <ostream>
#include <vector>

#include "quire/file_info.h"

namespace quire {

// "$VOLUME.SUBVOL" and below it the file-ids, subvolume after subvolume in name order.
void PrintNamesBySubvolume(const std::vector<FileInfo>& files, std::ostream& out);
// "$VOLUME" and below it the subvolumes, each once, volume after volume.
void PrintSubvolumesByVolume(const std::vector<FileInfo>& files, std::ostream& out);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_NAME_GROUPS_H_
