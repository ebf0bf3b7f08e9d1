// What an engine must offer to be measured beside ours. One file an engine implements it; the
// program around it (main.cc) loads the state, steps, times and writes rows.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/peers/step_record.h"

namespace talus::peers {

struct EngineOptions {
  int iterations = 0;      // of the contact solver, a step; 0: the engine's default
  double tolerance = 0.0;  // in the engine's own measure; 0: none, all iterations are made
  int threads = 1;
  std::string solver;  // the engine's own name of a solver; empty: its default
  // Gap rows as the engine makes them by itself, instead of as close to ours as it can.
  bool own_gap_rows = false;
};

struct StepCost {
  double solve_s = 0.0;     // CPU time of the process in the solver, with what the engine does not
                            // separate from it
  double iterations = 0.0;  // made
  double foreign_s = 0.0;   // CPU time of the step that is not the engine's work
};

class PeerEngine {
 public:
  virtual ~PeerEngine() = default;
  virtual std::string settings() const = 0;  // precision, solver, what was set otherwise than usual
  virtual std::string residual_note() const = 0;
  virtual StepCost Step() = 0;
  // Poses and velocities now, by row of the state the engine was made from.
  virtual void ReadBodies(PeerState& state) const = 0;
  // The contacts of the last step.
  virtual void ReadContacts(std::vector<RecordContact>& contacts) const = 0;
};

extern const char* const kEngineName;

// INVALID_ARGUMENT: the engine cannot do what the options or the state ask for.
absl::StatusOr<std::unique_ptr<PeerEngine>> MakeEngine(const PeerState& state,
                                                       const EngineOptions& options);

// How far apart (m) bodies may be and still get a contact where an engine can have such contacts:
// what a body falls from rest in two steps.
double SpeculativeGap(const PeerState& state);

// CPU time of all threads of this process, seconds.
double ProcessCpuSeconds();

}  // namespace talus::peers
