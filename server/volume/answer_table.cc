#include "server/volume/answer_table.h"

#include <utility>

#include "server/base/bytes.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr uint8_t kVersion = 1;

class TableWriter {
 public:
  explicit TableWriter(uint64_t floor) : writer_(&bytes_) {
    writer_.Put(kVersion);
    writer_.Put(floor);
    count_at_ = bytes_.size();
    writer_.Put(uint32_t{0});
  }

  void Add(FileId file, OpenKey open, const SavedAnswers& answers, uint64_t since) {
    AnswerRecord record = answers.AllOfChanges();
    record.open = open;
    writer_.Put(uint64_t{file});
    writer_.Put(since);
    writer_.PutString(EncodeAnswers(record));
    StoreLittle(bytes_.data() + count_at_, ++count_);
  }

  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
  ByteWriter writer_;
  size_t count_at_ = 0;
  uint32_t count_ = 0;
};

}  // namespace

std::string EncodeAnswerTable(const OpenTable& opens, const RecoveredAnswers& recovered) {
  TableWriter table(recovered.floor());
  for (const auto& [key, entry] : recovered.entries()) {
    table.Add(key.first, key.second, entry.answers, entry.since);
  }
  for (const auto& [id, open] : opens.opens()) {
    if (!KeepsAnswers(*open)) continue;
    if (open->implicit && open->answers.size() == 0) continue;
    table.Add(open->entry->id(), AnswerKey(*open), open->answers, open->answers_since);
  }
  return table.Take();
}

absl::Status DecodeAnswerTable(std::string_view bytes, RecoveredAnswers* recovered) {
  absl::Status bad = volume_error::BadStore("the table of saved answers does not decode");
  ByteReader reader(bytes);
  const auto version = reader.Get<uint8_t>();
  if (version > kVersion) {
    return volume_error::NewerFormat("the table of saved answers", version, kVersion);
  }
  if (version != kVersion) return bad;
  recovered->RaiseFloor(reader.Get<uint64_t>());
  // Counts from disc must not make us allocate: the reader ends the loop.
  for (auto left = reader.Get<uint32_t>(); left > 0 && reader.ok(); --left) {
    const FileId file = reader.Get<uint64_t>();
    const auto since = reader.Get<uint64_t>();
    const std::string_view entry = reader.GetString();
    if (!reader.ok()) return bad;
    const absl::StatusOr<AnswerRecord> record = DecodeAnswers(entry);
    if (!record.ok()) return record.status();
    recovered->Add(file, *record, since);
  }
  return reader.ok() && reader.at_end() ? absl::OkStatus() : bad;
}

}  // namespace quire
