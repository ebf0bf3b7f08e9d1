// Heaps of the benchmarks by what they do: at rest, collapsing, and kicked: at rest, then each
// stone up to 0.5 m/s along each axis.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tests/bench/state_recipe.h"
#include "tests/scenes/step_problem.h"

namespace talus::solver_table {

struct HeapKind {
  const char* name;
  bench::StateKind kind;
  scenes::StepProblemOptions kick;

  World MakeWorld(int64_t stones) const {
    return bench::MakeState({.kind = kind, .bodies = stones, .law = ContactLaw::kNcp});
  }
};

inline constexpr std::array<HeapKind, 3> kHeapKinds = {{
    {"rest", bench::StateKind::kPileRest, {}},
    {"collapse", bench::StateKind::kPileCollapse, {}},
    {"kicked", bench::StateKind::kPileRest, {.kick_m_s = 0.5, .seed = 11}},
}};

}  // namespace talus::solver_table
