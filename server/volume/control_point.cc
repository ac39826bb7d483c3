#include "server/volume/control_point.h"

#include <new>
#include <utility>

#include "server/base/activity.h"
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
  if (reader.ok() && version > kMetaVersion) {
    return volume_error::NewerFormat("the control-point record", version, kMetaVersion);
  }
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
  End();
}

void ControlPointWriter::End() {
  {
    MutexLock lock(&mutex_);
    ending_ = true;
    wakes_.Signal();
  }
  if (thread_.joinable()) thread_.join();
}

void ControlPointWriter::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void ControlPointWriter::Submit(ControlPointJob job) {
  {
    MutexLock lock(&mutex_);
    QUIRE_CHECK(!job_.has_value());
    if (!ended_) {
      job_ = std::move(job);
      wakes_.Signal();
      return;
    }
  }
  ControlPointResult not_written;
  not_written.meta = job.meta;
  not_written.commit = volume_error::EndedWithoutFlushing();
  environment_.done(std::move(not_written));
}

void ControlPointWriter::Loop() {
  const ActivityScope activity(Activity::kStore);
  const int64_t tick_micros = int64_t{environment_.tick_ms} * 1000;
  for (;;) {
    std::optional<ControlPointJob> job;
    {
      MutexLock lock(&mutex_);
      if (!job_.has_value() && !ending_) wakes_.WaitForMicros(&mutex_, tick_micros);
      if (job_.has_value()) {
        job = std::move(job_);
        job_.reset();
      } else if (ending_) {
        ended_ = true;
        return;
      }
    }
    if (job.has_value()) {
      environment_.done(Write(*std::move(job)));
    } else {
      // Also after a wake-up without reason: a tick too many does no harm.
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
    try {
      result.commit = environment_.store->Commit(job.content);
    } catch (const std::bad_alloc&) {
      result.commit = volume_error::OutOfMemoryInChange();
    }
  }
  result.micros = environment_.monotonic_us() - job.cut_us;
  return result;
}

}  // namespace quire
