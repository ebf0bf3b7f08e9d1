// Sweeps in single precision: half the bytes and twice the lanes of those in double precision, for
// as long as the change of a sweep is far above what rounding leaves.
//
// A problem whose blocks are of doubles is held a second time, in units of its own
// (problem_units.h). What the sweeps leave is brought back to double precision, with velocities
// made anew from the impulses; a residual is only ever measured there. Impulses and velocities lie
// where the previous iterate was in double precision.
#pragma once

#include <span>
#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/previous_iterate.h"
#include "solver/solvers/strand_sweep.h"

namespace talus {

class SingleSweeps {
 public:
  // Forgets the problem it held.
  void Reset() { filled_ = false; }

  // From double precision: γ and v(γ), and those of the sweep before, whose memory is taken over:
  // `previous` must stay, and is to be set again after the last sweep here.
  void Enter(WorkerArena& workers, const ContactProblem& problem, const Iterate& current,
             PreviousIterate& previous);
  // One sweep by `method.single`, as RunSweeps (sweep_driver.h) makes it; the change in those of
  // the problem.
  SweepChange Sweep(WorkerArena& workers, const ContactProblem& problem, const SweepMethod& method,
                    double beta, double extra_gap);
  // γ and v(γ) to double precision. The sweeps here may go on afterwards.
  void Leave(WorkerArena& workers, const ContactProblem& problem, Iterate& current) const {
    Widen(workers, problem, impulse_, current);
  }

  // Keeps γ, whatever is swept or entered later, until the next Reset.
  void Keep(WorkerArena& workers);
  // The same as Leave when γ was kept, to the bit.
  void LeaveKept(WorkerArena& workers, const ContactProblem& problem, Iterate& current) const {
    Widen(workers, problem, kept_, current);
  }

 private:
  void Fill(WorkerArena& workers, const ContactProblem& problem, const Iterate& current);
  void Widen(WorkerArena& workers, const ContactProblem& problem,
             std::span<const WrenchBlockOf<float>> impulse, Iterate& to) const;

  bool filled_ = false;
  ProblemUnits units_;  // in those of the problem
  // Of a problem whose own are of doubles.
  std::vector<ContactBlockOf<float>> blocks_;
  std::vector<WideBlockOf<float>> wide_;
  std::vector<InertiaLineOf<float>> inertia_;
  std::span<WrenchBlockOf<float>> impulse_, previous_impulse_;
  std::span<BodyMotionOf<float>> motion_, previous_motion_;
  std::vector<WrenchBlockOf<float>> kept_;
  std::vector<SweepChange> partial_;
};

}  // namespace talus
