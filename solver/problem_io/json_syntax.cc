#include "solver/problem_io/json_syntax.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

// Keeps nothing but where the parser gives up.
class SyntaxCheck {
 public:
  using Json = nlohmann::json;

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(Json::number_integer_t) { return true; }
  bool number_unsigned(Json::number_unsigned_t) { return true; }
  bool number_float(Json::number_float_t, const Json::string_t&) { return true; }
  bool string(Json::string_t&) { return true; }
  bool binary(Json::binary_t&) { return true; }
  bool start_object(std::size_t) { return true; }
  bool key(Json::string_t&) { return true; }
  bool end_object() { return true; }
  bool start_array(std::size_t) { return true; }
  bool end_array() { return true; }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error) {
    position_ = position;
    last_token_ = last_token;
    too_large_ = dynamic_cast<const Json::out_of_range*>(&error) != nullptr;
    return false;
  }

  size_t position() const { return position_; }
  const std::string& last_token() const { return last_token_; }
  bool too_large() const { return too_large_; }

 private:
  size_t position_ = 0;
  std::string last_token_;
  bool too_large_ = false;
};

}  // namespace

absl::Status JsonSyntaxError(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return absl::InvalidArgumentError("the file is empty");
  }
  SyntaxCheck check;
  nlohmann::json::sax_parse(text, &check);
  const std::string_view before = text.substr(0, std::min(check.position(), text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const size_t column = before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
  return absl::InvalidArgumentError(
      absl::StrCat("the file is not JSON: line ", line, ", column ", std::max<size_t>(column, 1),
                   ": ", check.too_large() ? "a number beyond any double after " : "after ",
                   FormatValue(std::string_view(check.last_token()))));
}

}  // namespace talus
