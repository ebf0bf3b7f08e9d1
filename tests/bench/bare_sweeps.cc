#include "tests/bench/bare_sweeps.h"

#include <chrono>
#include <cmath>
#include <cstring>

#include "solver/base/random.h"
#include "solver/base/state_hash.h"
#include "solver/contact/assemble.h"
#include "solver/contact/residual.h"
#include "solver/solvers/single_sweeps.h"
#include "solver/solvers/strand_sweep.h"
#include "tests/bench/bench_world.h"
#include "tests/scenes/gravel.h"

namespace talus::bench {
namespace {

constexpr int kSweeps = 40;      // a run
constexpr double kShrink = 0.5;  // 1/s

// Owns what a DynamicsView borrows. Row 0 is the floor.
struct Lattice {
  std::vector<Vec3> positions, linear, angular;
  std::vector<double> inverse_masses, inverse_inertias;
  std::vector<uint32_t> tensor_rows;
  std::vector<Material> materials = {{0.6, 0.005, 0.005, 0.0}};
  std::vector<ContactInput> contacts;

  void Add(const Vec3& position, double mass, const Vec3& velocity, const Vec3& spin) {
    const double inverse_inertia = 2.5 / (mass * scenes::kGravelRadius * scenes::kGravelRadius);
    positions.push_back(position);
    inverse_masses.push_back(std::isfinite(mass) ? 1.0 / mass : 0.0);
    inverse_inertias.push_back(std::isfinite(mass) ? inverse_inertia : 0.0);
    tensor_rows.push_back(kNoTensor);
    linear.push_back(velocity);
    angular.push_back(spin);
  }
  void Touch(uint32_t a, uint32_t b, const Vec3& point, const Vec3& normal) {
    contacts.push_back({a, b, point, normal, 0.0, 0, 0});
  }
  DynamicsView view() const {
    return {positions, inverse_masses, inverse_inertias, tensor_rows, {},
            linear,    angular,        linear,           angular,     materials};
  }
};

Lattice MakeLattice(int64_t spheres) {
  constexpr double kRadius = scenes::kGravelRadius;
  const double mass = scenes::kGravelDensity * 4.0 / 3.0 * M_PI * kRadius * kRadius * kRadius;
  const auto side = std::lround(std::cbrt(static_cast<double>(spheres)));
  Random random(1);
  Lattice lattice;
  lattice.Add(Vec3::Zero(), INFINITY, Vec3::Zero(), Vec3::Zero());
  for (int64_t i = 0; i < side * side * side; ++i) {
    const int64_t cell[3] = {i % side, i / side % side, i / (side * side)};
    const Vec3 x = kRadius * Vec3(2.0 * static_cast<double>(cell[0]) + 1.0,
                                  2.0 * static_cast<double>(cell[1]) + 1.0,
                                  2.0 * static_cast<double>(cell[2]) + 1.0);
    const Vec3 spin(random.Uniform(-5, 5), random.Uniform(-5, 5), random.Uniform(-5, 5));
    lattice.Add(x, mass, -kShrink * x, spin);
    const auto row = static_cast<uint32_t>(i + 1);
    if (cell[2] == 0) lattice.Touch(0, row, x - kRadius * Vec3::UnitZ(), Vec3::UnitZ());
    int64_t stride = 1;
    for (int axis = 0; axis < 3; ++axis, stride *= side) {
      if (cell[axis] == 0) continue;
      const Vec3 normal = Vec3::Unit(axis);
      lattice.Touch(static_cast<uint32_t>(i + 1 - stride), row, x - kRadius * normal, normal);
    }
  }
  return lattice;
}

// Sweeps of one problem, again and again from zero impulses.
class SweepRun {
 public:
  SweepRun(const Lattice& lattice, const BareSweepsOptions& options, int threads)
      : law_(options.law),
        in_single_(options.precision == SweepPrecision::kFloats),
        workers_(threads) {
    AssemblyScratch scratch;
    AssembleProblem(workers_, lattice.view(), lattice.contacts, {}, {0.005, 1.0, 0.01},
                    {law_ == ContactLaw::kNcp ? SweepKind::kAlartCurnier : SweepKind::kProjected,
                     options.precision != SweepPrecision::kDoubles},
                    scratch, problem_, free_motion_);
  }

  // Seconds of kSweeps sweeps.
  double Time() {
    current_.impulse.assign(problem_.layout.block_count(), WrenchBlock{});
    current_.motion = free_motion_;
    previous_ = current_;
    double seconds = 0.0;
    workers_.Execute([&] {
      if (in_single_) {
        single_before_.Set(workers_, current_);
        single_.Enter(workers_, problem_, current_, single_before_);
      }
      const auto begin = std::chrono::steady_clock::now();
      for (int sweep = 0; sweep < kSweeps; ++sweep) Sweep();
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (in_single_) single_.Leave(workers_, problem_, current_);
    });
    return seconds;
  }
  double Residual() {
    return ComputeResidual(workers_, problem_, law_, current_.impulse, current_.motion);
  }
  uint64_t Hash() const {
    StateHasher hasher;
    for (size_t block = 0; block < current_.impulse.size(); ++block) {
      for (const Lanes& row : current_.impulse[block].row) {
        hasher.AddBytes(row, problem_.layout.CountContacts(block) * sizeof(double));
      }
    }
    return hasher.Finish();
  }
  int colors() const { return static_cast<int>(problem_.layout.color_count); }

 private:
  // Without momentum and local steps.
  void Sweep() {
    const SweepMethod method =
        law_ == ContactLaw::kNcp ? SweepMethod{SweepAlartCurnier, single::SweepAlartCurnier, false}
                                 : SweepMethod{SweepProjected, single::SweepProjected, false};
    if (in_single_) {
      single_.Sweep(workers_, problem_, method, 0.0, 0.0);
      return;
    }
    const SweepBlocks blocks{problem_.span(),
                             current_.motion.data(),
                             current_.impulse.data(),
                             previous_.impulse.data(),
                             0.0,
                             0.0,
                             false};
    SweepStrands(workers_, problem_, blocks, previous_.motion.data(), method.sweep, partial_);
    current_.impulse.swap(previous_.impulse);
  }

  ContactLaw law_;
  bool in_single_;
  WorkerArena workers_;
  ContactProblem problem_;
  std::vector<BodyMotion> free_motion_;
  Iterate current_, previous_;
  PreviousIterate single_before_;
  SingleSweeps single_;
  std::vector<SweepChange> partial_;
};

}  // namespace

std::vector<BenchRow> MeasureBareSweeps(const BareSweepsOptions& options, const BenchRow& row) {
  const Lattice lattice = MakeLattice(options.spheres);
  std::vector<BenchRow> rows(2, row);
  for (int threads = 1; threads <= 2; ++threads) {
    BenchRow& out = rows[static_cast<size_t>(threads - 1)];
    SweepRun run(lattice, options, threads);
    std::vector<double> times;
    const double cpu = ReadCpuSeconds();
    for (int repeat = 0; repeat < options.repeats; ++repeat) times.push_back(run.Time());
    out.cpu_us_per_step = (ReadCpuSeconds() - cpu) / options.repeats * 1e6;
    out.threads = threads;
    out.repeats = options.repeats;
    out.bodies = static_cast<int64_t>(lattice.positions.size());
    out.contacts = static_cast<int64_t>(lattice.contacts.size());
    out.colors = run.colors();
    out.sweeps = kSweeps;
    out.residual = out.best_residual = run.Residual();
    out.tolerance = 1.0;
    out.reached = out.residual < out.tolerance;
    out.ms_per_step = Median(times) * 1e3;
    out.ns_per_contact_sweep =
        out.ms_per_step * 1e6 / (kSweeps * static_cast<double>(out.contacts));
    out.state_hash = run.Hash();
  }
  if (rows[0].state_hash != rows[1].state_hash) {
    Fail(row.id + ": impulses differ between one thread and two");
  }
  rows[0].speedup = 1.0;
  rows[1].speedup = rows[0].ms_per_step / rows[1].ms_per_step;
  return rows;
}

}  // namespace talus::bench
