#include "server/security/token_table.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <optional>

namespace talus {
namespace {

constexpr size_t kLongestName = 64;
constexpr std::string_view kBlanks = " \t\r";

// The next word of `line`, taken off it; empty at its end.
std::string_view TakeWord(std::string_view& line) {
  const size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

template <typename Digest>
bool ReadDigest(std::string_view hex, Digest& digest) {
  if (hex.size() != 2 * digest.size()) return false;
  for (size_t i = 0; i < digest.size(); ++i) {
    const int high = HexValue(hex[2 * i]);
    const int low = HexValue(hex[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    digest[i] = static_cast<uint8_t>(16 * high + low);
  }
  return true;
}

}  // namespace

absl::StatusOr<TokenTable> TokenTable::Parse(std::string_view text, const std::string& origin) {
  TokenTable table;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, std::min(text.find('#'), end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view name = TakeWord(line);
    if (name.empty()) continue;
    const std::string_view scope_name = TakeWord(line);
    const std::string_view hex = TakeWord(line);
    const auto refuse = [&](const std::string& why) {
      return absl::InvalidArgumentError(origin + " line " + std::to_string(number) + ": " + why);
    };
    Entry entry;
    entry.grant.name = name;
    if (!IsName(name)) return refuse("the name must be 1 to 64 of A-Z a-z 0-9 - _ .");
    const std::optional<Scope> scope = FindScope(scope_name);
    if (!scope.has_value()) return refuse("the scope must be read, control or admin");
    entry.grant.scope = *scope;
    // Whatever stands there may be a token by mistake, so it is not repeated.
    if (!ReadDigest(hex, entry.digest) || !TakeWord(line).empty()) {
      return refuse("the line must be NAME SCOPE SHA256, the last in 64 hex digits");
    }
    for (const Entry& known : table.entries_) {
      if (known.digest == entry.digest)
        return refuse("the token is that of `" + known.grant.name + '`');
    }
    if (table.entries_.size() == kMostTokens) {
      return refuse("there may be at most " + std::to_string(kMostTokens) + " tokens");
    }
    table.entries_.push_back(std::move(entry));
  }
  if (table.entries_.empty()) return absl::InvalidArgumentError(origin + ": holds no token");
  return table;
}

const TokenGrant* TokenTable::Find(std::string_view token) const {
  if (token.empty() || token.size() > kLongestToken) return nullptr;
  Digest digest;
  SHA256(reinterpret_cast<const uint8_t*>(token.data()), token.size(), digest.data());
  const TokenGrant* found = nullptr;
  for (const Entry& entry : entries_) {
    if (CRYPTO_memcmp(entry.digest.data(), digest.data(), digest.size()) == 0) found = &entry.grant;
  }
  return found;
}

}  // namespace talus
