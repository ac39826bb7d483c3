// A volume whose trail's writes the test can hold back.
#ifndef QUIRE_TESTS_UNIT_VOLUME_GATED_FIXTURE_H_
#define QUIRE_TESTS_UNIT_VOLUME_GATED_FIXTURE_H_

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "tests/unit/volume/gated_device.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {

// `Base` is VolumeTest or a fixture made of it.
template <typename Base>
class Gated : public Base {
 protected:
  Gated() {
    this->volume_.options().open_trail_device =
        [this]() -> absl::StatusOr<std::unique_ptr<TrailDevice>> {
      return WrapWithGate(OpenSimulatedDevice(this->volume_.medium), gate_);
    };
    this->volume_.Reopen();
  }

  // R-D7: while a change of the durable file `changed` is not on disc, a read that saw it and a
  // refusal that rests on it wait; `unchanged`, durable and empty, and `buffered` answer.
  void ExpectWhoSawAChangeToWait(const std::string& changed, const std::string& unchanged,
                                 const std::string& buffered) {
    gate_->Close();
    std::thread writer([&] { EXPECT_TRUE(this->Write(changed, SmallRecord(8)).ok()); });
    gate_->AwaitArrival();
    EXPECT_TRUE(this->Write(buffered, SmallRecord(2)).ok());
    EXPECT_EQ(Number(this->Read(unchanged, SmallKey(1)).status()), 11);
    std::atomic<int> waiting{2};
    std::thread reader([&] {
      EXPECT_EQ(*this->Read(changed, SmallKey(8)), SmallRecord(8));
      --waiting;
    });
    std::thread second([&] {
      EXPECT_EQ(Number(this->Write(changed, SmallRecord(8))), 10);
      --waiting;
    });
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(this->Read(buffered, SmallKey(2)).ok());
    EXPECT_EQ(waiting, 2);
    gate_->Open();
    writer.join();
    reader.join();
    second.join();
  }

  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_VOLUME_GATED_FIXTURE_H_
