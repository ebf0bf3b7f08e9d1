#include "clients/cli/json_positions.h"

#include <cctype>

namespace talus::cli {
namespace {

constexpr int kDeepest = 100;  // nesting; protobuf's own limit is the same

std::string SnakeCase(std::string_view name) {
  std::string snake;
  for (const char letter : name) {
    if (std::isupper(static_cast<unsigned char>(letter)) != 0) snake += '_';
    snake += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return snake;
}

// A recursive-descent reader that stops at the first error.
class Scanner {
 public:
  Scanner(std::string_view text, std::map<std::string, int>* lines) : text_(text), lines_(*lines) {}

  std::optional<JsonPositions::SyntaxError> Run() {
    ReadValue("", 0);
    SkipSpace();
    if (!error_ && at_ < text_.size()) Fail("something follows the end of the value");
    return error_;
  }

 private:
  void ReadValue(const std::string& path, int depth) {
    SkipSpace();
    lines_.emplace(path, line_);
    if (depth > kDeepest) return Fail("nested too deeply");
    if (at_ >= text_.size()) return Fail("the text ends where a value should be");
    const char first = text_[at_];
    if (first == '{') return ReadObject(path, depth);
    if (first == '[') return ReadArray(path, depth);
    if (first == '"') {
      (void)ReadString();
      return;
    }
    ReadWord();
  }

  void ReadObject(const std::string& path, int depth) {
    ++at_;
    if (Take('}')) return;
    while (!error_) {
      SkipSpace();
      if (at_ >= text_.size() || text_[at_] != '"') return Fail("expected a field name in quotes");
      const std::string name = SnakeCase(ReadString());
      const std::string inner = path.empty() ? name : path + "." + name;
      if (!error_ && lines_.count(inner) > 0)
        return Fail("'" + name + "' is here for a second time");
      if (!error_ && !Take(':')) return Fail("expected ':' after a field name");
      if (!error_) ReadValue(inner, depth + 1);
      if (error_ || Take('}')) return;
      if (!Take(',')) return Fail("expected ',' or '}'");
    }
  }

  void ReadArray(const std::string& path, int depth) {
    ++at_;
    if (Take(']')) return;
    for (int index = 0; !error_; ++index) {
      ReadValue(path + "[" + std::to_string(index) + "]", depth + 1);
      if (error_ || Take(']')) return;
      if (!Take(',')) return Fail("expected ',' or ']'");
    }
  }

  std::string ReadString() {
    const size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\n') {
        Fail("a string ends at the end of the line");
        return "";
      }
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    if (at_ >= text_.size()) {
      at_ = text_.size();
      Fail("a string does not end");
      return "";
    }
    return std::string(text_.substr(start, at_++ - start));
  }

  // A number, true, false or null.
  void ReadWord() {
    const size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '+' || text_[at_] == '-' || text_[at_] == '.')) {
      ++at_;
    }
    const std::string word(text_.substr(start, at_ - start));
    if (word == "true" || word == "false" || word == "null" || IsNumber(word)) return;
    at_ = start;
    if (word.empty()) return Fail(std::string("a value cannot start with '") + text_[at_] + "'");
    Fail("'" + word + "' is no value");
  }

  static bool IsNumber(const std::string& word) {
    size_t i = !word.empty() && word[0] == '-' ? 1 : 0;
    const auto digits = [&] {
      const size_t start = i;
      while (i < word.size() && std::isdigit(static_cast<unsigned char>(word[i])) != 0) ++i;
      return i > start;
    };
    if (!digits()) return false;
    if (i < word.size() && word[i] == '.') {
      ++i;
      if (!digits()) return false;
    }
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
      ++i;
      if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
      if (!digits()) return false;
    }
    return i == word.size();
  }

  bool Take(char wanted) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void SkipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
      ++at_;
    }
  }

  void Fail(const std::string& message) {
    if (error_) return;
    error_ = {line_, static_cast<int>(at_ - line_start_) + 1, message};
  }

  std::string_view text_;
  std::map<std::string, int>& lines_;
  std::optional<JsonPositions::SyntaxError> error_;
  size_t at_ = 0;
  int line_ = 1;
  size_t line_start_ = 0;
};

}  // namespace

std::optional<JsonPositions::SyntaxError> JsonPositions::Scan(std::string_view text) {
  lines_.clear();
  return Scanner(text, &lines_).Run();
}

int JsonPositions::FindLine(const std::string& path) const {
  for (std::string closest = SnakeCase(path); !closest.empty();) {
    const auto found = lines_.find(closest);
    if (found != lines_.end()) return found->second;
    const size_t end = closest.find_last_of(".[");
    if (end == std::string::npos) break;
    closest.resize(end);
  }
  return 0;
}

}  // namespace talus::cli
