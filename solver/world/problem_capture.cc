#include "solver/world/problem_capture.h"

#include <memory>
#include <utility>
#include <vector>

#include "solver/base/limits.h"
#include "solver/contact/assemble.h"
#include "solver/solvers/step_matrices.h"
#include "solver/world/step_preparation.h"

namespace talus {
namespace {

StepProblem MakeStepProblem(StepContext& context, std::span<const ContactInput> contacts,
                            const JointSolution& joints, const ContactSolution& solution) {
  const SceneState& state = context.state;
  const StepSettings& settings = state.settings;
  StepProblem result;
  result.step_index = state.step_index + 1;
  result.settings = settings.solver;
  result.outcome = context.report.outcome;
  result.residual = context.report.residual;
  if (contacts.empty() && joints.rows.empty()) return result;

  // The step has put its answer in the place of the free velocities.
  std::vector<Vec3> linear;
  std::vector<Vec3> angular;
  FindFreeVelocities(context, linear, angular);
  DynamicsView bodies = ViewDynamics(context);
  bodies.free_linear_velocities = linear;
  bodies.free_angular_velocities = angular;
  AssemblyScratch scratch;
  ContactProblem problem;
  std::vector<BodyMotion> motion;
  AssembleProblem(context.workers, bodies, contacts, {}, MakeAssemblySettings(settings), {},
                  scratch, problem, motion, context.buffers.compliance.contacts());
  result.problem = FormStepMatrices(problem, bodies, joints.rows, motion);
  result.impulse.resize(result.problem.row_count());
  for (size_t i = 0; i < contacts.size(); ++i) {
    result.impulse.segment<6>(6 * static_cast<Eigen::Index>(i)) = solution.wrench(i);
  }
  for (size_t i = 0; i < joints.rows.size(); ++i) {
    result.impulse.segment<6>(6 * static_cast<Eigen::Index>(contacts.size() + i)) =
        joints.impulses[i];
  }
  if (settings.solver.law == ContactLaw::kBristle) result.old_impulse = solution.old_impulse;
  return result;
}

}  // namespace

void CaptureProblem(StepContext& context, std::span<const ContactInput> contacts,
                    const JointSolution& joints, const ContactSolution& solution) {
  const ProblemCapture capture = context.options.capture;
  const bool converged = context.report.outcome == SolveOutcome::kConverged;
  if (capture == ProblemCapture::kNever) return;
  if (capture == ProblemCapture::kUnconverged && converged) return;
  const DynamicsView bodies = ViewDynamics(context);
  if (CountDelassusBlocks(bodies, contacts, joints.rows) > kMaxDelassusBlocks) return;
  context.kept_problem =
      std::make_shared<const StepProblem>(MakeStepProblem(context, contacts, joints, solution));
}

}  // namespace talus
