// Where things stand in a JSON text: the line of every value, by its path as the server names it in
// errors
// (`bodies[3].mass_kg`), and the line and column of the first syntax error. Stands before
// protobuf's own JSON reader, which knows no lines. It does not know the schema; field names in
// lowerCamelCase are taken as their snake_case.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace talus::cli {

class JsonPositions {
 public:
  struct SyntaxError {
    int line = 0;    // from 1
    int column = 0;  // from 1, in bytes
    std::string message;
  };

  // What is wrong with the text; nothing when it is JSON.
  std::optional<SyntaxError> Scan(std::string_view text);

  // Line of the value at `path`, or of its closest ancestor that is in the text; 0 when there is
  // none.
  int FindLine(const std::string& path) const;

 private:
  std::map<std::string, int> lines_;
};

}  // namespace talus::cli
