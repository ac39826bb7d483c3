// Where command lines come from.
#ifndef QUIRE_CLIENT_COMMAND_LINE_SOURCE_H_
#define QUIRE_CLIENT_COMMAND_LINE_SOURCE_H_

#include <istream>
#include <optional>
#include <string>

namespace quire {

class LineSource {
 public:
  virtual ~LineSource() = default;
  // The next line without its end; empty at the end of input. `prompt` is for those who have
  // somebody to show it to.
  virtual std::optional<std::string> Next(const std::string& prompt) = 0;
};

// Lines of a stream, which outlives the source; no prompt. Line ends may be CR LF.
class StreamLines : public LineSource {
 public:
  explicit StreamLines(std::istream& input) : input_(input) {}
  std::optional<std::string> Next(const std::string& prompt) override;

 private:
  std::istream& input_;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_COMMAND_LINE_SOURCE_H_
