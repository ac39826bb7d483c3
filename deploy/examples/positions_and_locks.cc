// Positions and locks in $DATA01.STOCK.PARTS, the file that README's first session creates: walks a
// set of records both ways, and takes parts from stock so that no other program can come between.
// Usage: positions_and_locks HOST:PORT of a router.

#include <iostream>
#include <string>

#include "quire/error.h"
#include "quire/filesystem.h"

namespace {

// A record: 8 bytes key, 8 bytes name, then the count.
constexpr size_t kCountAt = 16;

void Show(const char* what, const absl::StatusOr<std::string>& record) {
  std::cout << what << ": " << (record.ok() ? *record : quire::Describe(record.status())) << "\n";
}

// READUPDATELOCK, WRITEUPDATEUNLOCK: nobody else changes the record in between.
absl::Status TakeFromStock(quire::File& file, std::string_view key, int count) {
  absl::Status status = file.SetPosition({.key = key, .mode = quire::PositioningMode::kExact});
  if (!status.ok()) return status;
  absl::StatusOr<std::string> record = file.ReadUpdateLock();
  if (!record.ok()) return record.status();
  const int left = std::stoi(record->substr(kCountAt)) - count;
  if (left < 0) return file.UnlockRecord();
  return file.WriteUpdateUnlock(record->substr(0, kCountAt) + std::to_string(left));
}

// READ: forwards through the keys that begin with "P1", then backwards from the end of the file,
// over the partition border.
void Walk(quire::File& file) {
  file.SetPosition({.key = "P1", .mode = quire::PositioningMode::kGeneric}).IgnoreError();
  Show("first of P1", file.ReadNext());
  const absl::StatusOr<std::string> here = file.SavePosition();
  Show("next", file.ReadNext());
  Show("behind the last of P1", file.ReadNext());
  if (here.ok()) file.RestorePosition(*here).IgnoreError();
  Show("current record, as saved", file.ReadUpdate());
  file.SetPosition({.reverse = true}).IgnoreError();
  Show("last of the file", file.ReadNext());
  Show("the one before", file.ReadNext());
}

// What another open sees of a lock: a writer is refused at once, a reader waits or, here, is told.
void Meet(quire::File& file, quire::File& other) {
  file.SetPosition({.key = "P1000001"}).IgnoreError();
  std::cout << "lock: " << quire::Describe(file.LockRecord()) << "\n";
  const absl::Status refused = other.Update("P1000001bolt    0");
  std::cout << "another's write: error " << static_cast<int>(quire::NumberOf(refused)) << "\n";
  Show("another's read", other.Read("P1000001"));
  std::cout << "its warning: " << static_cast<int>(other.last_warning()) << "\n";
  std::cout << "unlock: " << quire::Describe(file.UnlockRecord()) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string router = argc > 1 ? argv[1] : "127.0.0.1:7000";
  auto connected = quire::FileSystem::Connect({.router = router, .client_name = "stock"});
  if (!connected.ok()) {
    std::cerr << quire::Describe(connected.status()) << "\n";
    return 1;
  }
  auto file = (*connected)->Open("$DATA01.STOCK.PARTS");
  auto other = (*connected)
                   ->Open("$DATA01.STOCK.PARTS", {.lock_mode = quire::LockMode::kReadWarn,
                                                  .lock_timeout = absl::Seconds(5)});
  if (!file.ok() || !other.ok()) {
    std::cerr << quire::Describe(file.ok() ? other.status() : file.status()) << "\n";
    return 1;
  }
  for (const char* record : {"P1000001bolt    40", "P1000002nut     25", "P6000001washer  90"}) {
    (*file)->Write(record).IgnoreError();  // 10 when it is there from an earlier run
  }
  Walk(**file);
  std::cout << "take 15: " << quire::Describe(TakeFromStock(**file, "P1000001", 15)) << "\n";
  Show("left", (*file)->ReadUpdate());
  Meet(**file, **other);
  for (const char* key : {"P1000001", "P1000002", "P6000001"}) (*file)->Delete(key).IgnoreError();
  const absl::Status closed = (*file)->Close();
  std::cout << "close: " << quire::Describe(closed) << "\n";
  return closed.ok() ? 0 : 1;
}
