// H5: what format version 2 wrote is read by every later version. It differs from version 1 in the
// trail batch, which has a time and two more kinds of record. Kept is one such batch, in
// version_2/; label and block are those of version 1.
//
// Made by this test with QUIRE_REWRITE_COMPAT=1; never again once version 2 is released: a new
// format gets a folder of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "quire/error.h"
#include "server/trail/trail_format.h"
#include "server/volume/answer_record.h"
#include "server/volume/redo_record.h"
#include "tests/compat/kept_bytes.h"

namespace quire {
namespace {

constexpr int64_t kTimeUs = 1764531000123456;

RedoRecord TheRedo() {
  RedoRecord redo;
  redo.operation.kind = OperationKind::kWrite;
  redo.operation.record = "..0003screw";
  redo.time_us = kTimeUs - 1;
  redo.open = OpenKey{0x1111, false};
  redo.sequence = 17;
  return redo;
}

AnswerRecord TheAnswers() {
  AnswerRecord answers;
  answers.open = OpenKey{0x2222, true};
  answers.acked_through = 4;
  answers.runs = {{5, 9}, {11, 11}};
  answers.others = {{10, MakeError(ErrorNumber::kAlreadyExists, "there is one"), ErrorNumber::kOk}};
  return answers;
}

std::string TheBatch() {
  const std::string image = KeptBlock();
  const std::string state = EncodeState(KeptLabel());
  std::string redo;
  EncodeRedo(TheRedo(), &redo);
  const std::string answers = EncodeAnswers(TheAnswers());
  const TrailRecord records[] = {{TrailRecordKind::kBlockImage, kKeptFileId, kKeptBlock, image},
                                 {TrailRecordKind::kFileState, kKeptFileId, 0, state},
                                 {TrailRecordKind::kRedo, kKeptFileId, 0, redo},
                                 {TrailRecordKind::kAnswers, kKeptFileId, 0, answers}};
  std::string batch(kTrailBlockBytes, '\0');
  uint64_t at = kBatchHeaderBytes;
  for (const TrailRecord& record : records) {
    EncodeTrailRecord(record, batch.data() + at);
    at += TrailRecordBytes(record.payload.size());
  }
  BatchHeader header;
  header.volume_id = 42;
  header.epoch = 3;
  header.segment = 5;
  header.first_lsn = 1000;
  header.position = 2;
  header.length = 1;
  header.content_bytes = static_cast<uint32_t>(at);
  header.record_count = 4;
  header.time_us = kTimeUs;
  EncodeBatchHeader(header, absl::MakeSpan(batch.data(), batch.size()));
  return batch;
}

class Format2 : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::getenv("QUIRE_REWRITE_COMPAT") != nullptr) Keep("version_2/batch", TheBatch());
  }
};

TEST_F(Format2, H5_TrailBatchIsReplayed) {
  const std::string batch = Kept("version_2/batch");
  BatchHeader header;
  std::vector<TrailRecord> records;
  const absl::Status status = ParseBatch(batch, &header, &records);
  ASSERT_TRUE(status.ok()) << Describe(status);
  EXPECT_EQ(header.version, 2);
  EXPECT_EQ(header.first_lsn, 1000u);
  EXPECT_EQ(header.last_lsn(), 1003u);
  EXPECT_EQ(header.time_us, kTimeUs);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(VerifyImage(records[0].payload, kKeptFileId, kKeptBlock), "");
  EXPECT_EQ(records[2].kind, TrailRecordKind::kRedo);
  const absl::StatusOr<RedoRecord> redo = DecodeRedo(records[2].payload);
  ASSERT_TRUE(redo.ok()) << Describe(redo.status());
  EXPECT_EQ(redo->operation.record, "..0003screw");
  EXPECT_EQ(redo->time_us, kTimeUs - 1);
  EXPECT_EQ(redo->open, (OpenKey{0x1111, false}));
  EXPECT_EQ(redo->sequence, 17u);
  EXPECT_EQ(records[3].kind, TrailRecordKind::kAnswers);
  const absl::StatusOr<AnswerRecord> answers = DecodeAnswers(records[3].payload);
  ASSERT_TRUE(answers.ok()) << Describe(answers.status());
  EXPECT_EQ(answers->open, (OpenKey{0x2222, true}));
  ASSERT_EQ(answers->runs.size(), 2u);
  EXPECT_EQ(answers->runs[0].last, 9u);
  ASSERT_EQ(answers->others.size(), 1u);
  EXPECT_EQ(NumberOf(answers->others[0].status), ErrorNumber::kAlreadyExists);
}

// As long as version 2 is what is written, it is written the same, byte for byte.
TEST_F(Format2, H5_WhatIsWrittenNowIsTheSame) {
  EXPECT_TRUE(TheBatch() == Kept("version_2/batch"));
  EXPECT_TRUE(EncodeLabel(KeptLabel()) == Kept("version_1/label"));
  EXPECT_TRUE(KeptBlock() == Kept("version_1/block"));
}

}  // namespace
}  // namespace quire
