// Words and numbers of the text files that models come in: URDF and the text forms of meshes. What
// a locale says of decimal points does not matter here.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "absl/strings/numbers.h"

namespace talus::model {

// Takes the next word off `text`; empty at its end.
inline std::string_view TakeWord(std::string_view& text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  const size_t end = std::min(text.find_first_of(kBlank, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// The finite number that `text` is, blanks around it aside.
inline std::optional<double> ReadFinite(std::string_view text) {
  double value = 0.0;
  if (!absl::SimpleAtod(absl::string_view(text.data(), text.size()), &value)) return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Whether a and b are equal but for the case of ASCII letters.
inline bool EqualsInAnyCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(x) == lower(y);
  });
}

}  // namespace talus::model
