// A File: the calls of its user as operations of its stream. Knows the position as long as only
// this process moves it, and hands out records from the sequential buffer.
#ifndef QUIRE_CLIENT_FILESYSTEM_OPENED_FILE_H_
#define QUIRE_CLIENT_FILESYSTEM_OPENED_FILE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/file_operations.h"
#include "client/filesystem/file_stream.h"
#include "client/filesystem/known_position.h"
#include "client/filesystem/sequential_buffer.h"
#include "quire/filesystem.h"
#include "quire/service.h"

namespace quire {

// Operations by key are collected in one slot per partition, all others in the one behind; with one
// partition all in slot 0.
size_t OrderedSlot(const FileAttributes& attributes);

class OpenedFile : public File {
 public:
  // `stream` was started with OrderedSlot() + 1 slots.
  OpenedFile(std::shared_ptr<Service> service, std::shared_ptr<FileStream> stream,
             std::string client_name, const Opened& opened, FileDescription description,
             const FileOpenOptions& options)
      : service_(std::move(service)),
        stream_(std::move(stream)),
        client_name_(std::move(client_name)),
        open_id_(opened.open_id),
        open_warning_(WarningOf(opened, options)),
        description_(std::move(description)),
        largest_operation_(opened.max_batch_bytes),
        sync_depth_(options.sync_depth),
        position_(opened.info.attributes) {
    if (!Buffers(options)) return;
    buffer_.emplace(service_, Reference(), opened.info.attributes, options.sequential_buffer_bytes);
  }

  ~OpenedFile() override { Close().IgnoreError(); }

  const FileDescription& description() const override { return description_; }
  uint64_t open_id() const override { return open_id_; }
  ErrorNumber open_warning() const override { return open_warning_; }

  // By key.
  absl::Status Write(std::string_view record) override {
    return Execute(Change(OperationKind::kWrite, record));
  }
  absl::Status Update(std::string_view record) override {
    return Execute(Change(OperationKind::kUpdate, record));
  }
  absl::Status Delete(std::string_view key) override {
    return Execute(ByKey(OperationKind::kDelete, key));
  }
  absl::StatusOr<std::string> Read(std::string_view key, ReadMode mode, bool reverse) override {
    if (mode == ReadMode::kByKey) {
      std::string record;
      if (absl::Status status = ReadInto(key, &record); !status.ok()) return status;
      return record;
    }
    Operation read = ByKey(OperationKind::kRead, key);
    read.mode = mode;
    read.reverse = reverse;
    return ExecuteRead(read);
  }
  absl::Status ReadInto(std::string_view key, std::string* record) override {
    if (!closed_ && key.size() <= largest_operation_) {
      if (std::optional<absl::Status> status = stream_->TryRead(key, record)) {
        last_warning_ = ErrorNumber::kOk;
        return *std::move(status);
      }
    }
    return Execute(ByKey(OperationKind::kRead, key), record);
  }

  // By position.
  absl::Status SetPosition(const KeyPosition& position) override {
    return Locally([&] { return position_.Set(SettingOf(position)); });
  }
  absl::Status RestorePosition(std::string_view saved) override {
    return Locally([&] { return position_.Restore(saved); });
  }
  absl::StatusOr<std::string> SavePosition() override {
    last_warning_ = ErrorNumber::kOk;
    if (closed_) return Closed();
    if (position_.get()) return EncodePosition(*position_.get());
    return ExecuteRead(OfKind(OperationKind::kSavePosition));
  }
  absl::StatusOr<std::string> ReadNext() override;
  absl::StatusOr<std::string> ReadNextLock() override {
    return ReadOn(Locking(OperationKind::kReadNext));
  }
  absl::StatusOr<std::string> ReadUpdate() override {
    return ExecuteRead(OfKind(OperationKind::kReadUpdate));
  }
  absl::StatusOr<std::string> ReadUpdateLock() override {
    return ExecuteRead(Locking(OperationKind::kReadUpdate));
  }
  absl::Status WriteUpdate(std::string_view record) override {
    return Execute(ChangeCurrent(record, false));
  }
  absl::Status WriteUpdateUnlock(std::string_view record) override {
    return Execute(ChangeCurrent(record, true));
  }

  // Locks.
  absl::Status LockRecord() override { return Execute(OfKind(OperationKind::kLockRecord)); }
  absl::Status UnlockRecord() override { return Execute(OfKind(OperationKind::kUnlockRecord)); }
  absl::Status LockFile() override { return Execute(OfKind(OperationKind::kLockFile)); }
  absl::Status UnlockFile() override { return Execute(OfKind(OperationKind::kUnlockFile)); }
  absl::Status SetLockMode(LockMode mode) override {
    Operation operation = OfKind(OperationKind::kSetLockMode);
    operation.lock_mode = static_cast<uint32_t>(mode);
    return Execute(operation);
  }
  ErrorNumber last_warning() const override { return last_warning_; }

  // Pipelined.
  uint64_t Nowait(const Operation& operation, Completion done) override;
  void WriteNowait(std::string_view record, Completion done) override {
    Nowait(Change(OperationKind::kWrite, record), std::move(done));
  }
  void UpdateNowait(std::string_view record, Completion done) override {
    Nowait(Change(OperationKind::kUpdate, record), std::move(done));
  }
  void DeleteNowait(std::string_view key, Completion done) override {
    Nowait(ByKey(OperationKind::kDelete, key), std::move(done));
  }
  void ReadNowait(std::string_view key, Completion done) override {
    Nowait(ByKey(OperationKind::kRead, key), std::move(done));
  }
  void Cancel(uint64_t operation) override { stream_->Cancel(operation); }
  void CancelWait() override { stream_->CancelWait(); }
  void Flush() override {
    if (!closed_) stream_->SendAll();
  }
  absl::Status Wait() override {
    if (closed_) return Closed();
    Settle();
    return stream_->status();
  }

  // Many records.
  std::unique_ptr<Scanner> Scan(const ScanOptions& options) override;
  absl::StatusOr<LoadSummary> Load(RecordSource source, const LoadOptions& options) override;
  absl::Status Close() override;

 private:
  static bool Buffers(const FileOpenOptions& options) {
    return options.sequential_buffer_bytes > 0 && options.access == AccessMode::kRead;
  }
  static ErrorNumber WarningOf(const Opened& opened, const FileOpenOptions& options) {
    const bool refused = options.sequential_buffer_bytes > 0 && !Buffers(options);
    if (opened.warning != ErrorNumber::kOk || !refused) return opened.warning;
    return ErrorNumber::kNoSequentialBuffering;
  }

  absl::Status Closed() const { return filesystem_errors::FileClosed(description_.primary.name); }
  FileReference Reference() const {
    FileReference file;
    file.name = description_.primary.name;
    file.create_id = description_.primary.create_id;
    file.open_id = open_id_;
    file.client_name = client_name_;
    return file;
  }

  // Sends what is collected and waits for it: scans and loads run beside the session and must see
  // what was called for before them.
  void Settle() {
    stream_->SendAll();
    stream_->AwaitIdle();
  }
  void DropBuffer() {
    if (buffer_) buffer_->Drop();
  }

  // A call that only sets the position known here.
  absl::Status Locally(absl::FunctionRef<absl::Status()> set) {
    last_warning_ = ErrorNumber::kOk;
    if (closed_) return Closed();
    const absl::Status status = set();
    if (status.ok()) DropBuffer();
    return status;
  }

  size_t MakeWay(const Operation& operation);
  absl::Status Refusal(const Operation& operation) const;
  void Forget(const Operation& operation);
  absl::Status Tell();
  absl::Status Execute(const Operation& operation, std::string* record = nullptr);
  absl::StatusOr<std::string> ExecuteRead(const Operation& operation) {
    std::string record;
    if (absl::Status s = Execute(operation, &record); !s.ok()) return s;
    return record;
  }
  absl::StatusOr<std::string> ReadOn(const Operation& operation);
  absl::Status LearnPosition();

  const std::shared_ptr<Service> service_;
  const std::shared_ptr<FileStream> stream_;
  const std::string client_name_;
  const uint64_t open_id_;
  const ErrorNumber open_warning_;
  const FileDescription description_;
  const uint32_t largest_operation_;
  const uint32_t sync_depth_;
  KnownPosition position_;
  std::optional<SequentialBuffer> buffer_;
  ErrorNumber last_warning_ = ErrorNumber::kOk;
  bool closed_ = false;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_OPENED_FILE_H_
