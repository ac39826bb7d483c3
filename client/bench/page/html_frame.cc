#include "client/bench/page/html_frame.h"

#include "client/bench/html_chart.h"
#include "client/bench/html_style.h"
#include "quire/text.h"

namespace quire {
namespace bench {

std::string PageStart(std::string_view title) {
  return StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
      EscapeHtml(title), "</title>\n<style>\n", kPageStyle, "</style>\n</head>\n<body>\n<main>\n");
}

}  // namespace bench
}  // namespace quire
