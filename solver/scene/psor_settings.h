// What projected successive over-relaxation iterates, by [TA] eq. (46):
//
//   γ⁺ = λ Π(γ − ω B (W γ + q + K (γ⁺ − γ))) + (1 − λ) γ
//
// docs/NOTATION.md §3 has its letters. Known to scenes and to bare problems alike.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace talus {

struct PsorSettings {
  double relaxation = 1.0;  // ω, no unit, in (0, 2)
  double averaging = 1.0;   // λ, no unit, in (0, 1]
  // K: from the blocks before, or each block from the last iteration alone. Jacobi's converges for
  // ω that are smaller the more contacts a body has.
  bool sequential = true;

  bool operator==(const PsorSettings&) const = default;
};

// INVALID_ARGUMENT naming the field, as in `psor.relaxation` where `path` is `psor`.
absl::Status ValidatePsor(std::string_view path, const PsorSettings& psor);

}  // namespace talus
