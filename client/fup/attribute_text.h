// Attributes in FUP's words, the same in SHOW and INFO, and such that SET takes them back.
#ifndef QUIRE_CLIENT_FUP_ATTRIBUTE_TEXT_H_
#define QUIRE_CLIENT_FUP_ATTRIBUTE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "client/fup/create_parameter.h"
#include "client/fup/create_settings.h"
#include "quire/attributes.h"

namespace quire {

struct AttributeLine {
  CreateKeyword keyword;
  std::string text;
};

// Lines in the order of INFO DETAIL. SHOW leaves MAXEXTENTS out of the PART lines; INFO has it.
enum class PartitionStyle : uint8_t { kShow, kInfo };
std::vector<AttributeLine> AttributeLines(const CreateSettings& settings, PartitionStyle style);

// "EXT ( 100 PAGES, 200 PAGES )"
std::string ExtentsLine(const ExtentSizes& extents);

// A key as SET PART takes it: "AB" when all of it can be printed, else [65,0,255]. The zeros that
// CREATE adds behind shorter partial keys are left out.
std::string PartialKeyText(std::string_view partial_key);
bool IsPrintable(std::string_view text);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_ATTRIBUTE_TEXT_H_
