#include "tests/scenes/step_problem.h"

#include <vector>

#include "solver/base/check.h"
#include "solver/base/random.h"
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

}  // namespace

MatrixProblem MakeStepProblem(const SceneDef& scene, const StepProblemOptions& options) {
  return TakeStepProblem(AssembleScene(scene), options);
}

MatrixProblem TakeStepProblem(SceneState state, const StepProblemOptions& options) {
  WorkerArena workers(1);
  StepBuffers buffers;
  StepReport report;
  StepOptions step_options;
  StepContext context{state, workers, buffers, report, step_options};
  for (int step = 0; step < options.steps; ++step) TALUS_CHECK(AdvanceScene(context).ok());
  if (options.kick_m_s > 0.0) KickBodies(options.kick_m_s, options.seed, state.bodies);
  step_options.capture = ProblemCapture::kAlways;
  TALUS_CHECK(AdvanceScene(context).ok());
  return context.kept_problem->problem;
}

void DropSpinningRows(MatrixProblem& problem) {
  Eigen::VectorXd keep = Eigen::VectorXd::Ones(problem.row_count());
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const BlockLaw& law = problem.laws[i];
    if (law.kind == BlockLawKind::kContact && law.cone.spinning == 0.0) {
      keep[6 * static_cast<Eigen::Index>(i) + kSpinningRow] = 0.0;
    }
  }
  problem.delassus.Scale(keep);
  problem.free_rows = problem.free_rows.cwiseProduct(keep);
  problem.compliance = problem.compliance.cwiseProduct(keep);
  if (!problem.velocities) return;
  VelocityForm& form = *problem.velocities;
  form.directions = SparseMatrix(form.directions * keep.asDiagonal()).pruned(0.0);
  form.offset = form.offset.cwiseProduct(keep);
}

}  // namespace talus::scenes
