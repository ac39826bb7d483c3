#include <string>
#include <vector>

#include "client/bench/peers/cell.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/unit/bench/fake_peer.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

std::vector<std::string> NamesOf(const Figures& figures) {
  std::vector<std::string> names;
  for (const auto& [name, value] : figures) names.push_back(name);
  return names;
}

absl::StatusOr<Figures> RunWorks(const Peer& peer, std::vector<Work> works) {
  return RunCell(peer,
                 {.works = std::move(works), .directory = "", .records = 300, .operations = 200});
}

TEST(PeersCellTest, EveryPhaseGivesTheFiguresOfItsWorks) {
  const Peer peer = FakePeer(Fault::kNone);
  std::vector<std::string> names;
  for (const std::vector<Work>& phase : PhasesOf(AllWorks())) {
    const absl::StatusOr<Figures> figures = RunWorks(peer, phase);
    ASSERT_TRUE(figures.ok()) << figures.status();
    for (const auto& [name, value] : *figures) {
      EXPECT_GE(value, 0) << name;
      if (name.find(kMemorySuffix) == std::string::npos) {
        EXPECT_GT(value, 0) << name;
      }
      names.push_back(name);
    }
  }
  std::vector<std::string> wanted;
  for (const Work work : AllWorks()) {
    wanted.emplace_back(NameOf(work));
    if (work < Work::kLoadAscending || work > Work::kLoadDurable) continue;
    for (const char* suffix : {kReplySuffix, kBytesSuffix, kMemorySuffix}) {
      wanted.push_back(std::string(NameOf(work)) + suffix);
    }
  }
  EXPECT_THAT(names, UnorderedElementsAreArray(wanted));
}

TEST(PeersCellTest, AReadAloneLoadsFirstAndDoesNotReportTheLoad) {
  const absl::StatusOr<Figures> figures = RunWorks(FakePeer(Fault::kNone), {Work::kRead});
  ASSERT_TRUE(figures.ok()) << figures.status();
  EXPECT_THAT(NamesOf(*figures), ElementsAre("read"));
}

TEST(PeersCellTest, AStoreThatLosesOrChangesRecordsHasNoFigures) {
  for (const Fault fault : {Fault::kLoses, Fault::kMixesUp}) {
    EXPECT_EQ(NumberOf(RunWorks(FakePeer(fault), {Work::kLoadShuffled}).status()),
              ErrorNumber::kFileBad);
  }
  EXPECT_EQ(NumberOf(RunWorks(FakePeer(Fault::kLoses), {Work::kDurable}).status()),
            ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(RunWorks(FakePeer(Fault::kForgetsUpdates), {Work::kMixedA}).status()),
            ErrorNumber::kFileBad);
}

TEST(PeersCellTest, ReadsAndMixesShareALoadAndInsertsComeLast) {
  EXPECT_THAT(
      PhasesOf({Work::kDurable, Work::kLoadRuns, Work::kRead, Work::kMixedD, Work::kMixedF}),
      ElementsAre(ElementsAre(Work::kDurable),
                  ElementsAre(Work::kLoadRuns, Work::kRead, Work::kMixedF, Work::kMixedD)));
  EXPECT_THAT(PhasesOf({}), IsEmpty());
}

TEST(PeersCellTest, ARowTakesPartInWhatItNames) {
  Peer peer = FakePeer(Fault::kNone);
  EXPECT_THAT(WorksOf(peer, {Work::kRead, Work::kScan}), ElementsAre(Work::kRead, Work::kScan));
  peer.works = {Work::kScan};
  EXPECT_THAT(WorksOf(peer, {Work::kRead, Work::kScan}), ElementsAre(Work::kScan));
}

TEST(PeersCellTest, FiguresTravelAsText) {
  const Figures figures = {{"read", 123456.75}, {"load-runs/bytes", 1e12}};
  EXPECT_EQ(ParseFigures(FiguresText(figures)).value_or(Figures{}), figures);
  EXPECT_EQ(NumberOf(ParseFigures("read").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(ParseFigures("read much\n").status()), ErrorNumber::kBadParameter);
}

TEST(PeersCellTest, WorksHaveNames) {
  for (const Work work : AllWorks()) EXPECT_EQ(WorkOf(NameOf(work)), work);
  EXPECT_EQ(WorkOf("leisure"), std::nullopt);
}

}  // namespace
}  // namespace bench
}  // namespace quire
