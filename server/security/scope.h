// What a token allows: to look, to change scenes, or to do what others would miss.
//
// Scopes are ordered: each includes the ones before it. Which RPC needs which stands in
// server/rpc/access_table.h and nowhere else.
#pragma once

#include <optional>
#include <string_view>

namespace talus {

enum class Scope {
  kRead = 1,     // look at scenes, snapshots and the server
  kControl = 2,  // make, change, step and delete scenes; store snapshots; use the analyses
  kAdmin = 3,    // delete what is stored
};

constexpr std::string_view ScopeName(Scope scope) {
  switch (scope) {
    case Scope::kRead:
      return "read";
    case Scope::kControl:
      return "control";
    case Scope::kAdmin:
      return "admin";
  }
  return "";
}

// Empty when there is no scope of that name.
constexpr std::optional<Scope> FindScope(std::string_view name) {
  for (const Scope scope : {Scope::kRead, Scope::kControl, Scope::kAdmin}) {
    if (name == ScopeName(scope)) return scope;
  }
  return std::nullopt;
}

}  // namespace talus
