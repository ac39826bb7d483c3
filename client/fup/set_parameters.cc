#include "client/fup/set_parameters.h"

#include <utility>

#include "client/fup/errors.h"

namespace quire {
namespace {

absl::Status LikeFile(const std::string& text, FupSession& session, CreateSettings& settings) {
  absl::StatusOr<FileName> name = session.ResolveName(text);
  if (!name.ok()) return name.status();
  absl::StatusOr<FileSystem*> files = session.file_system();
  if (!files.ok()) return files.status();
  absl::StatusOr<FileDescription> description = (*files)->Info(*name);
  if (!description.ok()) return OnFile(name->ToString(), description.status());
  ApplyLike(description->primary.attributes, settings);
  return absl::OkStatus();
}

}  // namespace

absl::Status ApplyParameters(absl::Span<const CreateParameter> parameters, FupSession& session,
                             CreateSettings& settings) {
  CreateSettings changed = settings;
  for (const CreateParameter& parameter : parameters) {
    absl::Status applied = parameter.keyword == CreateKeyword::kLike
                               ? LikeFile(parameter.name, session, changed)
                               : ApplyParameter(parameter, changed);
    if (!applied.ok()) return applied;
  }
  const FileAttributes& attributes = changed.attributes;
  if (attributes.audit && !attributes.buffered) return fup_errors::AuditIsBuffered();
  settings = std::move(changed);
  return absl::OkStatus();
}

}  // namespace quire
