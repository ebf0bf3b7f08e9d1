#include "solver/world/count_limits.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"

namespace talus {
namespace {

absl::Status CheckCount(std::string_view what, size_t count, size_t limit) {
  if (count <= limit) return absl::OkStatus();
  std::string field = "size(";
  field.append(what).append(")");
  return FieldError(field, FormatValue(uint64_t{count}),
                    "must be <= " + FormatValue(uint64_t{limit}),
                    absl::StatusCode::kResourceExhausted);
}

}  // namespace

absl::Status CheckBodyCount(size_t count) { return CheckCount("bodies", count, kMaxBodies); }
absl::Status CheckJointCount(size_t count) { return CheckCount("joints", count, kMaxJoints); }
absl::Status CheckMaterialCount(size_t count) {
  return CheckCount("materials", count, kMaxMaterials);
}
absl::Status CheckEmitterCount(size_t count) { return CheckCount("emitters", count, kMaxEmitters); }

}  // namespace talus
