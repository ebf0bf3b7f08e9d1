// What the stages of one step share: the state they advance, the buffers they fill, the report they
// write.
//
// Buffers are kept from step to step so that a steady scene allocates nothing. Nothing in
// StepBuffers outlives a step in meaning: a fork or a restored scene starts with empty ones and
// steps to the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/solvers/contact_solver.h"
#include "solver/state/scene_state.h"
#include "solver/world/awake_contacts.h"
#include "solver/world/contact_search.h"
#include "solver/world/contact_set.h"
#include "solver/world/emission.h"
#include "solver/world/sleepers.h"
#include "solver/world/standstill.h"
#include "solver/world/step_report.h"
#include "solver/world/warm_start.h"

namespace talus {

struct StepBuffers {
  Emission emission;
  ContactSearch contact_search;
  ContactSolver contact_solver;
  ContactSet
      contact_set;  // of the step in progress; exchanged with the last one's when the step succeeds
  ContactCache contact_cache;  // likewise
  ImpulseKeeper impulse_keeper;
  Sleepers sleepers;             // used where the settings let bodies sleep, like the next two
  AwakeContacts awake_contacts;  // of a step in which some sleep
  Standstill standstill;
  std::vector<Vec3> free_linear;
  std::vector<Vec3> free_angular;
  std::vector<Mat3> inverse_inertias_world;
  int64_t inertias_layout_version = 0;  // of the bodies the entries above are for; 0: of none
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
  bool residual_history = false;
  // Set by a step that repeated the one before: the contacts of that one are the step's, and
  // buffers.contact_set has not been touched.
  bool same_contacts = false;
};

}  // namespace talus
