#include "tests/fault/failing_call.h"

#include <cerrno>
#include <utility>

#include "quire/text.h"

namespace quire::test {
namespace {

constexpr FailsWhen kFirstStart = FailsWhen::kFirstStart;
constexpr FailsWhen kStart = FailsWhen::kStart;
constexpr FailsWhen kRunning = FailsWhen::kRunning;
constexpr FailsWhen kStop = FailsWhen::kStop;
constexpr EndState kUnharmed = EndState::kUnharmed;
constexpr EndState kNoRoom = EndState::kNoRoom;
constexpr EndState kLatched = EndState::kLatched;
constexpr EndState kNotStarted = EndState::kNotStarted;

// LMDB writes whole pages, except for the part of a meta page that it changes.
constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kMetaMostBytes = 512;
constexpr bool kLasts = true;

std::string EffectName(int32_t effect) {
  switch (effect) {
    case EIO:
      return "Eio";
    case ENOSPC:
      return "Enospc";
    case EDQUOT:
      return "Edquot";
    case EINTR:
      return "Eintr";
    case ENOMEM:
      return "Enomem";
    case EACCES:
      return "Eacces";
    case EMFILE:
      return "Emfile";
    default:
      return "Short";
  }
}

// "StorePageWrite" + EIO at a start: "StartStorePageWriteEio".
std::string NameOf(const FailingCall& row) {
  return StrCat(FailsWhenWord(row.when), row.name, EffectName(row.effect));
}

std::vector<FailingCall> StoreRows() {
  std::vector<FailingCall> rows;
  const std::string file = "/data.mdb";
  const auto page = [&](int32_t effect, EndState end, bool lasts = false) {
    rows.push_back(
        {"StorePageWrite", kRunning, FaultCall::kWrite, file, effect, end, lasts, kPageBytes, 0});
  };
  page(EIO, kLatched);
  page(ENOSPC, kNoRoom, kLasts);
  page(EDQUOT, kNoRoom, kLasts);
  page(kShortWrite, kLatched);
  page(EINTR, kUnharmed);
  const auto meta = [&](FailsWhen when, int32_t effect, EndState end) {
    rows.push_back(
        {"StoreMetaWrite", when, FaultCall::kWrite, file, effect, end, false, 0, kMetaMostBytes});
  };
  for (const int32_t effect : {EIO, ENOSPC, EDQUOT, kShortWrite}) meta(kRunning, effect, kLatched);
  meta(kRunning, EINTR, kUnharmed);
  meta(kStart, EIO, kNotStarted);
  meta(kStop, EIO, kLatched);
  const auto simple = [&](const char* name, FailsWhen when, FaultCall call, int32_t effect,
                          EndState end, bool lasts = false) {
    rows.push_back({name, when, call, file, effect, end, lasts});
  };
  for (const int32_t effect : {EIO, ENOSPC, EDQUOT, EINTR}) {
    simple("StoreSync", kRunning, FaultCall::kSync, effect, kLatched);
  }
  simple("StoreSync", kStart, FaultCall::kSync, EIO, kNotStarted);
  simple("StoreSync", kFirstStart, FaultCall::kSync, EIO, kNotStarted);
  simple("StoreSync", kStop, FaultCall::kSync, EIO, kLatched);
  simple("StoreReserve", kRunning, FaultCall::kAllocate, ENOSPC, kNoRoom, kLasts);
  simple("StoreReserve", kRunning, FaultCall::kAllocate, EDQUOT, kNoRoom, kLasts);
  simple("StoreReserve", kRunning, FaultCall::kAllocate, EINTR, kUnharmed);
  simple("StoreReserve", kRunning, FaultCall::kAllocate, EIO, kUnharmed);
  for (const int32_t effect : {EIO, EACCES, EMFILE}) {
    simple("StoreOpen", kStart, FaultCall::kOpen, effect, kNotStarted);
  }
  simple("StoreOpen", kFirstStart, FaultCall::kOpen, ENOSPC, kNotStarted);
  simple("StoreMap", kStart, FaultCall::kMap, ENOMEM, kNotStarted);
  simple("StoreRename", kFirstStart, FaultCall::kRename, EIO, kNotStarted);
  rows.push_back({"StoreDirectorySync", kFirstStart, FaultCall::kSync, "/store", EIO, kNotStarted});
  return rows;
}

std::vector<FailingCall> TrailRows() {
  std::vector<FailingCall> rows;
  const auto row = [&](const char* name, FailsWhen when, FaultCall call, const char* path_end,
                       int32_t effect, EndState end, bool lasts = false) {
    rows.push_back({name, when, call, path_end, effect, end, lasts});
  };
  const char* const segment = ".trail";
  const char* const unfinished = ".new";
  for (const int32_t effect : {EIO, ENOSPC, EDQUOT}) {
    row("TrailWrite", kRunning, FaultCall::kWrite, segment, effect, kLatched);
  }
  row("TrailWrite", kRunning, FaultCall::kWrite, segment, kShortWrite, kUnharmed);
  row("TrailWrite", kRunning, FaultCall::kWrite, segment, EINTR, kUnharmed);
  for (const int32_t effect : {EIO, ENOSPC, EDQUOT, EINTR}) {
    row("TrailSync", kRunning, FaultCall::kSync, segment, effect, kLatched);
  }
  row("TrailSync", kStart, FaultCall::kSync, segment, EIO, kNotStarted);
  row("TrailOpen", kStart, FaultCall::kOpen, segment, EIO, kNotStarted);
  row("TrailRead", kStart, FaultCall::kRead, segment, EIO, kNotStarted);
  row("TrailRead", kStart, FaultCall::kRead, segment, EINTR, kUnharmed);
  row("SegmentOpen", kRunning, FaultCall::kOpen, unfinished, EIO, kLatched);
  row("SegmentOpen", kRunning, FaultCall::kOpen, unfinished, ENOSPC, kNoRoom, kLasts);
  row("SegmentReserve", kRunning, FaultCall::kAllocate, unfinished, EIO, kLatched);
  row("SegmentReserve", kRunning, FaultCall::kAllocate, unfinished, ENOSPC, kNoRoom, kLasts);
  row("SegmentReserve", kRunning, FaultCall::kAllocate, unfinished, EDQUOT, kNoRoom, kLasts);
  row("SegmentReserve", kRunning, FaultCall::kAllocate, unfinished, EINTR, kUnharmed);
  row("SegmentWrite", kRunning, FaultCall::kWrite, unfinished, EIO, kLatched);
  row("SegmentWrite", kRunning, FaultCall::kWrite, unfinished, ENOSPC, kNoRoom, kLasts);
  row("SegmentWrite", kRunning, FaultCall::kWrite, unfinished, kShortWrite, kUnharmed);
  row("SegmentWrite", kRunning, FaultCall::kWrite, unfinished, EINTR, kUnharmed);
  for (const int32_t effect : {EIO, ENOSPC}) {
    row("SegmentSync", kRunning, FaultCall::kSync, unfinished, effect, kLatched);
  }
  row("SegmentRename", kRunning, FaultCall::kRename, segment, EIO, kLatched);
  row("TrailDirectorySync", kRunning, FaultCall::kSync, "/trail", EIO, kLatched);
  row("TrailDirectorySync", kRunning, FaultCall::kSync, "/trail", ENOSPC, kLatched);
  row("TrailDirectoryMake", kFirstStart, FaultCall::kMakeDirectory, "/trail", ENOSPC, kNotStarted);
  row("TrailDirectoryOpen", kStart, FaultCall::kOpen, "/trail", EACCES, kNotStarted);
  row("SegmentOpen", kStart, FaultCall::kOpen, unfinished, EIO, kNotStarted);
  return rows;
}

std::vector<FailingCall> OtherRows() {
  std::vector<FailingCall> rows;
  const auto row = [&](const char* name, FaultCall call, const char* path_end, int32_t effect) {
    rows.push_back({name, kStart, call, path_end, effect, kNotStarted});
  };
  row("LockOpen", FaultCall::kOpen, "/lock", EACCES);
  row("LockTruncate", FaultCall::kTruncate, "/lock", EIO);
  row("LockWrite", FaultCall::kWrite, "/lock", ENOSPC);
  row("LockWrite", FaultCall::kWrite, "/lock", kShortWrite);
  row("PortFileRename", FaultCall::kRename, ".port", EIO);
  return rows;
}

}  // namespace

std::string EndStateWord(EndState end) {
  switch (end) {
    case EndState::kUnharmed:
      return "unharmed";
    case EndState::kNoRoom:
      return "no room";
    case EndState::kLatched:
      return "latched";
    case EndState::kNotStarted:
      return "not started";
  }
  return "";
}

std::string FailsWhenWord(FailsWhen when) {
  switch (when) {
    case FailsWhen::kFirstStart:
      return "FirstStart";
    case FailsWhen::kStart:
      return "Start";
    case FailsWhen::kRunning:
      return "Running";
    case FailsWhen::kStop:
      return "Stop";
  }
  return "";
}

std::vector<FailingCall> AllFailingCalls() {
  std::vector<FailingCall> rows = StoreRows();
  for (const std::vector<FailingCall>& more : {TrailRows(), OtherRows()}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  for (FailingCall& row : rows) row.name = NameOf(row);
  return rows;
}

}  // namespace quire::test
