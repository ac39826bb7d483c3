// PostgreSQL's binary COPY format (its manual, COPY, "Binary Format"), as far as rows of a key and
// a record need it.
#ifndef QUIRE_CLIENT_BENCH_PEERS_COPY_FORMAT_H_
#define QUIRE_CLIENT_BENCH_PEERS_COPY_FORMAT_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"

namespace quire {
namespace bench {

std::string CopyHead();
// A row of two fields.
void AppendCopyRow(std::string_view key, std::string_view record, std::string* bytes);
std::string CopyTail();

// Takes rows of one field apart. libpq gives each row as one piece, the head before the first.
class CopyReader {
 public:
  // Visits the piece's records. After a piece that is no row nothing more is visited.
  void Take(std::string_view piece, absl::FunctionRef<void(std::string_view)> visit);
  // Head, rows and tail came as they should.
  bool whole() const { return ended_ && !damaged_; }

 private:
  bool begun_ = false;
  bool ended_ = false;
  bool damaged_ = false;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_COPY_FORMAT_H_
