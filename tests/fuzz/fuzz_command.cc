// FUP's command text: lines as somebody may type or send them, up to the parsed command. Nothing is
// run. Every command gets an answer or an error with a sentence.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/command/command_reader.h"
#include "client/fup/parse_command.h"
#include "server/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(data, data + size);
  quire::CommandReader reader;
  const auto parse_all = [](const std::vector<std::string>& commands) {
    for (const std::string& command : commands) {
      const auto parsed = quire::ParseCommand(command);
      QUIRE_CHECK(parsed.ok() || !parsed.status().message().empty());
    }
  };
  size_t start = 0;
  while (start <= text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const auto commands = reader.AddLine(std::string_view(text).substr(start, end - start));
    if (commands.ok()) parse_all(*commands);
    start = end + 1;
  }
  parse_all(reader.Finish());
  return 0;
}
