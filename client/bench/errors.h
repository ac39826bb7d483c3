// Every error quire-bench makes itself: one function per error. Errors of the file system pass
// through with their numbers; RecordRefused adds which record of the input it was.
#ifndef QUIRE_CLIENT_BENCH_ERRORS_H_
#define QUIRE_CLIENT_BENCH_ERRORS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace quire {
namespace bench {

// Files and options. `cause` is an errno value.
absl::Status CannotOpen(std::string_view path, int cause);                 // 11, 48, 43, 22
absl::Status CannotRead(std::string_view path, int cause);                 // 22
absl::Status CannotWrite(std::string_view path, int cause);                // 43, 22
absl::Status BadOption(std::string_view option, std::string_view reason);  // 22

// Report text. Lines count from 1.
absl::Status DamagedReport(uint64_t line, std::string_view reason);               // 22
absl::Status ReportTooLong(uint64_t line, size_t text_bytes, size_t room_bytes);  // 21

// CSV. Rows count from 1; an embedded line end does not start a row.
absl::Status DamagedCsv(uint64_t row, std::string_view reason);                         // 22
absl::Status RaggedRow(uint64_t row, size_t fields, size_t expected);                   // 21
absl::Status KeyColumnMissing(size_t column, size_t fields);                            // 22
absl::Status KeyTooLong(uint64_t row, size_t column, size_t bytes, size_t key_length);  // 21
absl::Status RowTooLong(uint64_t row, size_t row_bytes_at_least, size_t room_bytes);    // 21

// The load. `noun` is what the input counts: "row" or "report block".
absl::Status RecordRefused(std::string_view noun, uint64_t number, const absl::Status& why);
absl::Status Interrupted();  // 40: Ctrl-C

// Server processes.
absl::Status ServerNotStarted(std::string_view volume, std::string_view reason);  // 66
absl::Status ServerEndedBadly(std::string_view volume, std::string_view how);     // 66

// What --profile of a server writes, or should.
absl::Status NoProfile(std::string_view path, std::string_view reason);  // 66
absl::Status DamagedProfile(std::string_view reason);                    // 22

// Growing files.
absl::Status NotEnoughDisc(std::string_view directory, uint64_t records, uint64_t wanted_bytes,
                           uint64_t free_bytes);                                        // 43
absl::Status ChildEndedBadly(std::string_view work, std::string_view said);             // 66
absl::Status OtherRecordRead(uint64_t rank);                                            // 59
absl::Status RecordsMissing(std::string_view file, uint64_t found, uint64_t expected);  // 59
// A scan ended early, or late.
absl::Status OtherRecordCount(std::string_view file, uint64_t given, uint64_t there);  // 59

// Saved measurements.
absl::Status NothingInCommon(std::string_view first_path, std::string_view second_path);  // 22
absl::Status DamagedMeasurements(std::string_view path, std::string_view reason);         // 22

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_ERRORS_H_
