#include "server/base/bytes.h"

#include <string>

#include "gtest/gtest.h"

namespace quire {
namespace {

using std::string_literals::operator""s;

TEST(BytesTest, LittleEndianStoresLowByteFirst) {
  std::string bytes(8, '\0');
  StoreLittle<uint64_t>(bytes.data(), 0x0102030405060708);
  EXPECT_EQ(bytes, "\x08\x07\x06\x05\x04\x03\x02\x01");
  EXPECT_EQ(LoadLittle<uint64_t>(bytes.data()), 0x0102030405060708U);
  EXPECT_EQ(LoadLittle<uint16_t>(bytes.data() + 1), 0x0607U);  // unaligned
}

TEST(BytesTest, BigEndianStoresHighByteFirst) {
  std::string bytes(4, '\0');
  StoreBig<uint32_t>(bytes.data(), 0xFF020304);
  EXPECT_EQ(bytes, "\xFF\x02\x03\x04");
  EXPECT_EQ(LoadBig<uint32_t>(bytes.data()), 0xFF020304U);
}

TEST(BytesTest, BigEndianOrderIsNumberOrder) {
  const uint64_t rising[] = {0, 1, 255, 256, 65535, 65536, uint64_t{1} << 40, ~uint64_t{0}};
  std::string before;
  for (uint64_t number : rising) {
    std::string bytes(8, '\0');
    StoreBig(bytes.data(), number);
    EXPECT_LT(before, bytes) << number;
    EXPECT_EQ(LoadBig<uint64_t>(bytes.data()), number);
    before = bytes;
  }
}

TEST(BytesTest, ReaderGivesBackWhatTheWriterPut) {
  std::string out;
  ByteWriter writer(&out);
  writer.Put<uint8_t>(200);
  writer.Put<uint16_t>(60000);
  writer.PutString("a\0b"s);
  writer.Put<uint32_t>(4000000000);
  writer.PutString("");
  writer.Put<uint64_t>(~uint64_t{0});
  ByteReader reader(out);
  EXPECT_EQ(reader.Get<uint8_t>(), 200);
  EXPECT_EQ(reader.Get<uint16_t>(), 60000);
  EXPECT_EQ(reader.GetString(), "a\0b"s);
  EXPECT_EQ(reader.Get<uint32_t>(), 4000000000U);
  EXPECT_EQ(reader.GetString(), "");
  EXPECT_EQ(reader.Get<uint64_t>(), ~uint64_t{0});
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.at_end());
}

TEST(BytesTest, ReaderFailsOnEveryCutAndStaysFailed) {
  std::string out;
  ByteWriter writer(&out);
  writer.Put<uint32_t>(7);
  writer.PutString("record");
  for (size_t length = 0; length < out.size(); ++length) {
    ByteReader reader(std::string_view(out).substr(0, length));
    reader.Get<uint32_t>();
    reader.GetString();
    EXPECT_FALSE(reader.ok()) << length;
    EXPECT_EQ(reader.Get<uint8_t>(), 0);
    EXPECT_EQ(reader.GetString(), "");
    EXPECT_FALSE(reader.ok());
  }
}

TEST(BytesTest, LengthOfAStringIsNotTrusted) {
  std::string out;
  ByteWriter(&out).Put<uint32_t>(0xFFFFFFFF);
  ByteReader reader(out);
  EXPECT_EQ(reader.GetString(), "");
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace quire
