#include "client/transport/convert_file.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

FileInfo FullInfo() {
  FileInfo info;
  info.name = FileName{"\\NODE", "$DATA02", "SUB", "FILE"};
  info.attributes.format = 2;
  info.attributes.code = 3;
  info.attributes.extents = {4, 5};
  info.attributes.max_extents = 60;
  info.attributes.record_bytes = 700;
  info.attributes.block_bytes = 32768;
  info.attributes.key_length = 8;
  info.attributes.key_offset = 9;
  info.attributes.lock_length = 10;
  info.attributes.buffered = true;
  info.attributes.audit = true;
  info.attributes.lookaside = Lookaside::kNoFreeze;
  info.attributes.partitions = {{"$DATA03", {11, 12}, std::string("\0\xFF", 2)}};
  info.partition = 13;
  info.primary_volume = "$DATA01";
  info.create_id = 14;
  info.pending = true;
  info.confirmed = false;
  info.owner_group = 15;
  info.owner_user = 16;
  info.security = "NUGO";
  info.created_us = 17;
  info.modified_us = 18;
  info.last_open_us = 19;
  info.eof_bytes = 20;
  info.free_blocks = 21;
  info.record_count = 22;
  info.extents_allocated = 23;
  info.index_levels = 24;
  info.label_bytes = 25;
  info.open_count = 26;
  info.bad = true;
  return info;
}

void ExpectEqual(const FileInfo& a, const FileInfo& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.attributes, b.attributes);
  EXPECT_EQ(a.partition, b.partition);
  EXPECT_EQ(a.primary_volume, b.primary_volume);
  EXPECT_EQ(a.create_id, b.create_id);
  EXPECT_EQ(a.pending, b.pending);
  EXPECT_EQ(a.confirmed, b.confirmed);
  EXPECT_EQ(a.owner_group, b.owner_group);
  EXPECT_EQ(a.owner_user, b.owner_user);
  EXPECT_EQ(a.security, b.security);
  EXPECT_EQ(a.created_us, b.created_us);
  EXPECT_EQ(a.modified_us, b.modified_us);
  EXPECT_EQ(a.last_open_us, b.last_open_us);
  EXPECT_EQ(a.eof_bytes, b.eof_bytes);
  EXPECT_EQ(a.free_blocks, b.free_blocks);
  EXPECT_EQ(a.record_count, b.record_count);
  EXPECT_EQ(a.extents_allocated, b.extents_allocated);
  EXPECT_EQ(a.index_levels, b.index_levels);
  EXPECT_EQ(a.label_bytes, b.label_bytes);
  EXPECT_EQ(a.open_count, b.open_count);
  EXPECT_EQ(a.bad, b.bad);
}

TEST(ConvertFileTest, InfoRoundTripsWithEveryMember) {
  FileDescription description;
  description.primary = FullInfo();
  description.secondaries.emplace_back(FullInfo());
  description.secondaries.emplace_back(MakeError(ErrorNumber::kVolumeDown, "down", Retry::kSafe));
  v1::InfoResponse message;
  ToProto(description, &message);
  const absl::StatusOr<FileDescription> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  ExpectEqual(received->primary, FullInfo());
  ASSERT_EQ(received->secondaries.size(), 2u);
  ExpectEqual(*received->secondaries[0], FullInfo());
  EXPECT_EQ(received->secondaries[1].status(), description.secondaries[1].status());
}

TEST(ConvertFileTest, FieldsLeftOutTakeEnscribesDefaults) {
  const absl::StatusOr<FileAttributes> attributes = FromProto(v1::FileAttributes());
  ASSERT_TRUE(attributes.ok());
  EXPECT_EQ(*attributes, FileAttributes());
}

// An explicit zero is not "left out": it must be refused as it is without a wire in between.
TEST(ConvertFileTest, ExplicitZerosTravel) {
  FileAttributes attributes;
  attributes.record_bytes = 0;
  attributes.block_bytes = 0;
  attributes.max_extents = 0;
  v1::FileAttributes message;
  ToProto(attributes, &message);
  EXPECT_EQ(*FromProto(message), attributes);
}

TEST(ConvertFileTest, TypeOfMoreThanOneLetterIs2) {
  v1::FileAttributes message;
  message.set_type("KEY");
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kInvalidOperation);
}

TEST(ConvertFileTest, CreateRoundTripsAndAnOwnerLeftOutStaysSo) {
  CreateRequest create;
  create.name = FileName{"", "$DATA01", "SUB", "FILE"};
  create.owner_group = 0;
  create.owner_user = 255;
  create.security = "AAAA";
  create.partition_only = true;
  create.partition = 3;
  create.primary_volume = "$DATA02";
  create.create_id = 99;
  v1::CreateRequest message;
  ToProto(create, &message);
  const absl::StatusOr<CreateRequest> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->name, create.name);
  EXPECT_EQ(received->owner_group, 0u);
  EXPECT_EQ(received->owner_user, 255u);
  EXPECT_EQ(received->security, "AAAA");
  EXPECT_TRUE(received->partition_only);
  EXPECT_EQ(received->partition, 3u);
  EXPECT_EQ(received->primary_volume, "$DATA02");
  EXPECT_EQ(received->create_id, 99u);
  message.clear_owner_group();
  EXPECT_EQ(FromProto(message)->owner_group, std::nullopt);
  message.mutable_name()->clear_volume();
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kIllegalName);
}

TEST(ConvertFileTest, AlterKeepsWhatIsUnset) {
  AlterRequest request;
  request.file.name = FileName{"", "$DATA01", "SUB", "FILE"};
  const auto sent = [&request] {
    v1::AlterRequest message;
    ToProto(request, &message);
    return *FromProto(message);
  };
  EXPECT_EQ(sent().audit, std::nullopt);
  EXPECT_EQ(sent().buffered, std::nullopt);
  EXPECT_EQ(sent().lookaside, std::nullopt);
  for (Lookaside lookaside : {Lookaside::kOff, Lookaside::kNoFreeze, Lookaside::kFreeze}) {
    request.lookaside = lookaside;
    EXPECT_EQ(sent().lookaside, lookaside);
  }
  request.audit = true;
  EXPECT_EQ(sent().audit, true);
  EXPECT_EQ(sent().buffered, std::nullopt);
  request.audit = false;
  request.buffered = true;
  EXPECT_EQ(sent().audit, false);
  EXPECT_EQ(sent().buffered, true);
}

// R-A4: unknown enumerators are 22, and unspecified is the default.
TEST(ConvertFileTest, RA4UnknownLookasideIs22) {
  v1::FileAttributes message;
  EXPECT_EQ(FromProto(message)->lookaside, Lookaside::kOff);
  message.set_lookaside(static_cast<v1::Lookaside>(7));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
}

// R-A4: unknown enumerators are 22.
TEST(ConvertFileTest, RA4UnknownStepIs22) {
  v1::AlterRequest message;
  v1::FileName* name = message.mutable_file()->mutable_name();
  name->set_volume("$DATA01");
  name->set_subvolume("SUB");
  name->set_file("FILE");
  EXPECT_TRUE(FromProto(message).ok());
  EXPECT_FALSE(FromProto(message)->buffered.has_value());
  message.set_step(static_cast<v1::PartitionStep>(3));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
}

TEST(ConvertFileTest, ListPagesAreBounded) {
  v1::ListRequest message;
  v1::FileName* name = message.mutable_fileset();
  name->set_volume("$*");
  name->set_subvolume("*");
  name->set_file("A?");
  message.set_page_size(4000000000u);
  const absl::StatusOr<ListRequest> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->page_size, 1000u);
}

}  // namespace
}  // namespace quire
