#include "server/volume/recovered_answers.h"

#include "quire/limits.h"

namespace quire {

RecoveredAnswers::Entry& RecoveredAnswers::EntryOf(FileId file, OpenKey open) {
  const size_t limit = open.implicit ? kUnaryAnswersKept : kMaxSavedAnswers;
  return entries_.try_emplace(Key(file, open), Entry{SavedAnswers(limit), floor_}).first->second;
}

void RecoveredAnswers::Add(FileId file, const AnswerRecord& record) {
  EntryOf(file, record.open).answers.Restore(record);
}

void RecoveredAnswers::Add(FileId file, const AnswerRecord& record, uint64_t since) {
  Entry& entry = EntryOf(file, record.open);
  entry.answers.Restore(record);
  entry.since = since;
}

void RecoveredAnswers::AddDone(FileId file, OpenKey open, uint64_t sequence) {
  if (open.id == 0 || sequence == 0) return;
  SavedAnswers& answers = EntryOf(file, open).answers;
  answers.NoteChange(sequence);
  if (!answers.Find(sequence).has_value()) answers.Save(sequence, SavedAnswer());
}

std::optional<RecoveredAnswers::Entry> RecoveredAnswers::Take(FileId file, OpenKey open) {
  const auto node = entries_.extract(Key(file, open));
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

void RecoveredAnswers::DropFile(FileId file) {
  std::erase_if(entries_, [file](const auto& entry) { return entry.first.first == file; });
}

void RecoveredAnswers::DropAll(uint64_t epoch) {
  const bool sessions = std::any_of(entries_.begin(), entries_.end(),
                                    [](const auto& entry) { return !entry.first.second.implicit; });
  // Single calls do not ask whether they were forgotten.
  if (sessions) RaiseFloor(epoch);
  entries_.clear();
}

}  // namespace quire
