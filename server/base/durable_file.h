// Files made whole and on disc before they have their name. What fails is told as errno; 0 is well.
#ifndef QUIRE_SERVER_BASE_DURABLE_FILE_H_
#define QUIRE_SERVER_BASE_DURABLE_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace quire {

// What a file holds: its length and XXH3-64 of its bytes.
struct FileSum {
  uint64_t bytes = 0;
  uint64_t checksum = 0;
  bool operator==(const FileSum&) const = default;
};

// A new file, written from its beginning under the name "<path>.new". Finish gives it its own name;
// destroyed before that it is removed. One thread.
class DurableFile {
 public:
  explicit DurableFile(std::string path);
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  int Open();
  int Append(std::string_view bytes);
  // Syncs the file, renames it (what had the name before is replaced) and syncs its directory.
  int Finish();
  FileSum sum() const;  // of what was appended

 private:
  struct Hash;
  std::string unfinished() const { return path_ + ".new"; }

  const std::string path_;
  const std::unique_ptr<Hash> hash_;
  int descriptor_ = -1;
  uint64_t bytes_ = 0;
};

// Reads a file in steps of 1 MiB.
int SumFile(const std::string& path, FileSum* sum);
// Copies it; `sum` is of what was written. The copy is durable.
int CopyDurably(const std::string& from, const std::string& to, FileSum* sum);
// Makes the entries of a directory, or what was written of a file, durable.
int SyncPath(const std::string& path);

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_DURABLE_FILE_H_
