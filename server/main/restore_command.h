// quire-volume --restore: a new volume directory made of a backup. Flags and wiring only.
#ifndef QUIRE_SERVER_MAIN_RESTORE_COMMAND_H_
#define QUIRE_SERVER_MAIN_RESTORE_COMMAND_H_

#include <string>
#include <vector>

#include "server/volume/volume.h"

namespace quire {

// Whether --restore was given.
bool RestoreWanted();

// Restores and prints one line. `options` has the sizes and the directory of the new volume; its
// name may be empty. The program's exit code.
int RunRestore(VolumeOptions options, const std::vector<std::string>& archives);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_RESTORE_COMMAND_H_
