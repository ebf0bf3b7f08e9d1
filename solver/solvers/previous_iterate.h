// The iterate before the current one, which momentum extrapolates from: in memory that sweeps in
// single precision take over, for they need none in double precision.
#pragma once

#include <span>

#include "solver/solvers/iterate.h"
#include "solver/solvers/line_store.h"

namespace talus {

struct PreviousIterate {
  std::span<WrenchBlock> impulse;  // in `impulses`
  std::span<BodyMotion> motion;    // in `motions`
  LineStore impulses;
  LineStore motions;

  // Makes it the same as `current`.
  void Set(WorkerArena& workers, const Iterate& current) {
    impulse = impulses.Hold<WrenchBlock>(current.impulse.size());
    motion = motions.Hold<BodyMotion>(current.motion.size());
    CopyLines(workers, current.impulse, impulse);
    CopyLines(workers, current.motion, motion);
  }
};

}  // namespace talus
