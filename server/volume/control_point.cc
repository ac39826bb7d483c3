#include "server/volume/control_point.h"

#include <utility>

#include "absl/time/time.h"
#include "server/base/bytes.h"
#include "server/base/check.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr uint8_t kMetaVersion = 1;

}  // namespace

std::string EncodeControlPointMeta(const ControlPointMeta& meta) {
  std::string bytes;
  ByteWriter writer(&bytes);
  writer.Put(kMetaVersion);
  writer.Put(meta.lsn);
  writer.Put(meta.epoch);
  writer.Put(meta.next_file_id);
  writer.Put(meta.change_sequence);
  return bytes;
}

absl::StatusOr<ControlPointMeta> DecodeControlPointMeta(std::string_view bytes) {
  ByteReader reader(bytes);
  const auto version = reader.Get<uint8_t>();
  ControlPointMeta meta;
  meta.lsn = reader.Get<Lsn>();
  meta.epoch = reader.Get<uint64_t>();
  meta.next_file_id = reader.Get<FileId>();
  meta.change_sequence = reader.Get<uint64_t>();
  if (!reader.ok() || !reader.at_end() || version != kMetaVersion) {
    return volume_error::BadStore("the control-point record does not decode");
  }
  return meta;
}

ControlPointWriter::ControlPointWriter(Environment environment)
    : environment_(std::move(environment)) {}

ControlPointWriter::~ControlPointWriter() {
  {
    absl::MutexLock lock(&mutex_);
    ending_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

void ControlPointWriter::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void ControlPointWriter::Submit(ControlPointJob job) {
  absl::MutexLock lock(&mutex_);
  QUIRE_CHECK(!job_.has_value());
  job_ = std::move(job);
}

void ControlPointWriter::Loop() {
  const auto has_work = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return ending_ || job_.has_value();
  };
  for (;;) {
    std::optional<ControlPointJob> job;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.AwaitWithTimeout(absl::Condition(&has_work), absl::Milliseconds(environment_.tick_ms));
      if (job_.has_value()) {
        job = std::move(job_);
        job_.reset();
      } else if (ending_) {
        return;
      }
    }
    if (job.has_value()) {
      environment_.done(Write(*std::move(job)));
    } else {
      environment_.tick();
    }
  }
}

ControlPointResult ControlPointWriter::Write(ControlPointJob job) {
  ControlPointResult result;
  result.meta = job.meta;
  result.blocks = job.content.blocks.size();
  if (absl::Status durable = environment_.wait_durable(job.cut_batch); !durable.ok()) {
    result.commit = std::move(durable);
  } else {
    result.commit = environment_.store->Commit(job.content);
  }
  result.micros = environment_.monotonic_us() - job.cut_us;
  return result;
}

}  // namespace quire
