// All checks, which of them are asked for, and what they came to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "clients/cli/conformance/check.h"

namespace talus::cli::conformance {

struct Finding {
  std::string area;
  std::string name;
  Verdict verdict;
  double seconds = 0.0;
};

// In the order in which they run.
std::vector<Check> ListChecks();
// Those whose area, or AREA.NAME, is one of `only`; all where that is empty. A word that fits none
// comes back in `unknown`.
std::vector<Check> ChooseChecks(const std::vector<std::string>& only,
                                std::vector<std::string>& unknown);
// Runs them one after the other; `told` hears of each as it ends.
std::vector<Finding> RunChecks(const std::vector<Check>& checks, Ground& ground,
                               const std::function<void(const Finding&)>& told);

}  // namespace talus::cli::conformance
