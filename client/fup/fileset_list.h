// The fileset lists of commands that go from file to file.
#ifndef QUIRE_CLIENT_FUP_FILESET_LIST_H_
#define QUIRE_CLIENT_FUP_FILESET_LIST_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/fup/session.h"
#include "client/fup/token_cursor.h"

namespace quire {

// The files that `fileset` means: itself without wild cards, else those that match, secondaries
// left out. 13; 11 when none matches; what List answers.
absl::StatusOr<std::vector<FileName>> FilesOf(const std::string& fileset, FupSession& session,
                                              FileSystem& files);

// One fileset, or ( fileset, fileset … ): without parentheses a list would swallow the options
// behind it. There must be one.
absl::StatusOr<std::vector<std::string>> TakeFilesetList(TokenCursor& cursor);

// Calls `visit` for every file that a list names, in the order of the list and then by name; not
// for secondary partitions, which go with their file. An error of one name or visit is reported to
// the session, and the others follow.
void ForEachFile(const std::vector<std::string>& filesets, FupSession& session, FileSystem& files,
                 absl::FunctionRef<absl::Status(const FileName&)> visit);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_FILESET_LIST_H_
