// The options that say where a command's results go.
#include <string>

#include "absl/flags/flag.h"
#include "client/bench/page/result_page.h"

ABSL_FLAG(std::string, json, "", "file for the measurements");
ABSL_FLAG(std::string, html, "", "file for the page with tables and pictures");
ABSL_FLAG(bool, strict, false, "missed goals (csvload: of time too) make the exit code 1");

namespace quire {
namespace bench {

PublishOptions PublishFlags() {
  return {.json = absl::GetFlag(FLAGS_json),
          .html = absl::GetFlag(FLAGS_html),
          .strict = absl::GetFlag(FLAGS_strict)};
}

}  // namespace bench
}  // namespace quire
