// Payloads of the audit trail's records, as a damaged or foreign trail may hold them: decoding
// answers a value or 59, and encoding the value again gives the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "quire/error.h"
#include "server/base/check.h"
#include "server/volume/answer_record.h"
#include "server/volume/redo_record.h"

namespace {

void Expect59(const absl::Status& status) {
  QUIRE_CHECK(quire::NumberOf(status) == quire::ErrorNumber::kFileBad);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<quire::RedoRecord> redo = quire::DecodeRedo(bytes);
  if (redo.ok()) {
    std::string again;
    quire::EncodeRedo(*redo, &again);
    QUIRE_CHECK(again == bytes);
  } else {
    Expect59(redo.status());
  }
  const absl::StatusOr<quire::AnswerRecord> answers = quire::DecodeAnswers(bytes);
  if (answers.ok()) {
    const absl::StatusOr<quire::AnswerRecord> again =
        quire::DecodeAnswers(quire::EncodeAnswers(*answers));
    QUIRE_CHECK(again.ok());
    QUIRE_CHECK(again->open == answers->open);
    QUIRE_CHECK(again->runs.size() == answers->runs.size());
    QUIRE_CHECK(again->others.size() == answers->others.size());
  } else {
    Expect59(answers.status());
  }
  return 0;
}
