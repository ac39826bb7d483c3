#include "server/rpc/load_reactor.h"

#include <atomic>
#include <future>

#include "quire/error.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

class LoadTest : public RpcFixture {
 protected:
  static RecordChunk Chunk(uint64_t first, uint64_t count) {
    RecordChunk chunk;
    for (uint64_t i = first; i < first + count; ++i) chunk.Add(Key(i) + "record");
    return chunk;
  }
  static absl::StatusOr<LoadAnswer> Send(LoadStream& load, RecordChunk chunk) {
    return Await<LoadAnswer>(
        [&](Done<LoadAnswer> done) { load.Send(std::move(chunk), std::move(done)); });
  }
  static absl::Status Finish(LoadStream& load) {
    return AwaitStatus([&](DoneStatus done) { load.Finish(std::move(done)); });
  }
};

TEST_F(LoadTest, RA3ChunksAreNumberedAndAnsweredInOrder) {
  const std::unique_ptr<LoadStream> load = stub_->Load({MakeFile(), false});
  std::vector<uint64_t> order;
  std::promise<void> all;
  constexpr uint64_t kChunks = 100;
  for (uint64_t i = 0; i < kChunks; ++i) {
    load->Send(Chunk(i * 10, 10), [&](absl::StatusOr<LoadAnswer> answer) {
      ASSERT_TRUE(answer.ok()) << answer.status();
      EXPECT_EQ(answer->accepted, 10u);
      order.push_back(answer->chunk);
      if (order.size() == kChunks) all.set_value();
    });
  }
  all.get_future().wait();
  for (uint64_t i = 0; i < kChunks; ++i) EXPECT_EQ(order[i], i);
  EXPECT_TRUE(Finish(*load).ok());
  EXPECT_EQ(fake_->Records("$DATA01.SUB.FILE").size(), 1000u);
}

TEST_F(LoadTest, RA3StopsAtARefusedRecordAndKeepsWhatWasAccepted) {
  const std::unique_ptr<LoadStream> load = stub_->Load({MakeFile(), false});
  RecordChunk chunk = Chunk(0, 3);
  chunk.Add("short");
  chunk.Add(Key(9));
  const absl::StatusOr<LoadAnswer> answer = Send(*load, std::move(chunk));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_TRUE(answer->stopped);
  EXPECT_EQ(answer->accepted, 3u);
  ASSERT_EQ(answer->refused.size(), 1u);
  EXPECT_EQ(answer->refused[0].first, 3u);
  EXPECT_EQ(NumberOf(answer->refused[0].second), ErrorNumber::kIllegalCount);
  EXPECT_EQ(NumberOf(Send(*load, Chunk(20, 1)).status()), ErrorNumber::kBadParameter);
  EXPECT_TRUE(Finish(*load).ok());
  EXPECT_EQ(fake_->Records("$DATA01.SUB.FILE").size(), 3u);
}

TEST_F(LoadTest, RA3ContinueGoesOnBehindRefusedRecords) {
  const std::unique_ptr<LoadStream> load = stub_->Load({MakeFile(), true});
  RecordChunk chunk = Chunk(0, 2);
  chunk.Add(Key(0));
  chunk.Add(Key(7));
  const absl::StatusOr<LoadAnswer> answer = Send(*load, std::move(chunk));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_FALSE(answer->stopped);
  EXPECT_EQ(answer->accepted, 3u);
  EXPECT_EQ(NumberOf(answer->refused.at(0).second), ErrorNumber::kAlreadyExists);
  EXPECT_TRUE(Finish(*load).ok());
}

TEST_F(LoadTest, ChunksUnderWayAreBounded) {
  const std::unique_ptr<LoadStream> load = stub_->Load({MakeFile(), false});
  fake_->HoldAnswers();
  std::atomic<uint32_t> answered{0};
  constexpr uint32_t kChunks = 4 * kLoadChunksUnderWay;
  for (uint64_t i = 0; i < kChunks; ++i) {
    load->Send(Chunk(i, 1), [&](const absl::StatusOr<LoadAnswer>&) { ++answered; });
  }
  EXPECT_TRUE(Eventually([&] { return fake_->answers_held() == kLoadChunksUnderWay; }));
  EXPECT_EQ(answered, 0u);
  fake_->ReleaseAnswers();
  EXPECT_TRUE(Finish(*load).ok());
  EXPECT_EQ(answered, kChunks);
}

TEST_F(LoadTest, ErrorOfTheServiceEndsTheLoad) {
  const std::unique_ptr<LoadStream> load = stub_->Load({MakeFile(), false});
  fake_->FailWith([](const std::string& what) {
    return what == "Load" ? MakeError(ErrorNumber::kFileBad, "block 7 does not check")
                          : absl::OkStatus();
  });
  EXPECT_EQ(NumberOf(Send(*load, Chunk(0, 1)).status()), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(Finish(*load)), ErrorNumber::kFileBad);
}

TEST_F(LoadTest, MalformedNameEndsTheLoad) {
  FileReference file = MakeFile();
  file.name.file = "9";
  const std::unique_ptr<LoadStream> load = stub_->Load({file, false});
  EXPECT_EQ(NumberOf(Finish(*load)), ErrorNumber::kIllegalName);
}

TEST_F(LoadTest, LoadWithoutChunksIsFine) {
  const std::unique_ptr<LoadStream> load = stub_->Load({MakeFile(), false});
  EXPECT_TRUE(Finish(*load).ok());
}

}  // namespace
}  // namespace quire::test
