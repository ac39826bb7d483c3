#include "client/command/terminal_lines.h"

#include <histedit.h>

#include <cstdio>
#include <string_view>

namespace quire {
namespace {

constexpr int kHistoryLines = 1000;

}  // namespace

struct TerminalLines::Editor {
  EditLine* lines = nullptr;
  History* history = nullptr;
  HistEvent event = {};
  std::string prompt;

  static char* Prompt(EditLine* lines) {
    Editor* self = nullptr;
    el_get(lines, EL_CLIENTDATA, &self);
    return self->prompt.data();
  }
};

TerminalLines::TerminalLines(const std::string& program) : editor_(std::make_unique<Editor>()) {
  Editor& e = *editor_;
  e.lines = el_init(program.c_str(), stdin, stdout, stderr);
  e.history = history_init();
  if (e.lines == nullptr || e.history == nullptr) return;
  history(e.history, &e.event, H_SETSIZE, kHistoryLines);
  history(e.history, &e.event, H_SETUNIQUE, 1);
  el_set(e.lines, EL_CLIENTDATA, &e);
  el_set(e.lines, EL_PROMPT, &Editor::Prompt);
  el_set(e.lines, EL_EDITOR, "emacs");
  el_set(e.lines, EL_SIGNAL, 1);
  el_set(e.lines, EL_HIST, history, e.history);
  el_source(e.lines, nullptr);  // the user's own key bindings
}

TerminalLines::~TerminalLines() {
  if (editor_->lines != nullptr) el_end(editor_->lines);
  if (editor_->history != nullptr) history_end(editor_->history);
}

std::optional<std::string> TerminalLines::Next(const std::string& prompt) {
  Editor& e = *editor_;
  if (e.lines == nullptr || e.history == nullptr) return std::nullopt;
  e.prompt = prompt;
  int length = 0;
  const char* line = el_gets(e.lines, &length);
  if (line == nullptr || length <= 0) return std::nullopt;
  std::string text(line, static_cast<size_t>(length));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (!text.empty()) history(e.history, &e.event, H_ENTER, text.c_str());
  return text;
}

}  // namespace quire
