#include "server/rpc/scan_message.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "quire/v1/record.pb.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

std::string BytesOf(const grpc::ByteBuffer& buffer) {
  grpc::Slice slice;
  EXPECT_TRUE(buffer.DumpToSingleSlice(&slice).ok());
  return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
}

// What protobuf makes of the same page.
std::string Serialized(const ScanPage& page) {
  v1::ScanResponse message;
  if (page.chunk.size() > 0) {
    v1::RecordChunk* const chunk = message.mutable_chunk();
    for (const uint32_t length : page.chunk.lengths) chunk->add_lengths(length);
    chunk->set_data(page.chunk.data);
    chunk->set_last_key(page.chunk.last_key);
  }
  message.set_end(page.end);
  return message.SerializeAsString();
}

ScanPage PageOf(const std::vector<size_t>& lengths, bool end) {
  ScanPage page;
  for (const size_t length : lengths) page.chunk.Add(std::string(length, 'r'));
  if (!lengths.empty()) page.chunk.last_key = "the last key";
  page.end = end;
  return page;
}

void ExpectSame(ScanPage page) {
  const std::string wanted = Serialized(page);
  EXPECT_EQ(BytesOf(ScanMessage(std::move(page))), wanted);
}

TEST(ScanMessageTest, IsWhatProtobufWouldWrite) {
  ExpectSame(PageOf({}, true));
  ExpectSame(PageOf({}, false));
  ExpectSame(PageOf({1}, true));
  ExpectSame(PageOf({1676, 0, 127, 128, 40000}, false));
  ExpectSame(PageOf({0}, false));  // records without bytes: the data is left out
  ExpectSame(PageOf(std::vector<size_t>(5000, 300), true));
  ScanPage keyless = PageOf({3, 4}, true);
  keyless.chunk.last_key.clear();
  ExpectSame(std::move(keyless));
}

TEST(ScanMessageTest, RandomPagesAreWhatProtobufWouldWrite) {
  TestRandom random;
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<size_t> lengths(random.Below(50));
    for (size_t& length : lengths) length = random.Below(random.Below(2) == 0 ? 20 : 20000);
    ExpectSame(PageOf(lengths, random.Below(2) == 0));
  }
}

TEST(ScanMessageTest, RecordsAreNotCopied) {
  ScanPage page = PageOf({1000, 2000}, false);
  const char* const records = page.chunk.data.data();
  const grpc::ByteBuffer message = ScanMessage(std::move(page));
  std::vector<grpc::Slice> slices;
  ASSERT_TRUE(message.Dump(&slices).ok());
  bool found = false;
  for (const grpc::Slice& slice : slices) {
    found = found || reinterpret_cast<const char*>(slice.begin()) == records;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace quire::test
