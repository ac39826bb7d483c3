// A store in memory for the tests of the comparison; it can be told to go wrong.
#ifndef QUIRE_TESTS_UNIT_BENCH_FAKE_PEER_H_
#define QUIRE_TESTS_UNIT_BENCH_FAKE_PEER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/bench/peers/errors.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {

enum class Fault { kNone, kLoses, kMixesUp, kForgetsUpdates };

class FakeStore : public PeerStore {
 public:
  explicit FakeStore(Fault fault) : fault_(fault) {}

  absl::Status Write(RecordView record) override {
    ++writes_;
    if (fault_ == Fault::kLoses && writes_ == 3) return absl::OkStatus();
    std::string kept(record);
    if (fault_ == Fault::kMixesUp && writes_ == 3) kept[20] ^= 1;
    if (!records_.emplace(KeyOf(record), kept).second) {
      return PeerRefused("fake", "Write", "the key is there already");
    }
    return absl::OkStatus();
  }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    for (const RecordView record : records) {
      if (absl::Status s = Write(record); !s.ok()) return s;
    }
    return absl::OkStatus();
  }
  absl::Status Update(RecordView record) override {
    const auto found = records_.find(std::string(KeyOf(record)));
    if (found == records_.end()) return PeerHasNoRecord("fake");
    if (fault_ != Fault::kForgetsUpdates) found->second = std::string(record);
    return absl::OkStatus();
  }
  absl::Status Settle() override { return absl::OkStatus(); }
  absl::Status Read(std::string_view key, std::string* record) override {
    const auto found = records_.find(std::string(key));
    if (found == records_.end()) return PeerHasNoRecord("fake");
    *record = found->second;
    return absl::OkStatus();
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    auto at = records_.lower_bound(std::string(start));
    for (uint64_t i = 0; i < limit && at != records_.end(); ++i, ++at) visit(at->second);
    return absl::OkStatus();
  }
  absl::Status Close() override { return absl::OkStatus(); }

 private:
  const Fault fault_;
  uint64_t writes_ = 0;
  std::map<std::string, std::string> records_;
};

inline Peer FakePeer(Fault fault) {
  Peer peer;
  peer.name = "fake";
  peer.open = [fault](const PeerOpen&) -> absl::StatusOr<std::unique_ptr<PeerStore>> {
    return std::make_unique<FakeStore>(fault);
  };
  peer.data_bytes = [](const PeerOpen&) { return uint64_t{4096}; };
  return peer;
}

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_BENCH_FAKE_PEER_H_
