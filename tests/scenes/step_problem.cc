#include "tests/scenes/step_problem.h"

#include <utility>
#include <vector>

#include "solver/base/check.h"
#include "solver/base/random.h"
#include "solver/state/snapshot.h"
#include "solver/world/scene_assembly.h"
#include "solver/world/step_pipeline.h"

namespace talus::scenes {
namespace {

constexpr Eigen::Index kSpinningRow = 3;

void KickBodies(double kick_m_s, uint64_t seed, BodyStore& bodies) {
  Random random(seed);
  std::vector<Vec3> positions(bodies.positions().begin(), bodies.positions().end());
  std::vector<Quat> orientations(bodies.orientations().begin(), bodies.orientations().end());
  std::vector<Vec3> linear(bodies.linear_velocities().begin(), bodies.linear_velocities().end());
  std::vector<Vec3> angular(bodies.angular_velocities().begin(), bodies.angular_velocities().end());
  for (size_t row = 0; row < linear.size(); ++row) {
    if (bodies.inverse_masses()[row] == 0.0) continue;
    for (int k = 0; k < 3; ++k) linear[row][k] += random.Uniform(-kick_m_s, kick_m_s);
  }
  bodies.SwapMotion(positions, orientations, linear, angular);
}

// The steps and kicks of the options, and no other.
void Advance(SceneState& state, const StepProblemOptions& options) {
  WorkerArena workers(1);
  StepBuffers buffers;
  StepReport report;
  const StepOptions step_options;
  StepContext context{state, workers, buffers, report, step_options};
  for (int step = 0; step < options.steps; ++step) TALUS_CHECK(AdvanceScene(context).ok());
  if (options.kick_m_s > 0.0) KickBodies(options.kick_m_s, options.seed, state.bodies);
}

}  // namespace

MatrixProblem MakeStepProblem(const SceneDef& scene, const StepProblemOptions& options) {
  return TakeStepProblem(AssembleScene(scene), options);
}

MatrixProblem TakeStepProblem(SceneState state, const StepProblemOptions& options) {
  Advance(state, options);
  WorkerArena workers(1);
  StepBuffers buffers;
  StepReport report;
  const StepOptions step_options{.capture = ProblemCapture::kAlways};
  StepContext context{state, workers, buffers, report, step_options};
  TALUS_CHECK(AdvanceScene(context).ok());
  return context.kept_problem->problem;
}

SceneState TakeColdState(const World& world, const StepProblemOptions& options) {
  auto state = RestoreSnapshot(world.SaveSnapshot());
  TALUS_CHECK(state.ok());
  Advance(*state, options);
  state->contact_cache.Clear();
  for (JointState& joint : state->joints) joint.impulse = {};
  return *std::move(state);
}

MatrixProblem TakeColdProblem(const World& world, const StepProblemOptions& options) {
  SceneState state = TakeColdState(world, options);
  // The problem is what counts, not how far the step that makes it is solved.
  state.settings.solver.tolerance = 1.0;
  return TakeStepProblem(std::move(state));
}

void DropSpinningRows(MatrixProblem& problem) {
  Eigen::VectorXd keep = Eigen::VectorXd::Ones(problem.row_count());
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const BlockLaw& law = problem.laws[i];
    if (law.kind == BlockLawKind::kContact && law.cone.spinning == 0.0) {
      keep[6 * static_cast<Eigen::Index>(i) + kSpinningRow] = 0.0;
    }
  }
  problem.delassus = problem.delassus.Scaled(keep, Eigen::VectorXd::Zero(keep.size()));
  problem.free_rows = problem.free_rows.cwiseProduct(keep);
  problem.compliance = problem.compliance.cwiseProduct(keep);
  if (!problem.velocities) return;
  VelocityForm& form = *problem.velocities;
  form.directions = SparseMatrix(form.directions * keep.asDiagonal()).pruned(0.0);
  form.offset = form.offset.cwiseProduct(keep);
}

}  // namespace talus::scenes
