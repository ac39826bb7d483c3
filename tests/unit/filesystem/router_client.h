// A program's open of a file of four partitions, through a router that can be thrown away.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_ROUTER_CLIENT_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_ROUTER_CLIENT_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/filesystem/cluster.h"
#include "tests/unit/filesystem/hand_timer.h"
#include "tests/unit/filesystem/session_user.h"

namespace quire::testing {

inline constexpr int64_t kSecond = 1'000'000;

inline Operation Next() {
  return ByKey(OperationKind::kReadNext, "");
}
inline Operation Kind(OperationKind kind) {
  return ByKey(kind, "");
}

// One program's open of the file, with a router of its own.
class Client {
 public:
  Client(Cluster& cluster, std::shared_ptr<HandTimer> timer) : cluster_(cluster), timer_(timer) {
    request_.file.name = PartsName();
    Connect();
  }

  // The router is thrown away, and another takes its place. What has no result is sent again.
  void RestartRouter() {
    session_.reset();
    router_.reset();
    for (const BatchResult& result : user_->results) results_.push_back(result);
    const OpenState state = user_->state;
    user_ = std::make_shared<SessionUser>();
    user_->state = state;
    request_.file.open_id = open_id_;
    request_.resume = OpenResume{state, acked_through_};
    Connect();
    if (!user_->opened.ok()) return;
    for (size_t i = results_.size(); i < sent_.size(); ++i) session_->Submit(sent_[i]);
  }

  void Submit(const std::vector<Operation>& operations, bool stop_on_error = false) {
    OperationBatch batch = Batch(next_sequence_, operations);
    batch.stop_on_error = stop_on_error;
    batch.acked_through = acked_through_;
    next_sequence_ += operations.size();
    sent_.push_back(batch);
    session_->Submit(std::move(batch));
  }
  // Submits, and gives the answers of just these operations.
  std::vector<std::string> Run(const std::vector<Operation>& operations,
                               bool stop_on_error = false) {
    const size_t before = Answers().size();
    Submit(operations, stop_on_error);
    timer_->Advance(10 * kSecond);
    std::vector<std::string> answers = Answers();
    answers.erase(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(before));
    return answers;
  }
  std::string Write(const std::string& key) {
    const std::string record = Record(key);
    return Run({WithRecord(OperationKind::kWrite, record)}).at(0);
  }
  // READs until one is not OK; its number is the last.
  std::vector<std::string> ReadOn() {
    std::vector<std::string> found;
    do {
      found.push_back(Run({Next()}).at(0));
    } while (found.back().size() > 3 && found.size() < 100);
    return found;
  }
  void Ack() { acked_through_ = next_sequence_ - 1; }

  std::vector<std::string> Answers() const {
    SessionUser all;
    all.results = results_;
    for (const BatchResult& result : user_->results) all.results.push_back(result);
    return all.Answers();
  }
  SessionUser& user() { return *user_; }
  Session& session() { return *session_; }
  std::shared_ptr<Service> router() { return router_; }
  uint64_t next_sequence() const { return next_sequence_; }

 private:
  void Connect() {
    router_ = MakeRouterService(cluster_.services(), RoutingOptions{absl::Seconds(5), timer_});
    session_ = router_->OpenSession(request_, user_);
    if (user_->opened.ok()) open_id_ = user_->opened->open_id;
  }

  Cluster& cluster_;
  const std::shared_ptr<HandTimer> timer_;
  OpenRequest request_;
  std::shared_ptr<Service> router_;
  std::shared_ptr<SessionUser> user_ = std::make_shared<SessionUser>();
  std::unique_ptr<Session> session_;
  uint64_t open_id_ = 0;
  uint64_t next_sequence_ = 1;
  uint64_t acked_through_ = 0;
  std::vector<OperationBatch> sent_;
  std::vector<BatchResult> results_;  // of earlier routers
};

class RouterClientTest : public ::testing::Test {
 protected:
  RouterClientTest() { cluster_.CreateParts(); }

  void Fill(const std::vector<std::string>& keys) {
    Client writer(cluster_, timer_);
    for (const std::string& key : keys) ASSERT_EQ(writer.Write(key), "0");
    writer.session().Close();
  }

  Cluster cluster_{4};  // borders at B, C, D
  std::shared_ptr<HandTimer> timer_ = std::make_shared<HandTimer>();
};

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_ROUTER_CLIENT_H_
