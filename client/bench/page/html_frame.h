// What stands around the content of every page.
#ifndef QUIRE_CLIENT_BENCH_PAGE_HTML_FRAME_H_
#define QUIRE_CLIENT_BENCH_PAGE_HTML_FRAME_H_

#include <string>
#include <string_view>

namespace quire {
namespace bench {

// From the document type to the opened <main>; nothing is fetched from elsewhere.
std::string PageStart(std::string_view title);
inline constexpr const char* kPageEnd = "</main>\n</body>\n</html>\n";

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PAGE_HTML_FRAME_H_
