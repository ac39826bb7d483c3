#include <utility>

#include "client/bench/limits/limit.h"

namespace quire {
namespace bench {

std::vector<Limit> AllLimits() {
  std::vector<Limit> limits = DiscLimits();
  for (Limit& limit : GrpcLimits()) limits.push_back(std::move(limit));
  return limits;
}

}  // namespace bench
}  // namespace quire
