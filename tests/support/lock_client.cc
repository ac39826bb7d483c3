// A client to be killed: opens files, takes locks, and then stays until it is.
//
//   lock_client router ADDRESS CLIENT STEP…      lock_client volumes MAP-FILE CLIENT STEP…
//
// Steps: open=FILE (from then on the file meant), lock-file, lock=KEY. Each prints
// "begins STEP" and, when it is over, "ended STEP NUMBER"; an open that stands also "id NUMBER".
// Ends by itself, with 1, when a step gets an error; and when its parent dies.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "quire/filesystem.h"

namespace quire {
namespace {

absl::StatusOr<std::unique_ptr<FileSystem>> ConnectAs(const std::string& way,
                                                      const std::string& where,
                                                      const std::string& client_name) {
  ConnectOptions options{.client_name = client_name};
  if (way == "router") {
    options.router = where;
  } else {
    auto volumes = ReadVolumeMap(where);
    if (!volumes.ok()) return volumes.status();
    options.volumes = *std::move(volumes);
  }
  return FileSystem::Connect(options);
}

absl::Status LockRecord(File& file, const std::string& key) {
  Operation lock;
  lock.kind = OperationKind::kLockRecord;
  lock.key = key;
  absl::Status answer;
  file.Nowait(lock, [&](const absl::Status& status, std::string_view) { answer = status; });
  const absl::Status stream = file.Wait();
  return stream.ok() ? answer : stream;
}

class Steps {
 public:
  explicit Steps(FileSystem& filesystem) : filesystem_(filesystem) {}

  absl::Status Run(const std::string& step) {
    if (step.starts_with("open=")) {
      auto file = filesystem_.Open(step.substr(5));
      if (!file.ok()) return file.status();
      files_.push_back(*std::move(file));
      std::cout << "id " << files_.back()->open_id() << std::endl;
      return absl::OkStatus();
    }
    if (step == "lock-file") return files_.back()->LockFile();
    return LockRecord(*files_.back(), step.substr(std::string("lock=").size()));
  }

 private:
  FileSystem& filesystem_;
  std::vector<std::unique_ptr<File>> files_;
};

int Run(const std::vector<std::string>& arguments) {
  auto filesystem = ConnectAs(arguments.at(1), arguments.at(2), arguments.at(3));
  if (!filesystem.ok()) {
    std::cout << Describe(filesystem.status()) << std::endl;
    return 1;
  }
  Steps steps(**filesystem);
  for (size_t i = 4; i < arguments.size(); ++i) {
    std::cout << "begins " << arguments[i] << std::endl;
    const absl::Status status = steps.Run(arguments[i]);
    std::cout << "ended " << arguments[i] << " " << static_cast<int32_t>(NumberOf(status))
              << std::endl;
    if (!status.ok()) {
      std::cout << Describe(status) << std::endl;
      return 1;
    }
  }
  while (true) pause();
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return quire::Run(std::vector<std::string>(argv, argv + argc));
}
