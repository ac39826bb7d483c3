// Wraps a BlockStore and fails chosen calls: the k-th call of a kind from now on. Its readers count
// with it.
#ifndef QUIRE_SERVER_STORE_FAULT_STORE_H_
#define QUIRE_SERVER_STORE_FAULT_STORE_H_

#include <memory>

#include "server/store/block_store.h"

namespace quire {

enum class StoreCall { kReadBlock, kCommit, kEnsureRoom, kRenewSnapshot, kOpenReader, kReadAhead };

// Shared between the test and the store. Thread safe.
class FaultPlan {
 public:
  FaultPlan();
  ~FaultPlan();
  // The k-th following call of `kind` (1 = the next) answers `status`, once. A commit that fails
  // this way has changed nothing.
  void FailAt(StoreCall kind, int k, absl::Status status);
  // Number of calls seen.
  int Calls(StoreCall kind) const;
  absl::Status OnCall(StoreCall kind);  // for the store

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<BlockStore> WrapWithFaults(std::unique_ptr<BlockStore> store,
                                           std::shared_ptr<FaultPlan> plan);

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_FAULT_STORE_H_
