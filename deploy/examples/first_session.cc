// Writes, reads, scans and deletes in $DATA01.STOCK.PARTS, the file that README's first session
// creates. Usage: first_session HOST:PORT of a router.

#include <iostream>
#include <string>

#include "quire/error.h"
#include "quire/filesystem.h"

int main(int argc, char** argv) {
  const std::string router = argc > 1 ? argv[1] : "127.0.0.1:7000";
  auto connected = quire::FileSystem::Connect({.router = router, .client_name = "first_session"});
  if (!connected.ok()) {
    std::cerr << quire::Describe(connected.status()) << "\n";
    return 1;
  }
  auto opened = (*connected)->Open("$DATA01.STOCK.PARTS");
  if (!opened.ok()) {
    std::cerr << quire::Describe(opened.status()) << "\n";
    return 1;
  }
  quire::File& file = **opened;

  for (const char* record : {"P1000001bolt", "P6000001nut", "P1000001again"}) {
    const absl::Status written = file.Write(record);
    std::cout << "write " << record << ": " << quire::Describe(written) << "\n";
  }
  const absl::StatusOr<std::string> found = file.Read("P6000001");
  std::cout << "read P6000001: " << (found.ok() ? *found : quire::Describe(found.status())) << "\n";

  // In key order, over the partition border.
  auto scan = file.Scan({});
  for (auto record = scan->Next(); record.ok(); record = scan->Next()) {
    std::cout << "scan: " << *record << "\n";
  }
  for (const char* key : {"P1000001", "P6000001", "P9999999"}) {
    std::cout << "delete " << key << ": " << quire::Describe(file.Delete(key)) << "\n";
  }
  const absl::Status closed = file.Close();
  std::cout << "close: " << quire::Describe(closed) << "\n";
  return closed.ok() ? 0 : 1;
}
