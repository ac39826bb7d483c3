// The listings of CHECK and INFO STATISTICS as text and JSON. They only format: no file system
// here.
#ifndef QUIRE_CLIENT_FUP_CHECK_LISTING_H_
#define QUIRE_CLIENT_FUP_CHECK_LISTING_H_

#include <ostream>
#include <vector>

#include "client/fup/listing.h"
#include "nlohmann/json_fwd.hpp"
#include "quire/service.h"

namespace quire {

// INFO …, STATISTICS of one file: name and time, two heading lines, then for each partition that
// was reached a row a level, the root's first, DATA, FREE and BITMAP. RECS of an index level are
// its entries. Slack is what is unused of a block; its percentage is of BLOCK.
void PrintStatistics(const FileName& name, const std::vector<PartitionCheck>& checks,
                     const ListingTime& time, std::ostream& out);

// CHECK: the line of a partition that is whole.
void PrintChecked(const PartitionCheck& check, std::ostream& out);

nlohmann::json CheckJson(const PartitionCheck& check);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_CHECK_LISTING_H_
