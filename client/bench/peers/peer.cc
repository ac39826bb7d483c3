#include "client/bench/peers/peer.h"

namespace quire {
namespace bench {

absl::Status PeerStore::ReadGroup(const std::vector<std::string>& keys,
                                  absl::FunctionRef<void(RecordView)> visit) {
  std::string record;
  for (const std::string& key : keys) {
    if (absl::Status s = Read(key, &record); !s.ok()) return s;
    visit(record);
  }
  return absl::OkStatus();
}

}  // namespace bench
}  // namespace quire
