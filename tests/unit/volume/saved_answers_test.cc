#include "server/volume/saved_answers.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/test_random.h"

namespace quire {
namespace {

SavedAnswer Failed() {
  SavedAnswer answer;
  answer.status = MakeError(ErrorNumber::kAlreadyExists, "the key exists");
  return answer;
}

TEST(SavedAnswersTest, RS2KeepsWhatIsNotAcknowledged) {
  SavedAnswers answers(100);
  answers.Save(1, {});
  answers.Save(2, {});
  answers.Save(3, Failed());
  SavedAnswer read;
  read.record = "record";
  answers.Save(5, read);
  EXPECT_TRUE(answers.Find(2)->status.ok());
  EXPECT_EQ(NumberOf(answers.Find(3)->status), ErrorNumber::kAlreadyExists);
  EXPECT_FALSE(answers.Find(4).has_value());
  EXPECT_EQ(answers.Find(5)->record, "record");
  EXPECT_EQ(answers.record_bytes(), 6U);
  answers.AckThrough(2);
  answers.AckThrough(1);  // never back
  EXPECT_FALSE(answers.Find(2).has_value());
  EXPECT_TRUE(answers.Find(3).has_value());
  answers.AckThrough(5);
  EXPECT_EQ(answers.size(), 0U);
  EXPECT_EQ(answers.record_bytes(), 0U);
}

TEST(SavedAnswersTest, TheOldestGoWhenThereAreTooMany) {
  SavedAnswers answers(3);
  answers.Save(1, {});
  answers.Save(2, Failed());
  answers.Save(3, {});
  answers.Save(4, {});
  EXPECT_FALSE(answers.Find(1).has_value());
  EXPECT_TRUE(answers.Find(2).has_value());
  answers.Save(5, {});
  EXPECT_FALSE(answers.Find(2).has_value());
  EXPECT_TRUE(answers.Find(3).has_value());
  EXPECT_EQ(answers.size(), 3U);
}

TEST(SavedAnswersTest, RandomHistoriesEqualAMap) {
  TestRandom random;
  SavedAnswers answers(1000000);
  std::map<uint64_t, bool> model;  // sequence -> plain
  uint64_t acked = 0;
  for (int step = 0; step < 20000; ++step) {
    const uint64_t sequence = acked + 1 + random.Below(300);
    if (random.OneIn(50)) {
      acked += random.Below(100);
      answers.AckThrough(acked);
      model.erase(model.begin(), model.upper_bound(acked));
    } else if (!model.contains(sequence)) {
      const bool plain = !random.OneIn(5);
      answers.Save(sequence, plain ? SavedAnswer() : Failed());
      model.emplace(sequence, plain);
    }
    const uint64_t probe = acked + random.Below(310);
    const auto found = model.find(probe);
    const std::optional<SavedAnswer> answer = answers.Find(probe);
    ASSERT_EQ(answer.has_value(), found != model.end()) << "step " << step;
    ASSERT_TRUE(!answer.has_value() || answer->status.ok() == found->second) << "step " << step;
    ASSERT_EQ(answers.size(), model.size()) << "step " << step;
  }
}

}  // namespace
}  // namespace quire
