// What a step may be asked beside stepping. None of it changes where the step leads to, beyond what
// is said here.
#pragma once

#include <cstdint>

namespace talus {

// When a step keeps its contact problem (World::kept_problem). One in which all bodies sleep has
// none.
enum class ProblemCapture : uint8_t {
  kNever = 0,
  kUnconverged = 1,  // when the solve ended short of the tolerance
  kAlways = 2,
};

struct StepOptions {
  // Record the residual after every sweep. All of them are then in double precision, so that the
  // state differs, within the tolerance, from that of the same step without it.
  bool residual_history = false;
  ProblemCapture capture = ProblemCapture::kNever;
};

}  // namespace talus
