// What the stages of one step share: the state they advance, the buffers they fill, the report they
// write.
//
// Buffers are kept from step to step so that a steady scene allocates nothing. Nothing in
// StepBuffers outlives a step in meaning, but for the contacts, which can be asked for: a restored
// scene starts with empty ones and steps to the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/solvers/contact_solver.h"
#include "solver/state/scene_state.h"
#include "solver/world/awake_contacts.h"
#include "solver/world/contact_search.h"
#include "solver/world/contact_set.h"
#include "solver/world/emission.h"
#include "solver/world/prepared_step.h"
#include "solver/world/sleepers.h"
#include "solver/world/standstill.h"
#include "solver/world/step_compliance.h"
#include "solver/world/step_joints.h"
#include "solver/world/step_options.h"
#include "solver/world/step_problem.h"
#include "solver/world/step_report.h"
#include "solver/world/warm_start.h"

namespace talus {

struct StepBuffers {
  Emission emission;
  ContactSearch contact_search;
  ContactSolver contact_solver;
  ContactSet contact_set;  // of the step in progress, then of the last one
  PreparedStep prepared;   // for the next one
  ImpulseKeeper impulse_keeper;
  StepJoints joints;
  StepCompliance compliance;
  Sleepers sleepers;             // used where the settings let bodies sleep, like the next two
  AwakeContacts awake_contacts;  // of a step in which some sleep
  Standstill standstill;
  // By row: what they would be without contact, from SolveContacts on what they are.
  std::vector<Vec3> linear_velocities;
  std::vector<Vec3> angular_velocities;
  std::vector<Mat3> inverse_tensors_world;  // of the bodies that are not round
  std::vector<Vec3> new_positions;
  std::vector<Quat> new_orientations;
  std::vector<uint8_t> leaving;            // by row, not 0: leaves the domain
  std::vector<EmitterState> old_emitters;  // to go back to when the step fails
};

struct StepContext {
  SceneState& state;
  WorkerArena& workers;
  StepBuffers& buffers;
  StepReport& report;
  const StepOptions& options;
  bool assembled = false;  // buffers.contact_solver holds the problem of the contacts
  bool solved = false;     // the buffers hold what SolveStep fills, and it is a state
  std::shared_ptr<const StepProblem> kept_problem = nullptr;
};

}  // namespace talus
