// quire-inspect on damaged volumes: prints what it can, says what is wrong, never ends by a signal
// and never writes.
#include <algorithm>
#include <csignal>
#include <set>

#include "server/main/inspect_guard.h"
#include "server/main/inspect_record.h"
#include "server/volume/answer_record.h"
#include "tests/support/test_random.h"
#include "tests/unit/main/inspect_fixture.h"

namespace quire::test {
namespace {

using ::testing::HasSubstr;

class InspectDamageTest : public InspectTest {
 protected:
  // A volume whose trail holds more than its store.
  void MakeCrashedVolume() {
    TestVolume volume(Options());
    Fill(volume);
    ASSERT_TRUE(Await<RefreshAnswer>([&](Done<RefreshAnswer> done) {
                  volume->Refresh("", std::move(done));
                }).ok());
    const FileReference file{*ParseFileName("$DATA01.SHOP.PARTS"), 0, 0, "test"};
    for (int key = 5000; key < 5020; ++key) {
      const std::string record = SmallRecord(key, "later");
      ASSERT_TRUE(RunOne(volume.volume(), file,
                         Operation{OperationKind::kWrite, {}, false, false, {}, record})
                      .ok());
    }
    volume.Crash();
  }
  std::string StorePath() const { return directory() + "/store/data.mdb"; }
  static std::string Content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  static void Put(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
  }
  std::vector<std::string> Segments() const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(directory() + "/trail")) {
      paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }
  // Every command answers, and nothing in the directory changes. The faults `check` found; an error
  // counts as one.
  uint64_t RunAll() {
    const std::map<std::string, std::string> before = Files();
    const std::vector<std::vector<std::string>> commands = {{},
                                                            {"meta"},
                                                            {"files"},
                                                            {"label", "SHOP.PARTS"},
                                                            {"label", "#1"},
                                                            {"blocks", "#1"},
                                                            {"block", "#1", "0"},
                                                            {"block", "SHOP.PARTS", "3"},
                                                            {"trail"},
                                                            {"check"}};
    uint64_t faults = 0;
    for (const std::vector<std::string>& words : commands) {
      const absl::StatusOr<uint64_t> answer = Run(words, true);
      faults = answer.ok() ? *answer : 1;
      if (!answer.ok()) {
        static const std::set<ErrorNumber> kLegal = {ErrorNumber::kNotFound, ErrorNumber::kFileBad,
                                                     ErrorNumber::kVolumeDown};
        EXPECT_TRUE(kLegal.contains(NumberOf(answer.status()))) << Describe(answer.status());
      }
    }
    EXPECT_TRUE(before == Files());
    return faults;
  }
};

TEST_F(InspectDamageTest, DataFileCutAtEveryLength) {
  MakeCrashedVolume();
  EXPECT_EQ(RunAll(), 0u) << text_;
  const std::string whole = Content(StorePath());
  bool some_left = false;
  for (size_t bytes = whole.size(); bytes > 0; bytes -= std::min<size_t>(bytes, 4096)) {
    SCOPED_TRACE(bytes);
    Put(StorePath(), whole.substr(0, bytes));
    RunAll();
    some_left |= text_.find("it was cut short") != std::string::npos &&
                 text_.find("labels, ") != std::string::npos;
  }
  EXPECT_TRUE(some_left) << "a cut file is checked as far as it goes";
}

TEST_F(InspectDamageTest, GarbageInTheDataFile) {
  MakeCrashedVolume();
  const std::string whole = Content(StorePath());
  TestRandom random;
  uint64_t found = 0;
  for (int round = 0; round < 40; ++round) {
    std::string damaged = whole;
    for (uint64_t spots = random.Between(1, 5); spots > 0; --spots) {
      const size_t page = random.Below(damaged.size() / 4096) * 4096;
      // Page headers and the pointers behind them lead LMDB on.
      const size_t at = page + (random.OneIn(2) ? random.Below(64) : random.Below(4096));
      const size_t end = std::min(damaged.size(), at + random.Between(1, 600));
      for (size_t i = at; i < end; ++i) {
        damaged[i] = static_cast<char>(random.OneIn(3) ? 0 : random.Below(256));
      }
    }
    Put(StorePath(), damaged);
    found += RunAll() > 0 ? 1 : 0;
  }
  EXPECT_GT(found, 10u);
}

// LMDB counts the keys of such a page as 2^31 and looks among them for ever.
TEST_F(InspectDamageTest, PagesThatClaimNoKeysAtAll) {
  MakeCrashedVolume();
  std::string damaged = Content(StorePath());
  constexpr size_t kFlagsAt = 10;  // of an LMDB page's header
  constexpr size_t kLowerAt = 12;
  int pages = 0;
  for (size_t page = 2 * 4096; page + 4096 <= damaged.size(); page += 4096) {
    const char flags = damaged[page + kFlagsAt];
    if ((flags & 0x03) == 0 || damaged[page + kFlagsAt + 1] != 0) continue;  // no tree page
    damaged[page + kLowerAt] = 0;
    damaged[page + kLowerAt + 1] = 0;
    ++pages;
  }
  ASSERT_GT(pages, 0);
  Put(StorePath(), damaged);
  EXPECT_GT(RunAll(), 0u);
}

TEST_F(InspectDamageTest, GarbageInTheTrail) {
  MakeCrashedVolume();
  const std::vector<std::string> segments = Segments();
  ASSERT_FALSE(segments.empty());
  const std::string whole = Content(segments[0]);
  TestRandom random;
  for (int round = 0; round < 25; ++round) {
    std::string damaged =
        whole.substr(0, random.OneIn(3) ? random.Below(whole.size()) : whole.size());
    for (uint64_t spots = random.Between(1, 5); spots > 0 && !damaged.empty(); --spots) {
      const size_t at = random.Below(std::min<size_t>(damaged.size(), 200 * 4096));
      damaged[at] = static_cast<char>(random.Below(256));
    }
    Put(segments[0], damaged);
    RunAll();
  }
}

// R-D2: an invalid last batch is a torn tail, one before a whole batch is a hole.
TEST_F(InspectDamageTest, R_D2_ATornTailIsNoFaultAHoleIs) {
  MakeCrashedVolume();
  ASSERT_TRUE(Run({"trail"}).ok());
  // The batches that are not in the store, by their places.
  std::vector<size_t> places;
  for (size_t at = text_.find("  batch at "); at != std::string::npos;
       at = text_.find("  batch at ", at + 1)) {
    const std::string line = text_.substr(at, text_.find('\n', at) - at);
    if (line.find("not in the store") != std::string::npos)
      places.push_back(std::stoul(line.substr(11)));
  }
  ASSERT_GE(places.size(), 3u) << text_;
  std::string segment_path;
  for (const std::string& path : Segments()) {
    if (Content(path).find("5019later") != std::string::npos) segment_path = path;
  }
  ASSERT_FALSE(segment_path.empty());
  const std::string whole = Content(segment_path);
  const auto damage = [&](size_t place) {
    std::string damaged = whole;
    damaged[place + 100] = static_cast<char>(~damaged[place + 100]);
    Put(segment_path, damaged);
  };
  damage(places.back());
  EXPECT_EQ(*Run({"check"}), 0u) << text_;
  EXPECT_THAT(text_, HasSubstr(" batches in the trail not placed"));
  ASSERT_TRUE(Run({"trail"}).ok());
  EXPECT_THAT(text_, HasSubstr("header of a batch that is not whole"));
  damage(places[places.size() - 2]);
  EXPECT_EQ(*Run({"check"}), 1u) << text_;
  EXPECT_THAT(text_, HasSubstr("FAULT trail: "));
  EXPECT_GE(*Run({"trail"}), 1u);
}

TEST_F(InspectDamageTest, ABadLabelIsSaidAndTheOthersShown) {
  {
    TestVolume volume(Options());
    Fill(volume);
    for (const char* name : {"$DATA01.SHOP.OTHER", "$DATA01.SHOP.THIRD"}) {
      ASSERT_TRUE(Await<FileInfo>([&](Done<FileInfo> done) {
                    volume->Create(SmallFile(name, false), std::move(done));
                  }).ok());
    }
  }
  // The length of the name's file part, everywhere it stands: older pages too.
  std::string content = Content(StorePath());
  bool damaged = false;
  for (size_t at = content.find("OTHER"); at != std::string::npos;
       at = content.find("OTHER", at + 1)) {
    content[at - 1] = '\x7F';
    damaged = true;
  }
  ASSERT_TRUE(damaged);
  Put(StorePath(), content);
  EXPECT_EQ(*Run({"files"}), 1u);
  EXPECT_THAT(text_, HasSubstr("$DATA01.SHOP.PARTS"));
  EXPECT_THAT(text_, HasSubstr("$DATA01.SHOP.THIRD"));
  EXPECT_EQ(*Run({"check"}), 1u);
  EXPECT_THAT(text_, HasSubstr("FAULT label #2"));
  EXPECT_THAT(text_, HasSubstr("$DATA01.SHOP.PARTS: whole"));
}

TEST(InspectGuard, ComesBackFromMemoryThatIsNotThere) {
  volatile const char* const nowhere = reinterpret_cast<const char*>(8);
  for (int round = 0; round < 3; ++round) {
    char seen = 'x';
    EXPECT_FALSE(Guarded([&] { seen = *nowhere; }));
    EXPECT_FALSE(Guarded([] { raise(SIGBUS); }));
    EXPECT_FALSE(Guarded([] { LeaveGuard(); }));
    EXPECT_TRUE(Guarded([&] { seen = 'y'; }));
    EXPECT_EQ(seen, 'y');
  }
}

TEST(InspectRecord, AnswersAndWhatDoesNotDecode) {
  AnswerRecord answers;
  answers.open = {77, false};
  answers.acked_through = 4;
  answers.runs = {{5, 9}};
  answers.others = {{10, MakeError(ErrorNumber::kNotFound, "no such record"), ErrorNumber::kOk}};
  const std::string payload = EncodeAnswers(answers);
  TrailRecord record{TrailRecordKind::kAnswers, 3, 0, payload};
  const absl::StatusOr<std::string> text = RecordText(record);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("answers of file id 3: open 77, acknowledged to 4; 5 to 9 ok; 10 "));
  EXPECT_THAT(*text, HasSubstr("no such record"));
  for (const auto kind : {TrailRecordKind::kFileState, TrailRecordKind::kCommand,
                          TrailRecordKind::kRedo, TrailRecordKind::kAnswers}) {
    record.kind = kind;
    record.payload = "none";
    EXPECT_EQ(NumberOf(RecordText(record).status()), ErrorNumber::kFileBad);
  }
}

}  // namespace
}  // namespace quire::test
