#include <algorithm>
#include <utility>
#include <vector>

#include "client/fup/attribute_text.h"
#include "client/fup/command_table.h"
#include "client/fup/create_parameter.h"
#include "client/fup/session.h"

namespace quire {
namespace {

constexpr std::string_view kIndent = "     ";

class ShowCommand : public FupCommand {
 public:
  explicit ShowCommand(std::vector<CreateKeyword> keywords) : keywords_(std::move(keywords)) {}

  absl::Status Run(FupSession& session) const override {
    for (const AttributeLine& line :
         AttributeLines(session.create_settings, PartitionStyle::kShow)) {
      if (Wanted(line.keyword)) session.output() << kIndent << line.text << "\n";
    }
    // What is off has no line of its own; who asks for it gets an answer all the same.
    if (keywords_.empty()) return absl::OkStatus();
    const FileAttributes& attributes = session.create_settings.attributes;
    if (Wanted(CreateKeyword::kAudit) && !attributes.audit) {
      session.output() << kIndent << "NO AUDIT\n";
    }
    if (Wanted(CreateKeyword::kBuffered) && !attributes.buffered) {
      session.output() << kIndent << "NO BUFFERED\n";
    }
    if (Wanted(CreateKeyword::kLookaside) && attributes.lookaside == Lookaside::kOff) {
      session.output() << kIndent << "LOOKASIDE OFF\n";
    }
    return absl::OkStatus();
  }

 private:
  bool Wanted(CreateKeyword keyword) const {
    return keywords_.empty() ||
           std::find(keywords_.begin(), keywords_.end(), keyword) != keywords_.end();
  }

  const std::vector<CreateKeyword> keywords_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<std::vector<CreateKeyword>> keywords = ParseCreateKeywords(cursor);
  if (!keywords.ok()) return keywords.status();
  return std::make_unique<ShowCommand>(*std::move(keywords));
}

constexpr CommandSpec kSpec = {
    "SHOW", "show the values of SET",
    "SHOW [ attribute [ , attribute ]... ]\n"
    "  Shows what CREATE would make a file of, e.g. SHOW KEYLEN, PART.\n",
    &Parse};

}  // namespace

const CommandSpec& ShowCommandSpec() {
  return kSpec;
}

}  // namespace quire
