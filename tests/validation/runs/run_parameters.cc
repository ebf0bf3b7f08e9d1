#include "tests/validation/runs/run_parameters.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::validation {
namespace {

absl::StatusOr<double> DecodeNumber(std::string_view name, std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return FieldError(name, FormatValue(text), "must be a finite number");
  }
  return value;
}

}  // namespace

absl::StatusOr<RunParameters> RunParameters::Decode(std::span<const char* const> arguments) {
  RunParameters parameters;
  for (const std::string_view argument : arguments) {
    const size_t sign = argument.find('=');
    if (sign == 0 || sign == std::string_view::npos) {
      return FieldError("parameter", FormatValue(argument), "must be name=number");
    }
    const std::string name(argument.substr(0, sign));
    TALUS_ASSIGN_OR_RETURN(const double value, DecodeNumber(name, argument.substr(sign + 1)));
    if (!parameters.given_.emplace(name, value).second) {
      return FieldError(name, FormatValue(value), "must be given once");
    }
  }
  return parameters;
}

absl::StatusOr<double> RunParameters::Number(const std::string& name, double fallback, double low,
                                             double high) {
  const auto found = given_.find(name);
  const double value = found == given_.end() ? fallback : found->second;
  if (!(value >= low && value <= high)) {
    return FieldError(name, FormatValue(value),
                      "must be in [" + FormatValue(low) + ", " + FormatValue(high) + "]");
  }
  used_[name] = value;
  return value;
}

absl::StatusOr<int64_t> RunParameters::Count(const std::string& name, int64_t fallback, int64_t low,
                                             int64_t high) {
  TALUS_ASSIGN_OR_RETURN(const double value,
                         Number(name, static_cast<double>(fallback), static_cast<double>(low),
                                static_cast<double>(high)));
  if (value != std::floor(value)) {
    return FieldError(name, FormatValue(value), "must be a whole number");
  }
  return static_cast<int64_t>(value);
}

absl::Status RunParameters::CheckAllUsed() const {
  for (const auto& [name, value] : given_) {
    if (!used_.contains(name)) {
      return FieldError(name, FormatValue(value), "is no parameter of this run");
    }
  }
  return absl::OkStatus();
}

}  // namespace talus::validation
