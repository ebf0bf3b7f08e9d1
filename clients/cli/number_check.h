// A check of an option: a number within bounds. CLI::Range lets a nan pass, of which nothing that
// is counted or timed can be made.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

namespace talus::cli {

inline CLI::Validator NumberIn(double least, double most) {
  char bounds[64];
  std::snprintf(bounds, sizeof bounds, "[%g, %g]", least, most);
  return CLI::Validator(
      [least, most, allowed = std::string(bounds)](const std::string& text) {
        double number = 0;
        const bool within =
            CLI::detail::lexical_cast(text, number) && number >= least && number <= most;
        return within ? std::string() : text + " must be in " + allowed;
      },
      bounds);
}

}  // namespace talus::cli
