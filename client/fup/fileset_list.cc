#include "client/fup/fileset_list.h"

#include <utility>

#include "client/fup/errors.h"
#include "client/fup/fileset.h"

namespace quire {
absl::StatusOr<std::vector<FileName>> FilesOf(const std::string& text, FupSession& session,
                                              FileSystem& files) {
  absl::StatusOr<FileName> fileset = session.ResolveFileset(text);
  if (!fileset.ok()) return fileset.status();
  if (!HasWildCard(*fileset)) return std::vector<FileName>{*fileset};
  absl::StatusOr<std::vector<FileInfo>> matching = files.List(*fileset, /*pending=*/false);
  if (!matching.ok()) return OnFile(fileset->ToString(), matching.status());
  std::vector<FileName> names;
  for (const FileInfo& info : *matching) {
    // A secondary partition goes with its file, never by itself.
    if (info.partition == 0) names.push_back(info.name);
  }
  if (names.empty()) return fup_errors::NoFileMatches(fileset->ToString());
  return names;
}

absl::StatusOr<std::vector<std::string>> TakeFilesetList(TokenCursor& cursor) {
  if (cursor.IsSymbol('(')) return cursor.TakeWordList("a file name");
  absl::StatusOr<std::string> fileset = cursor.TakeWord("a file name");
  if (!fileset.ok()) return fileset.status();
  return std::vector<std::string>{*std::move(fileset)};
}

void ForEachFile(const std::vector<std::string>& filesets, FupSession& session, FileSystem& files,
                 absl::FunctionRef<absl::Status(const FileName&)> visit) {
  for (const std::string& text : filesets) {
    const absl::StatusOr<std::vector<FileName>> names = FilesOf(text, session, files);
    if (!names.ok()) {
      session.ReportError(names.status());
      continue;
    }
    for (const FileName& name : *names) {
      const absl::Status status = visit(name);
      if (!status.ok()) session.ReportError(OnFile(name.ToString(), status));
    }
  }
}

}  // namespace quire
