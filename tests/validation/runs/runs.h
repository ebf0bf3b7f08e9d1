// The runs behind the figures of docs/VALIDATION.md, one file a subject. A run reads its
// parameters, steps one scene on one core (or computes what the figure shows without one) and fills
// a sheet; a sweep is many runs, each its own process, and tests/validation/figures says which.
// What a run is compared with is not known here.
#pragma once

#include "absl/status/status.h"
#include "solver/parallel/worker_arena.h"
#include "tests/validation/runs/run_parameters.h"
#include "tests/validation/runs/run_sheet.h"

namespace talus::validation {

using Run = absl::Status (*)(RunParameters&, WorkerArena&, RunSheet&);

// [TA] §6.1, Figs. 2 and 3: position and speed of the rolling disk over time.
absl::Status RunRollingDisk(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet);
// [AB] §6.1, Figs. 2 and 3: a sphere on a plane until it stops.
absl::Status RunSphereOnPlane(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet);
// [TA] §6.3, Figs. 10 to 13: gravel poured onto a tray.
absl::Status RunGravelPile(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet);
// [AB] §6.2, Figs. 4 and 5: spheres dropped one by one.
absl::Status RunSpherePile(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet);
// [RB] Figs. 4 and 5: the wheel's friction force and slip over time, under one law.
absl::Status RunWheel(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet);
// [TA] §6.2, Fig. 8: the force that moves the linear guideway.
absl::Status RunGuideway(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet);
// [AS] Fig. 11: the surface of the loads under which a ball in a trough rolls on.
absl::Status RunTroughSurface(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet);

}  // namespace talus::validation
