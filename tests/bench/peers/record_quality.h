// How good an engine's impulses are by our definition (solver/contact/residual.h), under the exact
// law (NCP): the contact problem is assembled from the engine's own contacts and the state it
// started from, and its impulses are put in.
//
// The only file of the peers that knows our contact problem.
#pragma once

#include "solver/parallel/worker_arena.h"
#include "tests/bench/peers/step_record.h"

namespace talus::peers {

struct RecordQuality {
  double residual = 0.0;
  double worst_contact_residual = 0.0;  // eta
  double worst_penetration_m = 0.0;     // >= 0, at the start of the step
  // The impulse that static and kinematic bodies give against gravity over the weight of all bodies
  // times h: 1 when everything rests.
  double weight_carried = 0.0;
  // The largest difference between the velocity the impulses lead to and the one the engine ended
  // with, over h g; rotation counts at the radius of gyration, that of a kinematic body, which is
  // to keep its velocities, at its farthest point. Not small: the impulses were read wrongly, or
  // the engine moves bodies by more than them.
  double velocity_mismatch = 0.0;
};

RecordQuality ComputeRecordQuality(WorkerArena& workers, const StepRecord& record);

}  // namespace talus::peers
