// The energies of the dynamic bodies, summed in row order by fixed chunks: the same bits for any
// number of workers.
#pragma once

#include "solver/parallel/worker_arena.h"
#include "solver/state/body_store.h"
#include "solver/world/step_report.h"

namespace talus {

Energy ComputeEnergy(WorkerArena& workers, const BodyStore& bodies, const Vec3& gravity);

}  // namespace talus
