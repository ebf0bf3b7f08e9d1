// Siconos: rolling-friction NSGS on the contact problem that our own collision finds: five rows a
// contact (no spinning), W dense because only that works in Debian's 4.4. A solver and no
// simulator, so that the step around it is made here and its time is not counted.
//
// The local tolerance is absolute (an impulse of 1e-12 N s by default, where light bodies stall):
// it is set to 1e-20.
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/status.h"
#include "solver/contact/contact_frame.h"
#include "solver/world/world.h"
#include "tests/bench/peers/free_bodies.h"
#include "tests/bench/peers/peer_engine.h"

namespace talus::peers {

const char* const kEngineName = "siconos";

namespace {

constexpr size_t kRows = 5;
constexpr int kDense = 0;              // NumericsMatrix: column by column
constexpr size_t kMostContacts = 600;  // W then takes 72 MB
constexpr double kLocalTolerance = 1e-20;

// One contact as five directions of force (n, u, w) and torque (u, w).
struct ContactAxes {
  std::array<uint32_t, 2> bodies;
  std::array<Vec3, 2> arms;
  ContactFrame frame;

  Vec3 force(size_t row) const {
    return row == 0 ? frame.n : row == 1 ? frame.u : row == 2 ? frame.w : Vec3(Vec3::Zero());
  }
  Vec3 torque(size_t row) const {
    return row == 3 ? frame.u : row == 4 ? frame.w : Vec3(Vec3::Zero());
  }
  Vec3 moment(size_t side, size_t row) const { return arms[side].cross(force(row)) + torque(row); }
};

// The relative velocity along `row` that unit impulses along `other_row` of `other` bring.
double Response(const FreeBodies& bodies, const ContactAxes& axes, size_t row,
                const ContactAxes& other, size_t other_row) {
  double sum = 0.0;
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 2; ++j) {
      const uint32_t body = axes.bodies[i];
      if (body != other.bodies[j]) continue;
      const double sign = i == j ? 1.0 : -1.0;
      const Vec3 spin = bodies.inverse_inertias[body] * other.moment(j, other_row);
      sum += sign * (bodies.inverse_masses[body] * axes.force(row).dot(other.force(other_row)) +
                     axes.moment(i, row).dot(spin));
    }
  }
  return sum;
}

class SiconosEngine final : public PeerEngine {
 public:
  SiconosEngine(const PeerState& state, const EngineOptions& options)
      : state_(state), options_(options), workers_(1) {}

  std::string settings() const override {
    return "double, rolling-friction NSGS, dense W, local tolerance 1e-20, cold start, contacts of "
           "talus";
  }
  std::string residual_note() const override {
    return "reactions; no spinning friction; the step around the solver is not timed";
  }

  StepCost Step() override {
    const double begin = ProcessCpuSeconds();
    FindContacts();
    const FreeBodies bodies(state_);
    BuildProblem(bodies);
    const double solve_begin = ProcessCpuSeconds();
    const double iterations = Solve();
    const double solve_s = ProcessCpuSeconds() - solve_begin;
    WriteImpulses();
    AdvanceState(bodies);
    return {solve_s, iterations, ProcessCpuSeconds() - begin - solve_s};
  }

  void ReadBodies(PeerState& state) const override { state = state_; }
  void ReadContacts(std::vector<RecordContact>& contacts) const override { contacts = contacts_; }

 private:
  // Our contacts: those a step of ours would begin with.
  void FindContacts() {
    contacts_.clear();
    SceneDef scene = MakeScene(state_);
    scene.settings.solver.max_sweeps = 1;
    absl::StatusOr<World> world = World::Create(scene);
    if (!world.ok() || !world->Step(workers_).ok()) return;
    for (const ContactRecord& contact : world->Contacts()) {
      contacts_.push_back({contact.body_a_row, contact.body_b_row, contact.point_world,
                           contact.normal_world, contact.gap_m, Vec3::Zero(), Vec3::Zero()});
    }
  }

  double GapBias(const RecordContact& contact) const {
    return std::max(contact.gap_m / state_.time_step_s,
                    contact.gap_m < 0.0 ? -state_.recovery_speed_m_s : 0.0);
  }

  void BuildProblem(const FreeBodies& bodies) {
    const size_t n = kRows * contacts_.size();
    axes_.clear();
    matrix_.assign(n * n, 0.0);
    free_.assign(n, 0.0);
    reaction_.assign(n, 0.0);
    velocity_.assign(n, 0.0);
    sliding_.assign(contacts_.size(), state_.material.sliding_friction);
    rolling_.assign(contacts_.size(), state_.material.rolling_friction_m);
    for (const RecordContact& contact : contacts_) {
      axes_.push_back({{contact.body_a, contact.body_b},
                       {contact.point - bodies.positions[contact.body_a],
                        contact.point - bodies.positions[contact.body_b]},
                       MakeContactFrame(contact.normal)});
    }
    for (size_t c = 0; c < contacts_.size(); ++c) {
      for (size_t row = 0; row < kRows; ++row) {
        free_[kRows * c + row] = FreeVelocity(bodies, axes_[c], row);
        for (size_t k = 0; k < n; ++k) {
          matrix_[k * n + kRows * c + row] =
              Response(bodies, axes_[c], row, axes_[k / kRows], k % kRows);
        }
      }
      free_[kRows * c] += GapBias(contacts_[c]);
    }
  }

  static double FreeVelocity(const FreeBodies& bodies, const ContactAxes& axes, size_t row) {
    double sum = 0.0;
    for (size_t side = 0; side < 2; ++side) {
      const uint32_t body = axes.bodies[side];
      const double along = axes.force(row).dot(bodies.free_linear[body]) +
                           axes.moment(side, row).dot(bodies.free_angular[body]);
      sum += side == 0 ? -along : along;
    }
    return sum;
  }

  // Returns the number of iterations made.
  double Solve() {
    if (contacts_.empty()) return 0.0;
    const auto n = static_cast<int>(free_.size());
    SolverOptions* options = solver_options_create(SICONOS_ROLLING_FRICTION_3D_NSGS);
    if (options_.iterations > 0) options->iparam[SICONOS_IPARAM_MAX_ITER] = options_.iterations;
    options->dparam[SICONOS_DPARAM_TOL] = options_.tolerance;
    options->iparam[SICONOS_FRICTION_3D_IPARAM_INTERNAL_ERROR_STRATEGY] =
        SICONOS_FRICTION_3D_INTERNAL_ERROR_STRATEGY_GIVEN_VALUE;
    // The full error each time would cost more than the sweep.
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    options->internalSolvers[0]->dparam[SICONOS_DPARAM_TOL] = kLocalTolerance;
    NumericsMatrix* matrix = NM_create_from_data(kDense, n, n, matrix_.data());
    RollingFrictionContactProblem problem{static_cast<int>(kRows),
                                          static_cast<int>(contacts_.size()),
                                          matrix,
                                          free_.data(),
                                          sliding_.data(),
                                          rolling_.data()};
    rolling_fc3d_driver(&problem, reaction_.data(), velocity_.data(), options);
    const double made = options->iparam[SICONOS_IPARAM_ITER_DONE];
    matrix->matrix0 = nullptr;  // ours
    NM_clear(matrix);
    free(matrix);
    solver_options_delete(options);
    return made;
  }

  void WriteImpulses() {
    for (size_t c = 0; c < contacts_.size(); ++c) {
      for (size_t row = 0; row < kRows; ++row) {
        const double value = reaction_[kRows * c + row];
        contacts_[c].linear_impulse += value * axes_[c].force(row);
        contacts_[c].angular_impulse += value * axes_[c].torque(row);
      }
    }
  }

  void AdvanceState(const FreeBodies& bodies) {
    const std::vector<BodyVelocity> velocity = bodies.ApplyImpulses(contacts_);
    for (size_t row = 0; row < state_.bodies.size(); ++row) {
      PeerBody& body = state_.bodies[row];
      body.linear_velocity_m_s = velocity[row].linear;
      body.angular_velocity_rad_s = velocity[row].angular;
      body.pose = AdvancePose(body, state_.time_step_s);
    }
  }

  PeerState state_;
  EngineOptions options_;
  WorkerArena workers_;
  std::vector<RecordContact> contacts_;
  std::vector<ContactAxes> axes_;
  std::vector<double> matrix_, free_, reaction_, velocity_, sliding_, rolling_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PeerEngine>> MakeEngine(const PeerState& state,
                                                       const EngineOptions& options) {
  if (state.material.spinning_friction_m != 0.0) {
    return absl::InvalidArgumentError("Siconos has no spinning friction: sigma_m must be 0");
  }
  if (state.bodies.size() > kMostContacts / 2 + 1) {
    return absl::InvalidArgumentError("too many bodies for a dense matrix: at most " +
                                      std::to_string(kMostContacts / 2 + 1));
  }
  if (options.threads != 1 || !options.solver.empty()) {
    return absl::InvalidArgumentError("Siconos takes neither --threads nor --solver");
  }
  return std::make_unique<SiconosEngine>(state, options);
}

}  // namespace talus::peers
