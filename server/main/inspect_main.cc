// quire-inspect: offline dump and check of a volume's directory. Never writes. Flags and wiring
// only.
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "quire/error.h"
#include "quire/program.h"
#include "server/main/inspect_command.h"

ABSL_FLAG(bool, hex, false, "block, meta: all bytes too");
ABSL_FLAG(bool, snapshot, false, "also beside a running server: its last control point");
ABSL_FLAG(std::string, trail, "", "directory of the audit trail, where it is not DIR/trail");

namespace {

constexpr char kUsage[] =
    "quire-inspect DIR [command] [--hex] [--snapshot] [--trail DIR]\n\n"
    "Shows what is in the directory of a volume that no server has. Never writes. With --snapshot\n"
    "also beside a running server: the last control point, and the trail as far as it is whole\n"
    "(this takes a place in LMDB's table of readers, store/lock.mdb, and nothing else).\n"
    "  (nothing)          meta, then files\n"
    "  meta               volume, epoch, age of the store, sizes of its meta values\n"
    "  files              one line a label\n"
    "  label NAME         a label; NAME is SUBVOL.FILE, '$VOL.SUBVOL.FILE' or '#' and a file id\n"
    "  blocks NAME [N]    one line a block, from block N on\n"
    "  block NAME N       header and items of a block\n"
    "  trail              segments, batches and records of the audit trail\n"
    "  check              every label, block, tree, and the trail; the first bad thing per file\n"
    "Exit codes: 0 nothing wrong, 1 faults found, 2 bad command, 3 cannot be read.";

constexpr int kExitFaults = 1;
constexpr int kExitBadCommand = 2;
constexpr int kExitUnreadable = 3;

bool IsBadCommand(const absl::Status& status) {
  const quire::ErrorNumber number = quire::NumberOf(status);
  return number == quire::ErrorNumber::kBadParameter ||
         number == quire::ErrorNumber::kIllegalName || number == quire::ErrorNumber::kNotFound;
}

}  // namespace

int main(int argc, char** argv) {
  const quire::ProgramArguments arguments =
      quire::ParseProgram(argc, argv, {"quire-inspect", QUIRE_VERSION, kUsage});
  if (arguments.exit_code) return *arguments.exit_code;
  if (arguments.positional.empty()) {
    std::cerr << "quire-inspect: name the directory of a volume; see --help\n";
    return kExitBadCommand;
  }
  const std::vector<std::string>& words = arguments.positional;
  const absl::StatusOr<uint64_t> faults =
      quire::Inspect({.directory = words[0],
                      .trail_directory = absl::GetFlag(FLAGS_trail),
                      .words = {words.begin() + 1, words.end()},
                      .hex = absl::GetFlag(FLAGS_hex),
                      .snapshot = absl::GetFlag(FLAGS_snapshot)},
                     std::cout);
  if (faults.ok()) return *faults == 0 ? 0 : kExitFaults;
  std::cerr << "quire-inspect: " << quire::Describe(faults.status()) << '\n';
  return IsBadCommand(faults.status()) ? kExitBadCommand : kExitUnreadable;
}
