// One connection to PostgreSQL through libpq, with results and errors as values.
#ifndef QUIRE_CLIENT_BENCH_PEERS_POSTGRESQL_CONNECTION_H_
#define QUIRE_CLIENT_BENCH_PEERS_POSTGRESQL_CONNECTION_H_

#include <libpq-fe.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace quire {
namespace bench {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PostgresqlResult = std::unique_ptr<PGresult, ClearResult>;

// The first column of a row, as it came.
std::string_view ValueOf(const PGresult* result, int row);

// One thread at a time. Errors: 22 with the server's words; 66 when it cannot be reached.
class PostgresqlConnection {
 public:
  // `address` in libpq's words.
  static absl::StatusOr<std::unique_ptr<PostgresqlConnection>> Connect(const std::string& address);

  // A command, or some with semicolons.
  absl::Status Execute(const std::string& sql);
  // The only value of a query's only row.
  absl::StatusOr<std::string> Ask(const std::string& sql);
  absl::Status Prepare(const char* name, const char* sql, int parameters);
  // A prepared statement; parameters and answer as bytes. `second` empty: one parameter.
  absl::StatusOr<PostgresqlResult> Run(const char* name, std::string_view first,
                                       std::string_view second);

  // Statements sent without waiting for the ones before. Between Enter and Leave nothing of the
  // above may be called.
  absl::Status EnterPipeline();
  absl::Status Send(const char* name, std::string_view first, std::string_view second);
  absl::Status SendCommand(const char* sql);
  // Ends a part: without a transaction of its own it commits here, as a whole.
  absl::Status Sync();
  // Takes the results up to the end of the oldest part not taken; `visit` gets those with rows.
  absl::Status TakePart(absl::FunctionRef<void(const PGresult*)> visit);
  absl::Status LeavePipeline();

  PGconn* raw() const { return connection_.get(); }
  // An error of the last call, in the server's words.
  absl::Status Failure(std::string_view call) const;

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  explicit PostgresqlConnection(PGconn* connection) : connection_(connection) {}

  const std::unique_ptr<PGconn, Finish> connection_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_POSTGRESQL_CONNECTION_H_
