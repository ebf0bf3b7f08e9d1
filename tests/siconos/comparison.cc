#include "tests/siconos/comparison.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "solver/base/check.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/siconos/cpu_clock.h"
#include "tests/siconos/siconos_problem.h"

namespace talus::siconos {
namespace {

// A solve that takes longer is not repeated.
constexpr double kLong = 0.3;
// Reading the clock takes as long as the shortest solves: so many are made between two looks that
// they take this long, and at most so many.
constexpr double kSample = 1e-3;
constexpr double kMostTimes = 500.0;
// Where velocities are compared both go on to this.
constexpr double kTight = 1e-12;
// Of a contact's own problem, in Siconos, beside its row of W.
constexpr double kLocalWork = 2000.0;

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

Answer AnswerOfOurs(const MatrixProblem& problem, SiconosProblem& siconos) {
  const double begin = ProcessCpuSeconds();
  const matrix::ProblemSolution solution = SolveOurs(problem, kTolerance);
  Answer answer;
  answer.seconds = ProcessCpuSeconds() - begin;
  answer.method = "default";
  answer.certificate = solution.certificate;
  answer.siconos_measure = siconos.ComputeError(solution.impulse);
  answer.solved = WorstOf(answer.certificate) <= kTolerance && answer.siconos_measure <= kTolerance;
  answer.iterations = solution.report.sweep_count;
  return answer;
}

int IterationsOf(double work, size_t contacts) {
  const auto count = static_cast<double>(contacts);
  return static_cast<int>(
      std::clamp(work / (25.0 * count * count + kLocalWork * count), 10.0, 2e4));
}

Answer AnswerOfSiconos(Method method, const MatrixProblem& problem, const Effort& effort,
                       double our_seconds, SiconosProblem& siconos) {
  const int iterations = IterationsOf(effort.work, problem.block_count());
  Solution solution = siconos.Solve(method, kTolerance, iterations);
  const double share = effort.longer * our_seconds / std::max(solution.seconds, 1e-9);
  if (share > 1.0 && siconos.ComputeError(solution.impulse) > kTolerance) {
    const double more = std::min(std::ceil(share * iterations), 1e7);
    solution = siconos.Solve(method, kTolerance, static_cast<int>(more));
  }
  Answer answer;
  answer.seconds = solution.seconds;
  answer.method = NameOf(method);
  answer.siconos_measure = siconos.ComputeError(solution.impulse);
  answer.certificate = Certify(problem, ContactLaw::kNcp, solution.impulse);
  // By its own measure, whatever it claims.
  answer.solved = answer.siconos_measure <= kTolerance;
  answer.iterations = solution.iterations;
  return answer;
}

// In turn, so that a processor which changes its pace in between spoils one round and not the
// ratio.
void MeasureInTurn(const MatrixProblem& problem, Method method, const Effort& effort,
                   SiconosProblem& siconos, Comparison& comparison) {
  comparison.time_ratio = comparison.theirs.seconds / comparison.ours.seconds;
  if (effort.repeats == 0) return;
  if (std::max(comparison.ours.seconds, comparison.theirs.seconds) >= kLong) return;
  const int our_times = TimesOf(comparison.ours.seconds);
  const int their_times = TimesOf(comparison.theirs.seconds);
  const int iterations = IterationsOf(effort.work, problem.block_count());
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> ratios;
  for (int round = 0; round < effort.repeats; ++round) {
    const double begin = ProcessCpuSeconds();
    for (int k = 0; k < our_times; ++k) SolveOurs(problem, kTolerance);
    ours.push_back((ProcessCpuSeconds() - begin) / our_times);
    theirs.push_back(siconos.Solve(method, kTolerance, iterations, their_times).seconds);
    ratios.push_back(theirs.back() / ours.back());
  }
  comparison.ours.seconds = Median(ours);
  comparison.theirs.seconds = Median(theirs);
  comparison.time_ratio = Median(ratios);
}

// Of tighter answers of both.
double CompareVelocities(const MatrixProblem& problem, const Effort& effort,
                         SiconosProblem& siconos) {
  const Eigen::VectorXd ours = SolveOurs(problem, kTight).impulse;
  const Eigen::VectorXd theirs =
      siconos.Solve(Method::kNsgsFull, kTight, IterationsOf(effort.work, problem.block_count()))
          .impulse;
  return FindVelocityDifference(problem, ours, theirs);
}

// Whether Siconos does better here: the quicker of two ways that come to the tolerance, else what
// comes nearer.
bool IsHarder(const Comparison& one, const Comparison& than) {
  if (one.theirs.solved != than.theirs.solved) return one.theirs.solved;
  return one.theirs.solved ? one.time_ratio < than.time_ratio
                           : one.theirs.siconos_measure < than.theirs.siconos_measure;
}

}  // namespace

double FindVelocityDifference(const MatrixProblem& problem, const Eigen::VectorXd& one,
                              const Eigen::VectorXd& other) {
  const Eigen::VectorXd velocity = problem.delassus.Multiply(one) + problem.free_rows;
  return problem.delassus.Multiply(one - other).norm() /
         (velocity.norm() + problem.free_rows.norm());
}

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
  comparison.ours = AnswerOfOurs(problem, siconos);
  for (const Method method : {Method::kNsgs, Method::kNsgsFull, Method::kAdmm}) {
    Comparison with = comparison;
    with.theirs = AnswerOfSiconos(method, problem, effort, comparison.ours.seconds, siconos);
    MeasureInTurn(problem, method, effort, siconos, with);
    if (method == Method::kNsgs || IsHarder(with, comparison)) comparison = with;
  }
  comparison.uniqueness = FindUniqueness(problem);
  if (comparison.uniqueness != Uniqueness::kNone) {
    comparison.velocity_difference = CompareVelocities(problem, effort, siconos);
  }
  return comparison;
}

}  // namespace talus::siconos
