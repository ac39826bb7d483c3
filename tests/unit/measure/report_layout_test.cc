#include "client/measure/report_layout.h"

#include <set>

#include "gtest/gtest.h"
#include "server/counters/counters.h"

namespace quire {
namespace measure {
namespace {

// Counters that do not exist here but have their place in the published report, and the ones that
// come from the first snapshot.
const std::set<std::string_view> kNotSent = {"COMP-TRAPS",
                                             "LAUNCH-WAIT-TIME",
                                             "LAUNCHES",
                                             "VSEMS",
                                             "INITIAL-PRIORITY-START",
                                             "INITIAL-PRIORITY-END",
                                             "CURRENT-PRIORITY-START",
                                             "STARTING-EOF",
                                             "STARTING-FREE-SPACE"};

TEST(ReportLayoutTest, EveryCounterOfTheListHasOnePlace) {
  for (Entity entity : {Entity::kDisc, Entity::kDiscopen, Entity::kDiskfile, Entity::kProcess}) {
    std::set<std::string_view> placed;
    for (const ReportSection& section : LayoutOf(entity).sections) {
      for (const ReportRow& row : section.rows) {
        for (std::string_view name : {row.left, row.right}) {
          if (!name.empty()) {
            EXPECT_TRUE(placed.insert(name).second) << name << " is there twice";
          }
        }
      }
    }
    std::set<std::string> sent;
    for (const CounterValue& counter : CounterSet().Values(entity)) sent.insert(counter.name);
    for (const std::string& name : sent) {
      EXPECT_TRUE(placed.contains(name)) << LayoutOf(entity).title << " has no place for " << name;
    }
    for (std::string_view name : placed) {
      EXPECT_TRUE(sent.contains(std::string(name)) || kNotSent.contains(name))
          << LayoutOf(entity).title << " shows " << name << ", which nobody counts";
    }
  }
}

TEST(ReportLayoutTest, NamesOfClientsCannotSteerTheTerminal) {
  EXPECT_EQ(Printable("a\x1b[2Jb\n"), "a?[2Jb?");
}

}  // namespace
}  // namespace measure
}  // namespace quire
