// Sweeps in single precision: half the bytes and twice the lanes of those in double precision, for
// as long as the change of a sweep is far above what rounding leaves.
//
// The problem is held a second time, in units of its own (powers of two), so that masses, lengths
// and speeds of any size stay within what a float can tell. What the sweeps leave is brought back
// to double precision, with velocities made anew from the impulses; a residual is only ever
// measured there.
#pragma once

#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/strand_sweep.h"

namespace talus {

// What one unit of single precision is in SI: powers of two.
struct SingleUnits {
  double inverse_mass = 1.0;  // 1/kg
  double length = 1.0;        // m
  double speed = 1.0;         // m/s
};

class SingleSweeps {
 public:
  // Forgets the problem it held.
  void Reset() { filled_ = false; }

  // From double precision: γ and v(γ), and those of the sweep before.
  void Enter(WorkerArena& workers, const ContactProblem& problem, const Iterate& current,
             const Iterate& previous);
  // One sweep by `method.single`, as RunSweeps (sweep_driver.h) makes it; the change in SI units.
  SweepChange Sweep(WorkerArena& workers, const ContactProblem& problem, const SweepMethod& method,
                    double beta, double extra_gap);
  // γ and v(γ) to double precision. The sweeps here may go on afterwards.
  void Leave(WorkerArena& workers, const ContactProblem& problem, Iterate& current) const;

 private:
  struct Iterates {
    std::vector<WrenchBlockOf<float>> impulse;
    std::vector<BodyMotionOf<float>> motion;
  };

  void Fill(WorkerArena& workers, const ContactProblem& problem);
  void NarrowIterate(WorkerArena& workers, const Iterate& from, Iterates& to) const;

  bool filled_ = false;
  SingleUnits units_;
  std::vector<ContactBlockOf<float>> blocks_;
  std::vector<WideBlockOf<float>> wide_;
  std::vector<InertiaLineOf<float>> inertia_;
  Iterates current_, previous_;
  std::vector<SweepChange> partial_;
};

}  // namespace talus
