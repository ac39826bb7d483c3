#include "client/transport/convert_listing.h"

#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

const FileName kFile{"\\NODE", "$DATA01", "SUB", "FILE"};

TEST(ConvertListingTest, OpensRoundTrip) {
  TestRandom random;
  ListOpensPage page;
  page.next_page_token = "token";
  for (int i = 0; i < 50; ++i) {
    constexpr Exclusion kExclusions[] = {Exclusion::kShared, Exclusion::kExclusive,
                                         Exclusion::kProtected};
    const auto number = [&] { return static_cast<uint32_t>(random.Below(1000)); };
    page.opens.push_back(
        {kFile, random.Below(1000), "program", static_cast<AccessMode>(random.Below(3)),
         kExclusions[random.Below(3)], number(), number(), number(), number(),
         static_cast<int64_t>(random.Below(1000)), random.OneIn(2), random.OneIn(2), number()});
  }
  v1::ListOpensResponse message;
  ToProto(page, &message);
  const absl::StatusOr<ListOpensPage> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->next_page_token, "token");
  ASSERT_EQ(received->opens.size(), page.opens.size());
  for (size_t i = 0; i < page.opens.size(); ++i) {
    const OpenInfo& a = received->opens[i];
    const OpenInfo& b = page.opens[i];
    EXPECT_EQ(a.file, b.file);
    EXPECT_EQ(a.open_id, b.open_id);
    EXPECT_EQ(a.client_name, b.client_name);
    EXPECT_EQ(a.access, b.access);
    EXPECT_EQ(a.exclusion, b.exclusion);
    EXPECT_EQ(a.sync_depth, b.sync_depth);
    EXPECT_EQ(a.lock_mode, b.lock_mode);
    EXPECT_EQ(a.owner_group, b.owner_group);
    EXPECT_EQ(a.owner_user, b.owner_user);
    EXPECT_EQ(a.opened_us, b.opened_us);
    EXPECT_EQ(a.implicit, b.implicit);
    EXPECT_EQ(a.detached, b.detached);
    EXPECT_EQ(a.locks, b.locks);
  }
}

TEST(ConvertListingTest, LocksRoundTrip) {
  TestRandom random;
  ListLocksPage page;
  page.next_page_token = "token";
  for (int i = 0; i < 50; ++i) {
    page.locks.push_back({kFile, static_cast<LockKind>(random.Between(1, 3)), random.OneIn(2),
                          random.Below(1000), "program",
                          std::string(random.Below(9), static_cast<char>(random.Below(256))),
                          static_cast<int64_t>(random.Below(1000))});
  }
  v1::ListLocksResponse message;
  ToProto(page, &message);
  const absl::StatusOr<ListLocksPage> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->next_page_token, "token");
  ASSERT_EQ(received->locks.size(), page.locks.size());
  for (size_t i = 0; i < page.locks.size(); ++i) {
    const LockInfo& a = received->locks[i];
    const LockInfo& b = page.locks[i];
    EXPECT_EQ(a.file, b.file);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.granted, b.granted);
    EXPECT_EQ(a.open_id, b.open_id);
    EXPECT_EQ(a.client_name, b.client_name);
    EXPECT_EQ(a.key, b.key);
    EXPECT_EQ(a.since_us, b.since_us);
  }
}

TEST(ConvertListingTest, RequestsRoundTripAndPagesAreBounded) {
  ListLocksRequest locks;
  locks.file.name = kFile;
  locks.granted_only = true;
  locks.page_size = 4000000000u;
  locks.page_token = "token";
  v1::ListLocksRequest message;
  ToProto(locks, &message);
  EXPECT_TRUE(FromProto(message)->granted_only);
  EXPECT_EQ(FromProto(message)->page_size, 1000u);
  EXPECT_EQ(FromProto(message)->page_token, "token");
  v1::ListOpensRequest opens;
  ToProto(ListOpensRequest{locks.file, 7, "other"}, &opens);
  EXPECT_EQ(FromProto(opens)->file.name, kFile);
  EXPECT_EQ(FromProto(opens)->page_size, 7u);
  EXPECT_EQ(FromProto(opens)->page_token, "other");
  opens.mutable_file()->mutable_name()->clear_volume();
  EXPECT_EQ(NumberOf(FromProto(opens).status()), ErrorNumber::kIllegalName);
}

TEST(ConvertListingTest, UnknownKindsAre22) {
  v1::ListLocksResponse locks;
  locks.add_locks();
  EXPECT_EQ(FromProto(locks)->locks[0].kind, LockKind::kRecord);
  locks.mutable_locks(0)->set_kind(static_cast<v1::LockKind>(4));
  EXPECT_EQ(NumberOf(FromProto(locks).status()), ErrorNumber::kBadParameter);
  v1::ListOpensResponse opens;
  opens.add_opens()->set_exclusion(2);
  EXPECT_EQ(NumberOf(FromProto(opens).status()), ErrorNumber::kBadParameter);
  opens.mutable_opens(0)->set_exclusion(3);
  opens.mutable_opens(0)->set_access(3);
  EXPECT_EQ(NumberOf(FromProto(opens).status()), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace quire
