#include "solver/scene/psor_settings.h"

#include <string>

#include "solver/base/field_error.h"

namespace talus {

absl::Status ValidatePsor(std::string_view path, const PsorSettings& psor) {
  if (!(psor.relaxation > 0.0 && psor.relaxation < 2.0)) {
    return FieldError(std::string(path) + ".relaxation", FormatValue(psor.relaxation),
                      "must be in (0, 2)");
  }
  if (!(psor.averaging > 0.0 && psor.averaging <= 1.0)) {
    return FieldError(std::string(path) + ".averaging", FormatValue(psor.averaging),
                      "must be in (0, 1]");
  }
  return absl::OkStatus();
}

}  // namespace talus
