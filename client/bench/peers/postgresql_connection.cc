#include "client/bench/peers/postgresql_connection.h"

#include "client/bench/errors.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/peer.h"

namespace quire {
namespace bench {
namespace {

constexpr int kBinary = 1;

// libpq's arrays of one or two parameters.
struct Parameters {
  Parameters(std::string_view first, std::string_view second)
      : count(second.empty() ? 1 : 2),
        values{first.data(), second.data()},
        lengths{static_cast<int>(first.size()), static_cast<int>(second.size())} {}
  int count;
  std::array<const char*, 2> values;
  std::array<int, 2> lengths;
  std::array<int, 2> formats{kBinary, kBinary};
};

bool IsGood(ExecStatusType status) {
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

}  // namespace

std::string_view ValueOf(const PGresult* result, int row) {
  return {PQgetvalue(result, row, 0), static_cast<size_t>(PQgetlength(result, row, 0))};
}

absl::Status PostgresqlConnection::Failure(std::string_view call) const {
  return PeerRefused(kPostgresql, call, PQerrorMessage(connection_.get()));
}

absl::StatusOr<std::unique_ptr<PostgresqlConnection>> PostgresqlConnection::Connect(
    const std::string& address) {
  std::unique_ptr<PostgresqlConnection> connection(
      new PostgresqlConnection(PQconnectdb(address.c_str())));
  if (PQstatus(connection->raw()) != CONNECTION_OK) {
    return ServerNotStarted(kPostgresql, PQerrorMessage(connection->raw()));
  }
  return connection;
}

absl::Status PostgresqlConnection::Execute(const std::string& sql) {
  const PostgresqlResult result(PQexec(raw(), sql.c_str()));
  return IsGood(PQresultStatus(result.get())) ? absl::OkStatus() : Failure(sql);
}

absl::StatusOr<std::string> PostgresqlConnection::Ask(const std::string& sql) {
  const PostgresqlResult result(PQexec(raw(), sql.c_str()));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK || PQntuples(result.get()) != 1) {
    return Failure(sql);
  }
  return std::string(ValueOf(result.get(), 0));
}

absl::Status PostgresqlConnection::Prepare(const char* name, const char* sql, int parameters) {
  const PostgresqlResult result(PQprepare(raw(), name, sql, parameters, nullptr));
  return PQresultStatus(result.get()) == PGRES_COMMAND_OK ? absl::OkStatus() : Failure(sql);
}

absl::StatusOr<PostgresqlResult> PostgresqlConnection::Run(const char* name, std::string_view first,
                                                           std::string_view second) {
  const Parameters given(first, second);
  PostgresqlResult result(PQexecPrepared(raw(), name, given.count, given.values.data(),
                                         given.lengths.data(), given.formats.data(), kBinary));
  if (!IsGood(PQresultStatus(result.get()))) return Failure(name);
  return result;
}

absl::Status PostgresqlConnection::EnterPipeline() {
  return PQenterPipelineMode(raw()) == 1 ? absl::OkStatus() : Failure("PQenterPipelineMode");
}

absl::Status PostgresqlConnection::Send(const char* name, std::string_view first,
                                        std::string_view second) {
  const Parameters given(first, second);
  return PQsendQueryPrepared(raw(), name, given.count, given.values.data(), given.lengths.data(),
                             given.formats.data(), kBinary) == 1
             ? absl::OkStatus()
             : Failure(name);
}

absl::Status PostgresqlConnection::SendCommand(const char* sql) {
  return PQsendQueryParams(raw(), sql, 0, nullptr, nullptr, nullptr, nullptr, kBinary) == 1
             ? absl::OkStatus()
             : Failure(sql);
}

absl::Status PostgresqlConnection::Sync() {
  return PQpipelineSync(raw()) == 1 ? absl::OkStatus() : Failure("PQpipelineSync");
}

absl::Status PostgresqlConnection::TakePart(absl::FunctionRef<void(const PGresult*)> visit) {
  absl::Status result;
  for (;;) {
    const PostgresqlResult one(PQgetResult(raw()));
    if (one == nullptr) {  // the end of one statement's results
      if (PQstatus(raw()) != CONNECTION_OK) return Failure("PQgetResult");
      continue;
    }
    switch (PQresultStatus(one.get())) {
      case PGRES_PIPELINE_SYNC:
        return result;
      case PGRES_COMMAND_OK:
        break;
      case PGRES_TUPLES_OK:
        visit(one.get());
        break;
      case PGRES_PIPELINE_ABORTED:  // behind the statement that was refused
        break;
      default:
        result.Update(PeerRefused(kPostgresql, "pipeline", PQresultErrorMessage(one.get())));
    }
  }
}

absl::Status PostgresqlConnection::LeavePipeline() {
  return PQexitPipelineMode(raw()) == 1 ? absl::OkStatus() : Failure("PQexitPipelineMode");
}

}  // namespace bench
}  // namespace quire
