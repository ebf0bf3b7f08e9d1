// The bearer tokens a server knows, each with a name and a scope; read from a file once, at start.
//
// The file has one token a line: `NAME SCOPE SHA256`, with read, control or admin for the scope and
// the SHA-256 of the token in 64 hex digits; `#` begins a comment. Only digests are kept, so the
// file gives no token away; a fast digest is enough because tokens are random, not chosen by people
// (docs/OPERATIONS.md says how one is made). Two lines may have one name: the old and the new token
// while one replaces the other. docs/OPERATIONS.md shows it from the user's side.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "server/security/scope.h"

namespace talus {

struct TokenGrant {
  std::string name;  // who it was given to; appears in logs and messages
  Scope scope = Scope::kRead;
};

class TokenTable {
 public:
  // No token is known.
  TokenTable() = default;
  // INVALID_ARGUMENT names `origin`, the line and what is wrong with it; never a digest.
  static absl::StatusOr<TokenTable> Parse(std::string_view text, const std::string& origin);

  // The grant of a token as its bearer sent it; null when it is not known. Takes a time that does
  // not depend on which digests come near.
  const TokenGrant* Find(std::string_view token) const;
  size_t size() const { return entries_.size(); }

  static constexpr size_t kMostTokens = 256;
  static constexpr size_t kLongestToken = 512;  // bytes

 private:
  using Digest = std::array<uint8_t, 32>;
  struct Entry {
    TokenGrant grant;
    Digest digest;
  };
  std::vector<Entry> entries_;
};

}  // namespace talus
