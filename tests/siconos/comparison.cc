#include "tests/siconos/comparison.h"

#include <algorithm>
#include <ctime>
#include <vector>

#include "solver/base/check.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/siconos/siconos_problem.h"

namespace talus::siconos {
namespace {

// A solve that takes longer is not repeated.
constexpr double kLong = 0.3;
// Reading the clock takes as long as the shortest solves: so many are made between two looks that
// they take this long, and at most so many.
constexpr double kSample = 2e-4;
constexpr double kMostTimes = 500.0;
// Where velocities are compared both go on to this.
constexpr double kTight = 1e-12;
// Of a contact's own problem, in Siconos, beside its row of W.
constexpr double kLocalWork = 2000.0;

double ProcessCpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

int TimesOf(double seconds) {
  return static_cast<int>(std::clamp(kSample / std::max(seconds, 1e-9), 1.0, kMostTimes));
}

// Of ours: where there are more contacts, a factorisation takes longer.
int SweepsOf(const MatrixProblem& problem) {
  return static_cast<int>(
      std::clamp(1e6 / static_cast<double>(problem.block_count()), 4000.0, 2e4));
}

matrix::ProblemSolution SolveOurs(const MatrixProblem& problem, double tolerance) {
  auto solution = matrix::SolveProblem(problem, {.tolerance = tolerance,
                                                 .measure = matrix::StopMeasure::kCertificate,
                                                 .max_sweeps = SweepsOf(problem)});
  TALUS_CHECK(solution.ok());
  return *std::move(solution);
}

Answer MeasureOurs(const MatrixProblem& problem, const Effort& effort, SiconosProblem& siconos,
                   Eigen::VectorXd& impulse) {
  std::vector<double> seconds;
  matrix::ProblemSolution solution;
  int times = 1;
  do {
    const double begin = ProcessCpuSeconds();
    for (int k = 0; k < times; ++k) solution = SolveOurs(problem, kTolerance);
    seconds.push_back((ProcessCpuSeconds() - begin) / times);
    times = TimesOf(seconds.front());
  } while (static_cast<int>(seconds.size()) < effort.repeats && seconds.front() < kLong);
  Answer answer;
  answer.method = "default";
  answer.certificate = solution.certificate;
  answer.siconos_measure = siconos.ComputeError(solution.impulse);
  answer.solved = WorstOf(answer.certificate) <= kTolerance && answer.siconos_measure <= kTolerance;
  answer.iterations = solution.report.sweep_count;
  answer.seconds = Median(seconds);
  impulse = solution.impulse;
  return answer;
}

int IterationsOf(double work, size_t contacts) {
  const auto count = static_cast<double>(contacts);
  return static_cast<int>(
      std::clamp(work / (25.0 * count * count + kLocalWork * count), 10.0, 2e4));
}

Answer MeasureSiconos(Method method, const MatrixProblem& problem, const Effort& effort,
                      SiconosProblem& siconos) {
  std::vector<double> seconds;
  Solution solution;
  int times = 1;
  do {
    solution =
        siconos.Solve(method, kTolerance, IterationsOf(effort.work, problem.block_count()), times);
    seconds.push_back(solution.seconds);
    times = TimesOf(seconds.front());
  } while (static_cast<int>(seconds.size()) < effort.repeats && seconds.front() < kLong);
  Answer answer;
  answer.method = NameOf(method);
  answer.siconos_measure = siconos.ComputeError(solution.impulse);
  answer.certificate = Certify(problem, ContactLaw::kNcp, solution.impulse);
  // By its own measure, whatever it claims.
  answer.solved = answer.siconos_measure <= kTolerance;
  answer.iterations = solution.iterations;
  answer.seconds = Median(seconds);
  return answer;
}

// Relative to all velocities that the problem has.
double FindVelocityDifference(const MatrixProblem& problem, const Effort& effort,
                              SiconosProblem& siconos) {
  const Eigen::VectorXd ours = SolveOurs(problem, kTight).impulse;
  const Eigen::VectorXd theirs =
      siconos.Solve(Method::kNsgsFull, kTight, IterationsOf(effort.work, problem.block_count()))
          .impulse;
  const Eigen::VectorXd velocity = problem.delassus.Multiply(ours) + problem.free_rows;
  return problem.delassus.Multiply(ours - theirs).norm() /
         (velocity.norm() + problem.free_rows.norm());
}

}  // namespace

bool Comparison::holds() const {
  if (!ours.solved) return false;
  return uniqueness == Uniqueness::kNone || !theirs.solved ||
         velocity_difference <= kVelocityTolerance;
}

Comparison Compare(const std::string& name, const std::string& family, const MatrixProblem& problem,
                   const Effort& effort) {
  Comparison comparison;
  comparison.name = name;
  comparison.family = family;
  comparison.contacts = problem.block_count();
  SiconosProblem siconos(problem);
  Eigen::VectorXd impulse;
  comparison.ours = MeasureOurs(problem, effort, siconos, impulse);
  for (const Method method : {Method::kNsgs, Method::kNsgsFull, Method::kAdmm}) {
    Answer answer = MeasureSiconos(method, problem, effort, siconos);
    if (method == Method::kNsgs || answer.solved ||
        answer.siconos_measure < comparison.theirs.siconos_measure) {
      comparison.theirs = answer;
    }
    if (answer.solved) break;
  }
  comparison.uniqueness = FindUniqueness(problem);
  if (comparison.uniqueness != Uniqueness::kNone) {
    comparison.velocity_difference = FindVelocityDifference(problem, effort, siconos);
  }
  return comparison;
}

}  // namespace talus::siconos
