#include "server/volume/answer_record.h"

#include "quire/text.h"
#include "server/base/bytes.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr uint8_t kVersion = 1;
enum AnswerFlag : uint8_t { kImplicit = 1 };

absl::Status Bad() {
  return volume_error::BadStore("an answer record of the audit trail does not decode");
}

}  // namespace

std::string EncodeAnswers(const AnswerRecord& answers) {
  std::string bytes;
  ByteWriter writer(&bytes);
  writer.Put(kVersion);
  writer.Put(static_cast<uint8_t>(answers.open.implicit ? kImplicit : 0));
  writer.Put(answers.open.id);
  writer.Put(answers.acked_through);
  writer.Put(static_cast<uint32_t>(answers.runs.size()));
  for (const AnswerRecord::Run& run : answers.runs) {
    writer.Put(run.first);
    writer.Put(run.last);
  }
  writer.Put(static_cast<uint32_t>(answers.others.size()));
  for (const AnswerRecord::Other& other : answers.others) {
    writer.Put(other.sequence);
    writer.Put(static_cast<uint32_t>(NumberOf(other.status)));
    writer.Put(static_cast<uint8_t>(RetryOf(other.status)));
    writer.Put(static_cast<uint32_t>(other.warning));
    writer.PutString(ToStd(other.status.message()));
  }
  return bytes;
}

absl::StatusOr<AnswerRecord> DecodeAnswers(std::string_view bytes) {
  ByteReader reader(bytes);
  AnswerRecord answers;
  const auto version = reader.Get<uint8_t>();
  const auto flags = reader.Get<uint8_t>();
  if (version > kVersion) {
    return volume_error::NewerFormat("an answer record of the audit trail", version, kVersion);
  }
  if (version != kVersion || flags > kImplicit) return Bad();
  answers.open = {reader.Get<uint64_t>(), flags == kImplicit};
  answers.acked_through = reader.Get<uint64_t>();
  // Counts from disc must not make us allocate: the reader ends the loops.
  for (auto left = reader.Get<uint32_t>(); left > 0 && reader.ok(); --left) {
    AnswerRecord::Run run{reader.Get<uint64_t>(), reader.Get<uint64_t>()};
    if (run.last < run.first) return Bad();
    answers.runs.push_back(run);
  }
  for (auto left = reader.Get<uint32_t>(); left > 0 && reader.ok(); --left) {
    AnswerRecord::Other other;
    other.sequence = reader.Get<uint64_t>();
    const auto number = static_cast<ErrorNumber>(reader.Get<uint32_t>());
    const auto retry = reader.Get<uint8_t>();
    other.warning = static_cast<ErrorNumber>(reader.Get<uint32_t>());
    const std::string_view message = reader.GetString();
    if (retry > static_cast<uint8_t>(Retry::kReopen)) return Bad();
    if (number != ErrorNumber::kOk) {
      other.status = MakeError(number, message, static_cast<Retry>(retry));
    }
    answers.others.push_back(std::move(other));
  }
  if (!reader.ok() || !reader.at_end()) return Bad();
  return answers;
}

}  // namespace quire
