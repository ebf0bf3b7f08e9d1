// The parameters of one run of a figure, given on the command line as name=value: numbers only,
// each with a default where it is asked for.
//
// A name that no one asked for is an error, found by CheckAllUsed: a misspelt parameter must not
// leave a run with a default that nobody meant. All values that were used, defaults among them, go
// into the run's file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace talus::validation {

class RunParameters {
 public:
  // INVALID_ARGUMENT names what is no name=number, or is given twice.
  static absl::StatusOr<RunParameters> Decode(std::span<const char* const> arguments);

  // The value of `name`, in [low, high].
  absl::StatusOr<double> Number(const std::string& name, double fallback, double low, double high);
  // The same for a whole number.
  absl::StatusOr<int64_t> Count(const std::string& name, int64_t fallback, int64_t low,
                                int64_t high);

  // INVALID_ARGUMENT names the first that was given and never asked for.
  absl::Status CheckAllUsed() const;
  const std::map<std::string, double>& used() const { return used_; }

 private:
  std::map<std::string, double> given_;
  std::map<std::string, double> used_;
};

}  // namespace talus::validation
