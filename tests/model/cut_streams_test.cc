// Files of real volumes whose streams break all the time, between the program and the router and
// between the router and the volumes, while routers come and go: the answers are those of a
// std::map (R-S1, R-S2, R-S5).
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

#include "client/filesystem/file_system.h"
#include "client/filesystem/router_service.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/test_random.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

enum class Cut { kNone, kLost, kAnswerLost };

// What a stream reports, until it is cut.
class CutEvents : public SessionEvents {
 public:
  explicit CutEvents(std::shared_ptr<SessionEvents> events) : events_(std::move(events)) {}
  void OnOpened(absl::StatusOr<Opened> opened) override {
    if (!cut_) events_->OnOpened(std::move(opened));
  }
  void OnResults(BatchResult result) override {
    if (!cut_) events_->OnResults(std::move(result));
  }
  void OnClosed(absl::Status status) override {
    if (!cut_.exchange(true)) events_->OnClosed(std::move(status));
  }
  void Silence() { silent_ = cut_.exchange(true); }
  void Break() {
    if (silent_) return;
    silent_ = true;
    events_->OnClosed(MakeError(ErrorNumber::kPathDown, "cut", Retry::kOutcomeUnknown));
  }

 private:
  const std::shared_ptr<SessionEvents> events_;
  std::atomic<bool> cut_{false};
  bool silent_ = true;  // closed by itself, or told
};

class CutSession : public Session {
 public:
  CutSession(std::unique_ptr<Session> session, std::shared_ptr<CutEvents> events,
             std::function<Cut()> draw)
      : session_(std::move(session)), events_(std::move(events)), draw_(std::move(draw)) {}

  void Submit(OperationBatch batch) override {
    if (session_ == nullptr) return;
    const Cut cut = draw_();
    if (cut != Cut::kNone) events_->Silence();
    if (cut != Cut::kLost) session_->Submit(std::move(batch));
    if (cut == Cut::kNone) return;
    session_.reset();
    events_->Break();
  }
  void Cancel(uint64_t sequence) override {
    if (session_ != nullptr) session_->Cancel(sequence);
  }
  void Close() override {
    if (session_ != nullptr) session_->Close();
  }
  void Detach() override {
    if (session_ != nullptr) session_->Detach();
  }

 private:
  std::unique_ptr<Session> session_;
  const std::shared_ptr<CutEvents> events_;
  const std::function<Cut()> draw_;
};

// The service that `choose` gives, whose streams break.
class CutService : public Service {
 public:
  CutService(std::function<std::shared_ptr<Service>()> choose, std::function<Cut()> draw)
      : choose_(std::move(choose)), draw_(std::move(draw)) {}

  std::unique_ptr<Session> OpenSession(OpenRequest request,
                                       std::shared_ptr<SessionEvents> events) override {
    auto cut = std::make_shared<CutEvents>(std::move(events));
    std::unique_ptr<Session> session = choose_()->OpenSession(std::move(request), cut);
    return std::make_unique<CutSession>(std::move(session), cut, draw_);
  }
  void Execute(UnaryRequest request, Done<BatchResult> done) override {
    choose_()->Execute(std::move(request), std::move(done));
  }
  std::unique_ptr<ScanStream> Scan(ScanRequest request) override {
    return choose_()->Scan(std::move(request));
  }
  std::unique_ptr<LoadStream> Load(LoadRequest request) override {
    return choose_()->Load(std::move(request));
  }
  void Create(CreateRequest request, Done<FileInfo> done) override {
    choose_()->Create(std::move(request), std::move(done));
  }
  void Info(FileReference file, Done<FileDescription> done) override {
    choose_()->Info(std::move(file), std::move(done));
  }
  void Alter(AlterRequest request, DoneStatus done) override {
    choose_()->Alter(std::move(request), std::move(done));
  }
  void Purge(PurgeRequest request, DoneStatus done) override {
    choose_()->Purge(std::move(request), std::move(done));
  }
  void List(ListRequest request, Done<ListPage> done) override {
    choose_()->List(std::move(request), std::move(done));
  }
  void ListOpens(ListOpensRequest request, Done<ListOpensPage> done) override {
    choose_()->ListOpens(std::move(request), std::move(done));
  }
  void ListLocks(ListLocksRequest request, Done<ListLocksPage> done) override {
    choose_()->ListLocks(std::move(request), std::move(done));
  }
  void Volumes(Done<std::vector<std::string>> done) override {
    choose_()->Volumes(std::move(done));
  }
  void Refresh(std::string volume, Done<RefreshAnswer> done) override {
    choose_()->Refresh(std::move(volume), std::move(done));
  }
  void Check(FileReference file, Done<std::vector<PartitionCheck>> done) override {
    choose_()->Check(std::move(file), std::move(done));
  }
  void Backup(BackupRequest request, Done<BackupAnswer> done) override {
    choose_()->Backup(std::move(request), std::move(done));
  }
  void Snapshot(SnapshotRequest request, Done<MeasureSnapshot> done) override {
    choose_()->Snapshot(std::move(request), std::move(done));
  }

 private:
  const std::function<std::shared_ptr<Service>()> choose_;
  const std::function<Cut()> draw_;
};

std::string NumberOrRecord(const absl::StatusOr<std::string>& result) {
  return result.ok() ? *result : StrCat(static_cast<int>(NumberOf(result.status())));
}
std::string NumberText(const absl::Status& status) {
  return StrCat(static_cast<int>(NumberOf(status)));
}

class CutStreamsTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  static constexpr int kKeys = 400;

  CutStreamsTest() {
    FileAttributes attributes = SmallFile("$DATA01.S.FILE", /*buffered=*/true).attributes;
    for (uint32_t i = 1; i <= GetParam(); ++i) {
      VolumeOptions options;
      options.name = StrCat("$DATA0", i);
      volumes_.push_back(std::make_unique<TestVolume>(options));
      std::shared_ptr<Service> volume(&volumes_.back()->volume(), [](Service*) {});
      services_[options.name] =
          std::make_shared<CutService>([volume] { return volume; }, [this] { return Draw(); });
      if (i == 1) continue;
      PartitionSpec part;
      part.volume = options.name;
      part.extents = attributes.extents;
      part.partial_key = SmallKey(static_cast<int>((i - 1) * kKeys / GetParam())).substr(0, 2);
      attributes.partitions.push_back(part);
    }
    auto routers =
        std::make_shared<CutService>([this] { return NewRouter(); }, [this] { return Draw(); });
    files_ = MakeFileSystem(routers, "cut", ResumePolicy{absl::Seconds(60), MakeThreadTimer()});
    const absl::StatusOr<FileName> name = ParseFileName("$DATA01.S.FILE");
    const absl::StatusOr<FileInfo> created = files_->Create(*name, attributes);
    EXPECT_TRUE(created.ok()) << created.status();
  }
  ~CutStreamsTest() override {
    files_.reset();
    routers_.clear();
  }

  // Every stream of the program meets another router; earlier ones stay until the end.
  std::shared_ptr<Service> NewRouter() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (routers_.size() < 100) {
      routers_.push_back(MakeRouterService(services_, RoutingOptions{absl::Seconds(60), timer_}));
    }
    return routers_.back();
  }
  Cut Draw() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!cutting_) return Cut::kNone;
    const uint64_t draw = random_.Below(20);
    return draw == 0 ? Cut::kLost : draw == 1 ? Cut::kAnswerLost : Cut::kNone;
  }
  uint64_t Below(uint64_t limit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return random_.Below(limit);
  }

  // Several changes under way at once; the two answers, as Step.
  std::pair<std::string, std::string> Pipeline(File& file, int step);
  // One random call on the file and on the model; the two answers.
  std::pair<std::string, std::string> Step(File& file, int step);

  TestRandom random_;
  std::mutex mutex_;
  bool cutting_ = true;
  const std::shared_ptr<Timer> timer_ = MakeThreadTimer();
  std::vector<std::unique_ptr<TestVolume>> volumes_;
  std::map<std::string, std::shared_ptr<Service>> services_;
  std::vector<std::shared_ptr<Service>> routers_;
  std::unique_ptr<FileSystem> files_;
  std::map<std::string, std::string> model_;
  std::string position_;  // the key read last
};

std::pair<std::string, std::string> CutStreamsTest::Step(File& file, int step) {
  const int number = static_cast<int>(Below(kKeys));
  const std::string key = SmallKey(number);
  const std::string record = SmallRecord(number, StrCat("step ", step));
  const bool there = model_.contains(key);
  switch (Below(6)) {
    case 0:
    case 1:
      model_.emplace(key, record);
      return {NumberText(file.Write(record)), there ? "10" : "0"};
    case 2:
      model_.erase(key);
      return {NumberText(file.Delete(key)), there ? "0" : "11"};
    case 3:
      if (there) model_[key] = record;
      return {NumberText(file.Update(record)), there ? "0" : "11"};
    case 4: {
      // READ, and deletes or replaces what it found.
      const auto found = model_.upper_bound(position_);
      const std::string read = NumberOrRecord(file.ReadNext());
      if (found == model_.end()) {
        position_.clear();
        return {StrCat(read, NumberText(file.SetPosition({}))), "10"};
      }
      position_ = found->first;
      const std::string expected = found->second;
      if (Below(2) == 0) return {read, expected};
      model_.erase(found);
      return {StrCat(read, NumberText(file.WriteUpdate(""))), StrCat(expected, "0")};
    }
    default:
      return {NumberOrRecord(file.Read(key)), there ? model_.at(key) : "11"};
  }
}

std::pair<std::string, std::string> CutStreamsTest::Pipeline(File& file, int step) {
  constexpr size_t kChanges = 20;
  // Completions come by partition, so each has its place.
  std::vector<std::string> answers(kChanges);
  std::vector<std::string> expected(kChanges);
  for (size_t i = 0; i < kChanges; ++i) {
    const int number = static_cast<int>(Below(kKeys));
    const std::string key = SmallKey(number);
    const std::string record = SmallRecord(number, StrCat("step ", step, " ", i));
    auto done = [answer = &answers[i]](const absl::Status& status, std::string_view) {
      *answer = NumberText(status);
    };
    if (Below(2) == 0) {
      file.WriteNowait(record, std::move(done));
      expected[i] = model_.emplace(key, record).second ? "0" : "10";
    } else {
      file.DeleteNowait(key, std::move(done));
      expected[i] = model_.erase(key) > 0 ? "0" : "11";
    }
  }
  EXPECT_TRUE(file.Wait().ok());
  std::string all;
  std::string all_expected;
  for (size_t i = 0; i < kChanges; ++i) {
    StrAppend(&all, " ", answers[i]);
    StrAppend(&all_expected, " ", expected[i]);
  }
  return {all, all_expected};
}

TEST_P(CutStreamsTest, R_S2_AnswersAreThoseOfAMap) {
  FileOpenOptions options;
  options.batch_operations = 3;
  auto file = files_->Open("$DATA01.S.FILE", options);
  ASSERT_TRUE(file.ok()) << file.status();
  for (int step = 0; step < 1500; ++step) {
    const auto [answer, expected] = step % 10 == 9 ? Pipeline(**file, step) : Step(**file, step);
    ASSERT_EQ(answer, expected) << "step " << step;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    cutting_ = false;
  }
  EXPECT_TRUE((*file)->Close().ok());
  EXPECT_GT(routers_.size(), 20u) << "hardly a stream was cut";
}

INSTANTIATE_TEST_SUITE_P(Partitions, CutStreamsTest, ::testing::Values(1, 4));

}  // namespace
}  // namespace quire::test
