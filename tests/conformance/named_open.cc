#include "tests/conformance/named_open.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"
#include "quire/text.h"
#include "tests/conformance/operation_step.h"

namespace quire::conformance {
namespace {

// A step that takes so long will never end.
constexpr std::chrono::seconds kDeadline(30);

// For "A1, B1, …" in a message about data.
std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) StrAppend(&joined, joined.empty() ? "" : ", ", text);
  return joined;
}

absl::StatusOr<std::vector<std::string>> ReadAll(Scanner& scanner) {
  std::vector<std::string> records;
  while (true) {
    const absl::StatusOr<std::string_view> record = scanner.Next();
    if (NumberOf(record.status()) == ErrorNumber::kEndOfFile) return records;
    if (!record.ok()) return record.status();
    records.emplace_back(*record);
  }
}

}  // namespace

Outcome NamedOpen::Run(const Step& step) {
  if (step.word == "close") return {.status = file_->Close()};
  if (step.word == "scan") return Scan(step);
  if (step.word == "count") return Count();
  if (step.word == "load") return Load(step);
  if (step.word == "fill" || step.word == "clear") return FillOrClear(step);
  if (step.word == "saveposition") {
    absl::StatusOr<std::string> saved = file_->SavePosition();
    if (!saved.ok()) return {.status = saved.status()};
    saved_[std::string(step.Plain(0))] = *std::move(saved);
    return {};
  }
  return RunOperation(step);
}

std::string_view NamedOpen::SavedBytes(const Step& step) const {
  if (const std::string* bytes = step.Option("bytes")) return *bytes;
  const auto saved = saved_.find(step.Plain(0));
  return saved == saved_.end() ? std::string_view() : saved->second;
}

Outcome NamedOpen::RunOperation(const Step& step) {
  const Operation operation = OperationOf(step, SavedBytes(step));
  const BlockingCall call = BlockingCallOf(step, operation);
  if (call == nullptr) {
    Started started = StartOperation(operation);
    if (started.outcome.wait_for(kDeadline) == std::future_status::ready) {
      return started.outcome.get();
    }
    return {.status = absl::InternalError("no answer came")};
  }
  const absl::StatusOr<std::string> answer = call(*file_, operation);
  if (!answer.ok()) return {.status = answer.status()};
  Outcome outcome = GivesRecord(operation.kind) ? Outcome::Of(answer) : Outcome();
  outcome.warning = static_cast<int32_t>(file_->last_warning());
  return outcome;
}

NamedOpen::Started NamedOpen::StartOperation(const Operation& operation) {
  auto answer = std::make_shared<std::promise<Outcome>>();
  Started started{.outcome = answer->get_future()};
  const bool gives_record = GivesRecord(operation.kind);
  started.number = file_->Nowait(
      operation, [answer, gives_record](const absl::Status& status, std::string_view record) {
        Outcome outcome{.status = status};
        if (status.ok() && gives_record) outcome.values = {std::string(record)};
        answer->set_value(std::move(outcome));
      });
  file_->Flush();
  return started;
}

void NamedOpen::Start(const Step& step) {
  started_.push_back(StartOperation(OperationOf(step, SavedBytes(step))));
}

bool NamedOpen::LastDone() const {
  return started_.back().outcome.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

Outcome NamedOpen::Await() {
  if (started_.empty()) return {.status = absl::InternalError("nothing was started")};
  Started first = std::move(started_.front());
  started_.pop_front();
  if (first.outcome.wait_for(kDeadline) == std::future_status::ready) return first.outcome.get();
  return {.status = absl::InternalError("no answer came")};
}

void NamedOpen::Cancel() {
  if (!started_.empty()) file_->Cancel(started_.front().number);
}

std::string NamedOpen::Position() {
  const absl::StatusOr<std::string> position = file_->SavePosition();
  return position.ok() ? *position : Describe(position.status());
}

std::string NamedOpen::Data() {
  const std::unique_ptr<Scanner> scanner = file_->Scan({});
  const absl::StatusOr<std::vector<std::string>> records = ReadAll(*scanner);
  return records.ok() ? Joined(*records) : Describe(records.status());
}

Outcome NamedOpen::Scan(const Step& step) {
  ScanOptions options;
  if (const std::string* from = step.Option("from")) options.range.start = *from;
  if (const std::string* to = step.Option("to")) options.range.limit = *to;
  options.reverse = step.Has("reverse");
  options.start_exclusive = step.Has("exclusive");
  options.max_records = NumberOption(step, "max", 0);
  options.chunk_bytes = static_cast<uint32_t>(NumberOption(step, "chunk", 0));
  const std::unique_ptr<Scanner> scanner = file_->Scan(options);
  absl::StatusOr<std::vector<std::string>> records = ReadAll(*scanner);
  if (!records.ok()) return {.status = records.status()};
  return {.values = *std::move(records)};
}

Outcome NamedOpen::Count() {
  const std::unique_ptr<Scanner> scanner = file_->Scan({});
  const absl::StatusOr<std::vector<std::string>> records = ReadAll(*scanner);
  if (!records.ok()) return {.status = records.status()};
  return {.values = std::vector<std::string>{StrCat(records->size())}};
}

Outcome NamedOpen::Load(const Step& step) {
  size_t at = 0;
  const auto next = [&](std::string_view* record) {
    if (at == step.PlainCount()) return false;
    *record = step.Plain(at++);
    return true;
  };
  const std::string* on_error = step.Option("onerror");
  const absl::StatusOr<LoadSummary> summary =
      file_->Load(next, {.continue_on_error = on_error != nullptr && *on_error == "continue"});
  if (!summary.ok()) return {.status = summary.status()};
  std::vector<std::string> lines = {StrCat("accepted ", summary->accepted)};
  for (const auto& [number, status] : summary->refused) {
    lines.push_back(StrCat("refused ", number, " ", static_cast<int32_t>(NumberOf(status))));
  }
  return {.values = std::move(lines)};
}

// Keys PREFIX0000, PREFIX0001 … are written or deleted, `count` of them or until one is refused.
Outcome NamedOpen::FillOrClear(const Step& step) {
  const uint64_t count = NumberOption(step, "count", 10000);
  const std::string padding(NumberOption(step, "pad", 0), 'x');
  for (uint64_t i = 0; i < count; ++i) {
    const std::string key =
        StrCat(step.Plain(0), ToStd(absl::string_view(absl::StrFormat("%04d", i))));
    const absl::Status status =
        step.word == "fill" ? file_->Write(key + padding) : file_->Delete(key);
    if (!status.ok()) return {.status = status};
  }
  return {};
}

}  // namespace quire::conformance
