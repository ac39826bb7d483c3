// File attributes, labels and FUP-like requests between proto messages and Quire's own types.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_FILE_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/attributes.h"
#include "quire/file_info.h"
#include "quire/service.h"
#include "quire/v1/file.pb.h"

namespace quire {

void ToProto(const FileAttributes& attributes, v1::FileAttributes* out);
// Fields left out take Enscribe's default (FileAttributes' initial values); 2 for a TYPE of more
// than one letter. Ranges are Normalize's business.
absl::StatusOr<FileAttributes> FromProto(const v1::FileAttributes& in);

void ToProto(const FileInfo& info, v1::FileInfo* out);
absl::StatusOr<FileInfo> FromProto(const v1::FileInfo& in);

void ToProto(const FileDescription& description, v1::InfoResponse* out);
absl::StatusOr<FileDescription> FromProto(const v1::InfoResponse& in);

void ToProto(const CreateRequest& request, v1::CreateRequest* out);
// An owner left out is 10,1; security left out stays empty, which means the volume's default.
absl::StatusOr<CreateRequest> FromProto(const v1::CreateRequest& in);

void ToProto(const AlterRequest& request, v1::AlterRequest* out);
absl::StatusOr<AlterRequest> FromProto(const v1::AlterRequest& in);

void ToProto(const PurgeRequest& request, v1::PurgeRequest* out);
absl::StatusOr<PurgeRequest> FromProto(const v1::PurgeRequest& in);

void ToProto(const ListRequest& request, v1::ListRequest* out);
absl::StatusOr<ListRequest> FromProto(const v1::ListRequest& in);
void ToProto(const ListPage& page, v1::ListResponse* out);
absl::StatusOr<ListPage> FromProto(const v1::ListResponse& in);

void ToProto(const std::vector<std::string>& volumes, v1::VolumesResponse* out);
std::vector<std::string> FromProto(const v1::VolumesResponse& in);

void ToProto(const RefreshAnswer& answer, v1::RefreshResponse* out);
RefreshAnswer FromProto(const v1::RefreshResponse& in);

void ToProto(const BackupRequest& request, v1::BackupRequest* out);
BackupRequest FromProto(const v1::BackupRequest& in);
void ToProto(const BackupAnswer& answer, v1::BackupResponse* out);
BackupAnswer FromProto(const v1::BackupResponse& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_FILE_H_
