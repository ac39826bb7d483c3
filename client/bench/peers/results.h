// What all rows gave, round by round.
#ifndef QUIRE_CLIENT_BENCH_PEERS_RESULTS_H_
#define QUIRE_CLIENT_BENCH_PEERS_RESULTS_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/bench/page/spread.h"
#include "client/bench/peers/cell.h"

namespace quire {
namespace bench {

// A row is a peer's or a limit's name, a measure the name of a figure (cell.h). Not thread safe.
class Results {
 public:
  // One round of one row.
  void Add(const std::string& row, const Figures& figures);
  // Forgets a row's measures of a work: a round of it failed, so its rounds are not those of
  // others.
  void Drop(const std::string& row, Work work);

  // One value a round; null when it was not measured.
  const std::vector<double>* Values(std::string_view row, std::string_view measure) const;
  std::optional<Spread> Of(std::string_view row, std::string_view measure) const;
  // First over second, round by round; nullopt when one is missing or zero.
  std::optional<Spread> Ratio(std::string_view row, std::string_view measure,
                              std::string_view other_row, std::string_view other_measure) const;
  // Of these rows, the one with the highest median; nullopt when none was measured.
  std::optional<std::string> Best(const std::vector<std::string>& rows,
                                  std::string_view measure) const;

 private:
  std::map<std::pair<std::string, std::string>, std::vector<double>> values_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_RESULTS_H_
