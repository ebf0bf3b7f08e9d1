// How a contact solve went: the certificate every solver returns, in one definition of the residual
// (contact/residual.h). Not converging is an answer, never an error.
#pragma once

#include <cstdint>
#include <vector>

namespace talus {

enum class SolveOutcome : uint8_t {
  kNone = 0,        // there was no solve yet
  kConverged = 1,   // the residual reached the tolerance
  kSweepLimit = 2,  // the sweep limit came first; the best iterate was taken
  kStalled = 3,     // no progress any more; the best iterate was taken
  // Of the laws with flat sides (lcp/block_pivoting.h); the best that was met was taken.
  kRay = 4,       // Lemke's method ended on a ray: there may be no solution
  kSingular = 5,  // equations that contradict or repeat each other
  kTooLarge = 6,  // block pivots did not solve it, and it is too large for Lemke's method
};

struct SolveReport {
  SolveOutcome outcome = SolveOutcome::kNone;
  double residual = 0.0;                // of the returned impulses
  double worst_contact_residual = 0.0;  // eta of the worst contact
  int32_t sweep_count = 0;
  int32_t color_count = 0;               // most of a strand
  int32_t strand_count = 0;              // parts that workers share a sweep by
  std::vector<double> residual_history;  // after each sweep, when asked for
};

}  // namespace talus
