// Debian builds Abseil with a string_view of its own, which std::string_view does not turn into by
// itself. These bridge the two, so that Quire's interfaces can use the standard one.
#ifndef QUIRE_TEXT_H_
#define QUIRE_TEXT_H_

#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace quire {

inline absl::string_view ToAbsl(std::string_view text) {
  return absl::string_view(text.data(), text.size());
}
inline std::string_view ToStd(absl::string_view text) {
  return std::string_view(text.data(), text.size());
}

namespace text_internal {
template <typename T>
decltype(auto) Piece(const T& value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return ToAbsl(value);
  } else {
    return (value);
  }
}
}  // namespace text_internal

// As absl::StrCat and absl::StrAppend, for std::string_view too.
template <typename... T>
std::string StrCat(const T&... values) {
  return absl::StrCat(text_internal::Piece(values)...);
}
template <typename... T>
void StrAppend(std::string* out, const T&... values) {
  absl::StrAppend(out, text_internal::Piece(values)...);
}

}  // namespace quire

#endif  // QUIRE_TEXT_H_
