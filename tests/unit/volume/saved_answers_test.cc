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

TEST(SavedAnswersTest, RD10TellsTheTrailWhatItDoesNotKnow) {
  SavedAnswers answers(100);
  EXPECT_FALSE(answers.has_unlogged());
  for (const uint64_t sequence : {1, 2, 3, 7}) {
    answers.Save(sequence, {});
    answers.MarkUnlogged(sequence);
  }
  answers.Save(5, Failed());
  EXPECT_GT(answers.MarkUnlogged(5), 0U);
  EXPECT_EQ(answers.MarkUnlogged(8), 0U);  // joins a run
  answers.AckThrough(2);
  const AnswerRecord record = answers.TakeUnlogged();
  EXPECT_EQ(record.acked_through, 2U);
  ASSERT_EQ(record.runs.size(), 2U);
  EXPECT_EQ(record.runs[1].last, 8U);
  ASSERT_EQ(record.others.size(), 1U);
  EXPECT_EQ(record.others[0].sequence, 5U);
  EXPECT_FALSE(answers.has_unlogged());
  EXPECT_TRUE(answers.TakeUnlogged().runs.empty());
}

TEST(SavedAnswersTest, RD10WhatWasAcknowledgedNeedNotBeLogged) {
  SavedAnswers answers(100);
  answers.Save(1, Failed());
  answers.MarkUnlogged(1);
  EXPECT_GT(answers.CountUnlogged(), 0U);
  answers.AckThrough(1);
  EXPECT_EQ(answers.CountUnlogged(), 0U);
  EXPECT_FALSE(answers.has_unlogged());
}

TEST(SavedAnswersTest, RD10ReadsAreNotForTheTable) {
  SavedAnswers answers(100);
  SavedAnswer read;
  read.record = "record";
  read.change = false;
  answers.Save(1, read);
  answers.Save(2, Failed());
  EXPECT_EQ(answers.AllOfChanges().others.size(), 1U);
}

TEST(SavedAnswersTest, RD10RestoredRunsUniteInAnyOrderAndOverlap) {
  TestRandom random;
  for (int round = 0; round < 300; ++round) {
    SavedAnswers answers(1000);
    std::map<uint64_t, bool> model;
    uint64_t acked = 0;
    for (int step = 0; step < 12; ++step) {
      acked = std::max(acked, random.Below(20));
      const uint64_t first = 1 + random.Below(90);
      const uint64_t last = first + random.Below(12);
      answers.Restore(AnswerRecord{{}, acked, {{first, last}}, {}});
      for (uint64_t sequence = first; sequence <= last; ++sequence) model[sequence] = true;
      model.erase(model.begin(), model.upper_bound(acked));
      ASSERT_EQ(answers.size(), model.size());
      for (uint64_t probe = 1; probe < 110; ++probe) {
        ASSERT_EQ(answers.Find(probe).has_value(), model.contains(probe)) << probe;
      }
    }
  }
}

}  // namespace
}  // namespace quire
