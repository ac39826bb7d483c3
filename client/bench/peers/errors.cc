#include "client/bench/peers/errors.h"

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {

absl::Status PeerRefused(std::string_view peer, std::string_view call, std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter, StrCat(peer, ": ", call, ": ", reason));
}

absl::Status PeerHasNoRecord(std::string_view peer) {
  return MakeError(ErrorNumber::kNotFound, StrCat(peer, ": no record with this key"));
}

absl::Status WrongRecord(std::string_view work, uint64_t rank) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat(work, ": record ", rank, " came back other than it was written"));
}

absl::Status WrongCount(std::string_view work, uint64_t got, uint64_t wanted) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat(work, ": ", got, " records came back instead of ", wanted));
}

absl::Status CellFailed(std::string_view peer, std::string_view how) {
  return MakeError(ErrorNumber::kVolumeDown, StrCat(peer, ": its process ", how));
}

}  // namespace bench
}  // namespace quire
