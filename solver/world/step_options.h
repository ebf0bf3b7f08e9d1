// What a step may be asked beside stepping. None of it changes where the step leads to, beyond what
// is said here.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

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
  // Asked before each sweep, on the thread that makes it: true ends the step, which is then not
  // made (CANCELLED), and never was for the scene.
  std::function<bool()> stop = {};
  // A step that finds more, those of sleeping bodies included, is not made. Where a scene stands
  // still as a whole none are looked for.
  int64_t most_contacts = std::numeric_limits<int64_t>::max();
};

// The field an error names when there are more (field_error.h).
inline constexpr char kContactCountField[] = "contact_count";

}  // namespace talus
