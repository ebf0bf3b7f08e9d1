// The server's options as a command line gives them, for their tests.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "server/app/options.h"

namespace talus::app {

inline ParsedOptions Parse(std::initializer_list<const char*> arguments) {
  std::vector<const char*> argv = {"talus_server"};
  argv.insert(argv.end(), arguments);
  return ParseOptions(static_cast<int>(argv.size()), argv.data());
}

// What was told of the option; its name where there is nothing.
inline std::string Told(const ParsedOptions& parsed, const std::string& name) {
  for (const auto& [told, value] : parsed.options.in_force) {
    if (told == name) return value;
  }
  return "no " + name;
}

}  // namespace talus::app
