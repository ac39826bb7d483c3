#include "client/bench/report_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "client/bench/byte_source.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr char kBlock[] =
    "Process  Program $DATA01.MEASURE.FORMAT\n"
    "CPU 00 Pin 45 Interval 0000123\n"
    "Local System \\NODE1 From 17 Dec 2019, 7:37:29 For 32.5 Minutes\n"
    "------------ Processor -----------------------------------------------------\n"
    "Cpu-Busy-Time                    5.12 sec  Dispatches                  338,323 #\n"
    "Launch-Wait-Time                           Launches\n"
    "\n";

// Gives a few bytes at a time, so that lines cross every read.
class SmallReads : public ByteSource {
 public:
  explicit SmallReads(std::string_view bytes) : inner_(MemoryBytes(bytes)) {}
  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    return inner_->Read(buffer, room < 7 ? room : 7);
  }
  size_t position() const override { return inner_->position(); }
  size_t size() const override { return inner_->size(); }

 private:
  std::unique_ptr<ByteSource> inner_;
};

absl::Status ErrorOf(const std::string& text) {
  ReportReader reader(MemoryBytes(text));
  ReportBlock block;
  for (;;) {
    const absl::StatusOr<bool> more = reader.Next(&block);
    if (!more.ok()) return more.status();
    if (!*more) return absl::OkStatus();
  }
}

void ExpectDamage(const std::string& text, int line) {
  const absl::Status status = ErrorOf(text);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kBadParameter) << text;
  EXPECT_NE(ToStd(status.message()).find(StrCat("line ", line, ":")), std::string::npos) << status;
}

std::string Without(const std::string& text, const std::string& part, const std::string& instead) {
  std::string changed = text;
  const size_t at = changed.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return changed.replace(at, part.size(), instead);
}

TEST(ReportReaderTest, ReadsBlocksAcrossSmallReads) {
  const std::string text = std::string(kBlock) + kBlock;
  ReportReader reader(std::make_unique<SmallReads>(text));
  ReportBlock block;
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<bool> more = reader.Next(&block);
    ASSERT_TRUE(more.ok() && *more) << more.status();
    EXPECT_EQ(block.first_line, i == 0 ? 1u : 8u);
    EXPECT_EQ(block.key, "00450000123");
    ASSERT_EQ(block.items.size(), 4u);
    EXPECT_EQ(block.items[0].label, "Cpu-Busy-Time");
    EXPECT_EQ(block.items[0].value, "5.12");
    EXPECT_EQ(block.items[1].label, "Dispatches");
    EXPECT_EQ(block.items[1].value, "338,323");
    EXPECT_EQ(block.items[2].value, "");
    EXPECT_EQ(block.items[3].label, "Launches");
  }
  const absl::StatusOr<bool> end = reader.Next(&block);
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(*end);
}

TEST(ReportReaderTest, TakesOpenersCrLfCollapsedBlanksAndAMissingLastLineEnd) {
  const std::string text =
      "Discopen $DATA07.STOCK.PARTS\r\n"
      "Opener 02,18 ($LOADR) OCB 41 Interval 0000007\r\n"
      "Local System \\KYOTO From 3 Mar 2024, 9:00:12 For 10.0 Minutes\r\n"
      "------------ Requests ------------------------------------------------------\r\n"
      "Lockwait-Time Requests 20,004 #";
  ReportReader reader(MemoryBytes(text));
  ReportBlock block;
  const absl::StatusOr<bool> more = reader.Next(&block);
  ASSERT_TRUE(more.ok() && *more) << more.status();
  EXPECT_EQ(block.key, "02180000007");
  ASSERT_EQ(block.items.size(), 2u);
  EXPECT_EQ(block.items[0].value, "");
  EXPECT_EQ(block.items[1].value, "20,004");
}

TEST(ReportReaderTest, AnEmptyTextHasNoBlocks) {
  EXPECT_TRUE(ErrorOf("").ok());
  EXPECT_TRUE(ErrorOf("\n\n\n").ok());
}

TEST(ReportReaderTest, DamageIsNamedByItsLine) {
  const std::string good = kBlock;
  ASSERT_TRUE(ErrorOf(good).ok());
  ExpectDamage(Without(good, "Process ", "Prozess "), 1);
  ExpectDamage(Without(good, "CPU 00", "CPU 0"), 2);
  ExpectDamage(Without(good, "Pin", "Pen"), 2);
  ExpectDamage(Without(good, "0000123", "123"), 2);
  ExpectDamage(Without(good, "Interval 0000123", ""), 2);
  ExpectDamage(Without(good, "Local System", "Remote"), 3);
  ExpectDamage(Without(good, "------------ P", "--- P"), 4);
  ExpectDamage(Without(good, "338,323", "33,8323"), 5);
  ExpectDamage(Without(good, "338,323", "338,323x"), 5);
  ExpectDamage(Without(good, "5.12 sec", "5.12"), 5);
  ExpectDamage(Without(good, "5.12 sec", "5. sec"), 5);
  ExpectDamage(Without(good, "Launch-Wait", "Laun\x01h-Wait"), 6);
  ExpectDamage(good.substr(0, good.find("Local")), 2);
  ExpectDamage(good + good.substr(0, good.find("Cpu-Busy")), 11);
  ExpectDamage(good + std::string(600, 'A') + "\n", 8);
}

TEST(ReportReaderTest, ItemsNeedASection) {
  ExpectDamage(
      Without(kBlock,
              "------------ Processor -----------------------------------------------------\n", ""),
      4);
}

TEST(ReportReaderTest, ABlockOfTooManyItemsIsRefused) {
  std::string text = kBlock;
  text.pop_back();
  for (int i = 0; i < 600; ++i) text.append("Vsems\n");
  const absl::Status status = ErrorOf(text);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace bench
}  // namespace quire
