// Labels and blocks as text for people.
#ifndef QUIRE_SERVER_MAIN_INSPECT_PRINT_H_
#define QUIRE_SERVER_MAIN_INSPECT_PRINT_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "server/base/ids.h"
#include "server/keyseq/file_label.h"

namespace quire {

// One line.
void PrintFileLine(const FileLabel& label, std::ostream& out);
// Every field of a label.
void PrintLabel(const FileLabel& label, std::ostream& out);
// One line on a stored block: level, items, links, and whether it checks.
void PrintBlockLine(FileId file, BlockNumber block, std::string_view image, std::ostream& out);
// Header fields, then every item with its slot, as far as they can be told. `key` of the file, when
// its label is known.
void PrintBlock(FileId file, BlockNumber block, std::string_view image, std::optional<KeyField> key,
                std::ostream& out);
// Offset, 16 bytes and their characters on a line.
void PrintHex(std::string_view bytes, std::ostream& out);

// "data", "bitmap", "index level 2".
std::string LevelText(uint8_t level);
// " BUFFERED AUDIT purged pending BAD", as far as they are so.
std::string FlagsText(const FileLabel& label);
// Of Unix microseconds; "never" for 0.
std::string TimeText(int64_t time_us);
// Printable, cut so that a line stays readable.
std::string ItemText(std::string_view item);
// Bytes as text: what cannot be printed becomes \xNN.
std::string Printable(std::string_view bytes);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_PRINT_H_
