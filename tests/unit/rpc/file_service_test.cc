#include "server/rpc/file_service.h"

#include "quire/error.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

class FileServiceTest : public RpcFixture {
 protected:
  absl::StatusOr<FileDescription> Info(const FileReference& file) {
    return Await<FileDescription>(
        [&](Done<FileDescription> done) { stub_->Info(file, std::move(done)); });
  }
  absl::StatusOr<ListPage> List(const ListRequest& request) {
    return Await<ListPage>([&](Done<ListPage> done) { stub_->List(request, std::move(done)); });
  }
  absl::Status Alter(const AlterRequest& request) {
    return AwaitStatus([&](DoneStatus done) { stub_->Alter(request, std::move(done)); });
  }
  absl::Status Purge(const FileReference& file) {
    return AwaitStatus([&](DoneStatus done) {
      stub_->Purge(PurgeRequest{file, true}, std::move(done));
    });
  }
};

TEST_F(FileServiceTest, CreateInfoAlterPurgeRoundTrip) {
  const FileReference file = MakeFile();
  AlterRequest alter;
  alter.file = file;
  alter.buffered = true;
  alter.max_extents = 100;
  EXPECT_TRUE(Alter(alter).ok());
  absl::StatusOr<FileDescription> description = Info(file);
  ASSERT_TRUE(description.ok()) << description.status();
  EXPECT_TRUE(description->primary.attributes.buffered);
  EXPECT_EQ(description->primary.attributes.max_extents, 100u);
  EXPECT_EQ(description->primary.owner_group, 10u);
  EXPECT_EQ(description->primary.security, "GOGO");
  alter.step = PartitionStep::kConfirmed;
  EXPECT_TRUE(Alter(alter).ok());
  EXPECT_TRUE(Info(file)->primary.confirmed);
  EXPECT_TRUE(Purge(file).ok());
  EXPECT_EQ(NumberOf(Info(file).status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(Purge(file)), ErrorNumber::kNotFound);
}

TEST_F(FileServiceTest, CreateRefusesWithTheNumberOfTheService) {
  CreateRequest request;
  request.name = FileName{"", "$DATA01", "SUB", "FILE"};
  const auto create = [&] {
    return NumberOf(Await<FileInfo>([&](Done<FileInfo> done) {
                      stub_->Create(request, std::move(done));
                    }).status());
  };
  EXPECT_EQ(create(), ErrorNumber::kIllegalCount);  // KEYLEN missing
  request.attributes.key_length = 8;
  request.attributes.record_bytes = 0;  // said outright, not left out
  EXPECT_EQ(create(), ErrorNumber::kIllegalCount);
  request.attributes.record_bytes = 80;
  EXPECT_EQ(create(), ErrorNumber::kOk);
  EXPECT_EQ(create(), ErrorNumber::kAlreadyExists);
  request.name.subvolume = "NOT.ONE";
  EXPECT_EQ(create(), ErrorNumber::kIllegalName);
}

// R-A4: listings use page_size and page_token.
TEST_F(FileServiceTest, RA4ListsInPages) {
  for (int i = 0; i < 5; ++i) {
    CreateRequest request;
    request.name = FileName{"", "$DATA01", "SUB", StrCat("FILE", i)};
    request.attributes.key_length = 8;
    EXPECT_TRUE(Await<FileInfo>([&](Done<FileInfo> done) {
                  stub_->Create(request, std::move(done));
                }).ok());
  }
  ListRequest request;
  request.fileset = FileName{"", "$DATA01", "SUB", "F*"};
  request.page_size = 2;
  std::vector<std::string> names;
  do {
    const absl::StatusOr<ListPage> page = List(request);
    ASSERT_TRUE(page.ok()) << page.status();
    EXPECT_LE(page->files.size(), 2u);
    for (const FileInfo& info : page->files) names.push_back(info.name.file);
    request.page_token = page->next_page_token;
  } while (!request.page_token.empty());
  EXPECT_EQ(names, (std::vector<std::string>{"FILE0", "FILE1", "FILE2", "FILE3", "FILE4"}));
}

TEST_F(FileServiceTest, ListsOpensAndLocks) {
  const FileReference file = MakeFile();
  OpenInfo open;
  open.file = file.name;
  open.open_id = 4711;
  LockInfo lock;
  lock.file = file.name;
  lock.key = std::string("\0\xFF", 2);
  fake_->SetListings({open}, {lock});
  fake_->KeepRequests();
  const auto opens = Await<ListOpensPage>([&](Done<ListOpensPage> done) {
    stub_->ListOpens(ListOpensRequest{file, 0, {}}, std::move(done));
  });
  ASSERT_TRUE(opens.ok()) << opens.status();
  EXPECT_EQ(opens->opens.at(0).open_id, 4711u);
  const auto locks = Await<ListLocksPage>([&](Done<ListLocksPage> done) {
    stub_->ListLocks(ListLocksRequest{file, true, 0, {}}, std::move(done));
  });
  ASSERT_TRUE(locks.ok()) << locks.status();
  EXPECT_EQ(locks->locks.at(0).key, lock.key);
  EXPECT_TRUE(fake_->requests().lock_lists.at(0).granted_only);
  FileReference missing = file;
  missing.name.file = "NOFILE";
  EXPECT_EQ(NumberOf(Await<ListOpensPage>([&](Done<ListOpensPage> done) {
                       stub_->ListOpens(ListOpensRequest{missing, 0, {}}, std::move(done));
                     }).status()),
            ErrorNumber::kNotFound);
}

TEST_F(FileServiceTest, Check) {
  using Checks = std::vector<PartitionCheck>;
  const auto check = [&](const FileReference& file) {
    return Await<Checks>([&](Done<Checks> done) { stub_->Check(file, std::move(done)); });
  };
  FileReference file = MakeFile();
  const absl::StatusOr<Checks> found = check(file);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().file, file.name);
  EXPECT_EQ(found->front().lsn, 9u);
  EXPECT_EQ(found->front().levels.at(0).free_bytes, 100u);
  file.name.file = "NOFILE";
  EXPECT_EQ(NumberOf(check(file).status()), ErrorNumber::kNotFound);
  file.name.file = "NOT.ONE";
  EXPECT_EQ(NumberOf(check(file).status()), ErrorNumber::kIllegalName);
}

TEST_F(FileServiceTest, Backup) {
  const auto backup = [&](const std::string& volume) {
    return Await<BackupAnswer>([&](Done<BackupAnswer> done) {
      stub_->Backup({volume, "monday"}, std::move(done));
    });
  };
  const absl::StatusOr<BackupAnswer> answer = backup("$DATA01");
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->control_point_lsn, 9u);
  EXPECT_EQ(answer->last_lsn, 11u);
  EXPECT_EQ(answer->time_us, 1000);
  EXPECT_EQ(answer->bytes, 4096u);
  EXPECT_EQ(NumberOf(backup("$OTHER").status()), ErrorNumber::kBadParameter);
}

TEST_F(FileServiceTest, VolumesAndRefresh) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(*Await<Names>([&](Done<Names> done) { stub_->Volumes(std::move(done)); }),
            Names{"$DATA01"});
  const auto refresh = [&](const std::string& volume) {
    return Await<RefreshAnswer>(
        [&](Done<RefreshAnswer> done) { stub_->Refresh(volume, std::move(done)); });
  };
  EXPECT_EQ(refresh("$DATA01")->blocks_written, 7u);
  EXPECT_EQ(NumberOf(refresh("$OTHER").status()), ErrorNumber::kNoSuchVolume);
}

}  // namespace
}  // namespace quire::test
