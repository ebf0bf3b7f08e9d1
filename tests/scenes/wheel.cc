#include "tests/scenes/wheel.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

#include "solver/integrator/free_motion.h"
#include "solver/integrator/pose_update.h"
#include "solver/lcp/block_pivoting.h"
#include "solver/lcp/box_law.h"
#include "solver/lcp/bristle_law.h"
#include "solver/lcp/polygonal_law.h"
#include "solver/matrix/delassus.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/solvers/contact_solver.h"

namespace talus::scenes {
namespace {

// [RB] table 1. Where the paper is silent: the wheel leans about its heading, x, so that its top is
// over y < 0; 6 m/s along x; −2 rad/s about the vertical through its centre; no spin about its
// axle.
constexpr double kRadius = 0.5;      // m
constexpr double kMass = 1.0;        // kg
const Vec3 kInertia(0.3, 0.6, 0.3);  // kg m², the axle along y of the body
constexpr double kSliding = 0.3;
constexpr double kGravity = 9.81;
constexpr double kTilt = 20.0 * std::numbers::pi / 180.0;
constexpr double kStiffness = 1e10;  // k_T, N/m
constexpr int32_t kFacets = 4;

[[noreturn]] void Fail(const std::string& why) {
  std::fprintf(stderr, "validation: the wheel: %s\n", why.c_str());
  std::exit(2);
}

// Columns of one, as the integrator takes bodies.
struct Wheel {
  std::vector<Quat> orientation{ExpRotation(Vec3(kTilt, 0.0, 0.0))};
  std::vector<Vec3> position{-LowestPoint().z() * Vec3::UnitZ()};
  std::vector<Vec3> velocity{Vec3(6.0, 0.0, 0.0)};
  std::vector<Vec3> spin{Vec3(0.0, 0.0, -2.0)};

  Mat3 InverseInertia() const {  // world axes
    const Mat3 turn = orientation[0].toRotationMatrix();
    return turn * kInertia.cwiseInverse().asDiagonal() * turn.transpose();
  }
  // Of the rim, from the centre.
  Vec3 LowestPoint() const {
    const Vec3 axle = orientation[0] * Vec3::UnitY();
    return -kRadius * (Vec3::UnitZ() - axle.z() * axle).normalized();
  }
};

Mat3 CrossMatrix(const Vec3& v) {
  Mat3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

// The contact with n = z, u = x, w = y of the world. Unilateral in velocities, without the gap:
// [RB] prescribes none, and the rim leaves the plane by the error of the step only.
MatrixProblem AssembleContact(const Wheel& wheel, const Vec3& free_velocity,
                              const Vec3& free_spin) {
  Mat3 axes;
  axes << 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0;
  Matrix6 directions = Matrix6::Zero();
  directions.topLeftCorner<3, 3>() = axes;
  directions.bottomLeftCorner<3, 3>() = CrossMatrix(wheel.LowestPoint()) * axes;
  directions.bottomRightCorner<3, 3>() = axes;
  const Mat3 turn = wheel.orientation[0].toRotationMatrix();
  Matrix6 mass = kMass * Matrix6::Identity();
  mass.bottomRightCorner<3, 3>() = turn * kInertia.asDiagonal() * turn.transpose();
  Wrench free;
  free.head<3>() = free_velocity;
  free.tail<3>() = free_spin;
  MatrixProblem problem;
  problem.laws.push_back({.cone = {.sliding = kSliding}});
  problem.compliance = Eigen::VectorXd::Zero(6);
  problem.velocities = VelocityForm{.mass = mass.sparseView(),
                                    .directions = directions.sparseView(),
                                    .free_impulse = mass * free,
                                    .offset = Eigen::VectorXd::Zero(6)};
  const absl::Status formed = FormDelassus(problem);
  if (!formed.ok()) Fail(std::string(formed.message()));
  return problem;
}

struct Solved {
  Eigen::VectorXd impulse;
  double residual = 0.0;
};

// What a solve makes of free velocities.
struct Pushed {
  Vec3 velocity;
  Vec3 spin;
  Vec3 impulse;  // world axes, N s
  double residual = 0.0;
};

Solved SolveNcp(const MatrixProblem& problem, const Eigen::VectorXd& old_impulse) {
  const ScaledProblem scaled = ScaleProblem(problem);
  Eigen::VectorXd impulse = old_impulse.cwiseQuotient(scaled.steps);
  const SolveLimits limits{ContactLaw::kNcp, kWheelTolerance, 10000, false, false};
  const SolveReport report = matrix::ProximalNewton().Solve(scaled, limits, impulse);
  return {impulse.cwiseProduct(scaled.steps), report.residual};
}

absl::StatusOr<lcp::ContactMlcp> AssembleLaw(WheelLaw law, const MatrixProblem& problem,
                                             double time_step_s,
                                             const Eigen::VectorXd& old_impulse) {
  switch (law) {
    case WheelLaw::kBox:
      return lcp::AssembleBoxLaw(problem);
    case WheelLaw::kPolygonal:
      return lcp::AssemblePolygonalLaw(problem, kFacets);
    default:
      return lcp::AssembleBristleLaw(problem,
                                     {.stiffness = kStiffness,
                                      .slip_threshold = kWheelSlipThreshold,
                                      .time_step_s = time_step_s},
                                     old_impulse);
  }
}

Solved SolveContact(WheelLaw law, const MatrixProblem& problem, double time_step_s,
                    const Eigen::VectorXd& old_impulse) {
  if (law == WheelLaw::kNcp) return SolveNcp(problem, old_impulse);
  const absl::StatusOr<lcp::ContactMlcp> contact =
      AssembleLaw(law, problem, time_step_s, old_impulse);
  if (!contact.ok()) Fail(std::string(contact.status().message()));
  const absl::StatusOr<lcp::PivotAnswer> answer =
      lcp::SolveByPivoting(contact->mlcp, {.tolerance = kWheelTolerance});
  if (!answer.ok()) Fail(std::string(answer.status().message()));
  return {contact->ImpulseOf(answer->z), answer->report.residual};
}

// The contact as matrices.
class MatrixContact {
 public:
  MatrixContact(WheelLaw law, double time_step_s) : law_(law), time_step_s_(time_step_s) {}

  Pushed Push(const Wheel& wheel, const Vec3& free_velocity, const Vec3& free_spin) {
    const MatrixProblem problem = AssembleContact(wheel, free_velocity, free_spin);
    const Solved solved = SolveContact(law_, problem, time_step_s_, impulse_);
    impulse_ = solved.impulse;
    const Wrench given = problem.velocities->directions * impulse_;
    return {free_velocity + given.head<3>() / kMass,
            free_spin + wheel.InverseInertia() * given.tail<3>(), given.head<3>(), solved.residual};
  }

 private:
  WheelLaw law_;
  double time_step_s_;
  Eigen::VectorXd impulse_ = Eigen::VectorXd::Zero(6);
};

SolverSettings SettingsOf(WheelLaw law) {
  SolverSettings settings;
  settings.law = law == WheelLaw::kNcp         ? ContactLaw::kNcp
                 : law == WheelLaw::kBox       ? ContactLaw::kBox
                 : law == WheelLaw::kPolygonal ? ContactLaw::kPolygonal
                                               : ContactLaw::kBristle;
  settings.solver = law == WheelLaw::kNcp ? SolverKind::kNewton : SolverKind::kBlockPivoting;
  settings.tolerance = kWheelTolerance;
  settings.max_sweeps = 10000;
  settings.facet_count = kFacets;
  settings.bristle_stiffness_n_m = kStiffness;
  settings.slip_threshold_m_s = kWheelSlipThreshold;
  return settings;
}

// The contact as a step of a scene solves it: row 0 is the plane, row 1 the wheel.
class StepContact {
 public:
  StepContact(WorkerArena& workers, WheelLaw law, double time_step_s)
      : workers_(workers), settings_(SettingsOf(law)), assembly_{time_step_s, 1.0, 0.01} {}

  Pushed Push(const Wheel& wheel, const Vec3& free_velocity, const Vec3& free_spin) {
    const std::vector<Vec3> positions = {Vec3::Zero(), wheel.position[0]};
    const std::vector<double> inverse_masses = {0.0, 1.0 / kMass};
    const std::vector<double> inverse_inertias = {0.0, 0.0};
    const std::vector<uint32_t> tensor_rows = {0, 1};
    const std::vector<Mat3> tensors = {Mat3::Zero(), wheel.InverseInertia()};
    const std::vector<Vec3> linear = {Vec3::Zero(), free_velocity};
    const std::vector<Vec3> angular = {Vec3::Zero(), free_spin};
    const std::vector<Vec3> old_linear = {Vec3::Zero(), wheel.velocity[0]};
    const std::vector<Vec3> old_angular = {Vec3::Zero(), wheel.spin[0]};
    const std::vector<Material> materials = {Material{.sliding_friction = kSliding}};
    const DynamicsView bodies{positions, inverse_masses, inverse_inertias, tensor_rows, tensors,
                              linear,    angular,        old_linear,       old_angular, materials};
    // Without the gap, as in matrices.
    const std::vector<ContactInput> contacts = {
        {0, 1, wheel.position[0] + wheel.LowestPoint(), Vec3::UnitZ(), 0.0, 0, 0}};
    std::vector<Vec3> new_linear(2);
    std::vector<Vec3> new_angular(2);
    const SolveReport report =
        solver_.Solve(workers_, bodies, contacts, {entries_, kept_}, assembly_, settings_, {},
                      {new_linear, new_angular}, solution_, nullptr);
    const ContactImpulse impulse = solution_.impulse(0, Vec3::UnitZ());
    kept_ = {{impulse.linear, impulse.angular}};
    entries_ = {impulse.IsZero() ? kNotKept : 0};
    return {new_linear[1], new_angular[1], impulse.linear, report.residual};
  }

 private:
  WorkerArena& workers_;
  SolverSettings settings_;
  AssemblySettings assembly_;
  ContactSolver solver_;
  ContactSolution solution_;
  std::vector<uint32_t> entries_ = {kNotKept};
  std::vector<CachedImpulse> kept_;
};

template <typename Contact>
std::vector<WheelMoment> Roll(WorkerArena& workers, double time_step_s, double end_time_s,
                              Contact contact) {
  Wheel wheel;
  std::vector<WheelMoment> moments;
  const auto steps = static_cast<int64_t>(std::llround(end_time_s / time_step_s));
  for (int64_t step = 1; step <= steps; ++step) {
    const Vec3 free_velocity = wheel.velocity[0] - time_step_s * kGravity * Vec3::UnitZ();
    const Vec3 free_spin = AdvanceGyroscopic(Mat3(kInertia.asDiagonal()), wheel.orientation[0],
                                             wheel.spin[0], time_step_s);
    const Pushed pushed = contact.Push(wheel, free_velocity, free_spin);
    wheel.velocity[0] = pushed.velocity;
    wheel.spin[0] = pushed.spin;
    const Vec3 lowest = wheel.LowestPoint();
    const Vec3 rim = wheel.velocity[0] + wheel.spin[0].cross(lowest);
    moments.push_back({.time_s = static_cast<double>(step) * time_step_s,
                       .force = pushed.impulse / time_step_s,
                       .slip = Vec3(rim.x(), rim.y(), 0.0),
                       .gap = wheel.position[0].z() + lowest.z(),
                       .residual = pushed.residual});
    std::vector<Vec3> positions;
    std::vector<Quat> orientations;
    AdvancePoses(workers, time_step_s, wheel.position, wheel.orientation, wheel.velocity,
                 wheel.spin, positions, orientations);
    wheel.position = positions;
    wheel.orientation = orientations;
  }
  return moments;
}

}  // namespace

std::vector<WheelMoment> RollWheel(WheelLaw law, double time_step_s, double end_time_s,
                                   WheelSolver solver) {
  static WorkerArena workers(1);
  if (solver == WheelSolver::kStep) {
    return Roll(workers, time_step_s, end_time_s, StepContact(workers, law, time_step_s));
  }
  return Roll(workers, time_step_s, end_time_s, MatrixContact(law, time_step_s));
}

}  // namespace talus::scenes
