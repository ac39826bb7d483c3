// A volume server with the fault library loaded, and records of which the test knows which were
// acknowledged.
#ifndef QUIRE_TESTS_FAULT_FAULT_FIXTURE_H_
#define QUIRE_TESTS_FAULT_FAULT_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "tests/fault/fault_control.h"
#include "tests/support/process_fixture.h"

namespace quire::test {

class FaultTest : public ClusterTest {
 protected:
  void SetUp() override;
  void TearDown() override;

  FaultControl& control() { return *control_; }
  // From now on the server's calls fail as the control says; the counts begin anew.
  void Arm();
  void Disarm();
  std::map<std::string, std::string> environment() const;

  // Starts $DATA01 with small trail segments, and connects.
  void Start();
  // Where the records go: a write-through file and an AUDIT file.
  void CreateFiles();
  // One change of the files in turn, and every so many a control point. The first error met.
  absl::Status Step();
  // Opens the files anew.
  void OpenFiles();
  void Close();
  // Every acknowledged record is there, every refused one is not, those of unknown outcome may be;
  // and the order of keys is right.
  void VerifyRecords();

  FileSystem& filesystem() { return *filesystem_; }
  // Changes from one control point to the next; 0: none.
  int steps_per_control_point_ = 8;

 private:
  struct Ledger {
    std::string name;
    std::unique_ptr<File> file;
    std::vector<int> acknowledged;
    std::vector<int> refused;  // nothing was done
  };

  void VerifyRecords(const Ledger& ledger);
  static std::string KeyOf(int number);
  static std::string RecordOf(int number);

  FaultControl* control_ = nullptr;
  std::unique_ptr<FileSystem> filesystem_;
  Ledger ledgers_[2];
  int next_ = 0;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_FAULT_FAULT_FIXTURE_H_
