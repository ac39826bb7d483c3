// A table of printed cells, as text and as HTML.
#ifndef QUIRE_CLIENT_BENCH_PAGE_TABLE_H_
#define QUIRE_CLIENT_BENCH_PAGE_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace quire {
namespace bench {

struct Table {
  std::string title = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // each as long as columns; cells may be empty
  size_t text_columns = 1;  // the first ones: text, to the left; the others: figures, to the right
};

// Title, columns and rows, columns aligned.
std::string RenderText(const Table& table);
// A <section>. Cells "met" and "equal" are marked good, "MISSED" and "DIFFERS" bad. Cells of more
// than 40 characters break into lines, and tables of more than ten columns are set closer.
std::string RenderTable(const Table& table);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PAGE_TABLE_H_
