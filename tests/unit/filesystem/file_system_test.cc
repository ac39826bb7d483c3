// Random histories against a std::map, over one and over four partitions, inline and threaded
// volumes, blocking and pipelined. Prints its seed; QUIRE_TEST_SEED repeats a run.
#include <map>
#include <optional>

#include "tests/support/test_random.h"
#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

struct Setting {
  uint32_t partitions;
  bool threads;
  uint32_t batch_operations;
};

class FileSystemModel : public ::testing::TestWithParam<Setting> {
 protected:
  using Model = std::map<std::string, std::string>;

  std::string RandomKey() { return random_.Text(4, "ABCDE"); }

  // What the operation must answer; changes the model.
  static std::string Expect(Model& model, OperationKind kind, const std::string& key,
                            const std::string& record) {
    const auto found = model.find(key);
    switch (kind) {
      case OperationKind::kWrite:
        if (found != model.end()) return "10";
        model[key] = record;
        return "0";
      case OperationKind::kUpdate:
        if (found == model.end()) return "11";
        found->second = record;
        return "0";
      case OperationKind::kDelete:
        if (found == model.end()) return "11";
        model.erase(found);
        return "0";
      default:
        break;
    }
    return found == model.end() ? "11" : found->second;
  }

  static std::string ExpectApproximate(const Model& model, const std::string& key, bool reverse) {
    const auto above = reverse ? model.upper_bound(key) : model.lower_bound(key);
    if (above == (reverse ? model.begin() : model.end())) return "1";
    return reverse ? std::prev(above)->second : above->second;
  }

  static std::string Text(const absl::StatusOr<std::string>& read) {
    return read.ok() ? *read : StrCat(Number(read));
  }

  void CheckScan(File& file, const Model& model) {
    ScanOptions options;
    if (!random_.OneIn(3)) options.range.start = RandomKey();
    if (!random_.OneIn(3)) options.range.limit = RandomKey();
    options.reverse = random_.OneIn(2);
    std::vector<std::string> expected;
    for (const auto& [key, record] : model) {
      if (options.range.Contains(key)) expected.push_back(record);
    }
    if (options.reverse) std::reverse(expected.begin(), expected.end());
    std::vector<std::string> found;
    const std::unique_ptr<Scanner> scanner = file.Scan(options);
    for (auto record = scanner->Next(); record.ok(); record = scanner->Next()) {
      found.emplace_back(*record);
    }
    EXPECT_EQ(found, expected);
  }

  void Blocking(File& file, Model& model) {
    const std::string key = RandomKey();
    const std::string record = Record(key, random_.Text(random_.Below(20), "xyz"));
    const bool reverse = random_.OneIn(2);
    switch (random_.Below(6)) {
      case 0:
        EXPECT_EQ(StrCat(Number(file.Write(record))),
                  Expect(model, OperationKind::kWrite, key, record));
        return;
      case 1:
        EXPECT_EQ(StrCat(Number(file.Update(record))),
                  Expect(model, OperationKind::kUpdate, key, record));
        return;
      case 2:
        EXPECT_EQ(StrCat(Number(file.Delete(key))),
                  Expect(model, OperationKind::kDelete, key, record));
        return;
      case 3:
        EXPECT_EQ(Text(file.Read(key)), Expect(model, OperationKind::kRead, key, record));
        return;
      case 4:
        EXPECT_EQ(Text(file.Read(key, ReadMode::kApproximate, reverse)),
                  ExpectApproximate(model, key, reverse));
        return;
      default:
        CheckScan(file, model);
    }
  }

  // Answers are compared when all have come; each was promised at the time of its call, which is
  // right because operations on one key keep their order.
  void Pipelined(File& file, Model& model) {
    struct Outcome {
      std::string expected;
      std::string found;
    };
    const size_t count = random_.Between(1, 60);
    std::vector<Outcome> outcomes(count);
    for (Outcome& outcome : outcomes) {
      const std::string key = RandomKey();
      const std::string record = Record(key, random_.Text(random_.Below(20), "xyz"));
      const auto kind = static_cast<OperationKind>(random_.Between(1, 4));
      outcome.expected = Expect(model, kind, key, record);
      auto done = [&outcome](const absl::Status& status, std::string_view read) {
        outcome.found = status.ok() && !read.empty() ? std::string(read) : StrCat(Number(status));
      };
      if (kind == OperationKind::kWrite) file.WriteNowait(record, done);
      if (kind == OperationKind::kUpdate) file.UpdateNowait(record, done);
      if (kind == OperationKind::kDelete) file.DeleteNowait(key, done);
      if (kind == OperationKind::kRead) file.ReadNowait(key, done);
    }
    EXPECT_TRUE(file.Wait().ok());
    for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.found, outcome.expected);
  }

  TestRandom random_;
};

TEST_P(FileSystemModel, H22_SameAnswersAsAMap) {
  Cluster cluster(GetParam().partitions);
  if (GetParam().threads) cluster.UseThreads();
  cluster.CreateParts();
  Model model;
  for (int opens = 0; opens < 4; ++opens) {
    FileOpenOptions options;
    options.batch_operations = GetParam().batch_operations;
    const std::unique_ptr<File> file = cluster.Open(options);
    ASSERT_NE(file, nullptr);
    for (int i = 0; i < 150 && !HasFailure(); ++i) {
      random_.OneIn(4) ? Pipelined(*file, model) : Blocking(*file, model);
    }
    CheckScan(*file, model);
    EXPECT_TRUE(file->Close().ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, FileSystemModel,
                         ::testing::Values(Setting{1, false, 1}, Setting{4, false, 7},
                                           Setting{1, true, 16}, Setting{4, true, 1},
                                           Setting{4, true, 16}));

}  // namespace
}  // namespace quire::testing
