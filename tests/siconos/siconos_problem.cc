#include "tests/siconos/siconos_problem.h"

#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <rolling_fc3d_compute_error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "solver/base/check.h"
#include "tests/siconos/cpu_clock.h"

namespace talus::siconos {
namespace {

constexpr int kDense = 0;                                       // NumericsMatrix: column by column
constexpr std::array<Eigen::Index, 5> kRows = {0, 1, 2, 4, 5};  // of a Wrench
// Absolute, on the impulse: 1e-12 N s by default, where light bodies stall.
constexpr double kLocalTolerance = 1e-20;

SolverOptions* MakeOptions(Method method, double tolerance, int max_iterations) {
  const bool admm = method == Method::kAdmm;
  SolverOptions* const options = solver_options_create(admm ? SICONOS_ROLLING_FRICTION_3D_ADMM
                                                            : SICONOS_ROLLING_FRICTION_3D_NSGS);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  if (admm) return options;
  options->iparam[SICONOS_FRICTION_3D_IPARAM_INTERNAL_ERROR_STRATEGY] =
      SICONOS_FRICTION_3D_INTERNAL_ERROR_STRATEGY_GIVEN_VALUE;
  options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
      method == Method::kNsgsFull ? SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
                                  : SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT_WITH_FULL_FINAL;
  options->internalSolvers[0]->dparam[SICONOS_DPARAM_TOL] = kLocalTolerance;
  return options;
}

}  // namespace

std::string NameOf(Method method) {
  switch (method) {
    case Method::kNsgs:
      return "NSGS";
    case Method::kNsgsFull:
      return "NSGS, full error";
    case Method::kAdmm:
      return "ADMM";
  }
  return "";
}

SiconosProblem::SiconosProblem(const MatrixProblem& problem)
    : contact_count_(problem.block_count()), matrix_(nullptr) {
  const size_t n = kRows.size() * contact_count_;
  matrix_values_.assign(n * n, 0.0);
  for (size_t i = 0; i < contact_count_; ++i) {
    const BlockLaw& law = problem.laws[i];
    TALUS_CHECK(law.kind == BlockLawKind::kContact && law.cone.spinning == 0.0);
    sliding_.push_back(law.cone.sliding);
    rolling_.push_back(law.cone.rolling);
    for (const Eigen::Index row : kRows) {
      free_.push_back(problem.free_rows[6 * static_cast<Eigen::Index>(i) + row]);
    }
    const auto columns = problem.delassus.Columns(i);
    const auto blocks = problem.delassus.Blocks(i);
    for (size_t k = 0; k < columns.size(); ++k) {
      for (size_t row = 0; row < kRows.size(); ++row) {
        for (size_t column = 0; column < kRows.size(); ++column) {
          matrix_values_[(kRows.size() * columns[k] + column) * n + kRows.size() * i + row] =
              blocks[k](kRows[row], kRows[column]);
        }
      }
    }
  }
  const auto size = static_cast<int>(n);
  matrix_ = NM_create_from_data(kDense, size, size, matrix_values_.data());
  numerics_set_verbose(0);
}

SiconosProblem::~SiconosProblem() {
  matrix_->matrix0 = nullptr;  // ours
  NM_clear(matrix_);
  std::free(matrix_);
}

Solution SiconosProblem::Solve(Method method, double tolerance, int max_iterations, int times) {
  const size_t n = free_.size();
  std::vector<double> reaction(n, 0.0);
  std::vector<double> velocity(n, 0.0);
  RollingFrictionContactProblem problem{static_cast<int>(kRows.size()),
                                        static_cast<int>(contact_count_),
                                        matrix_,
                                        free_.data(),
                                        sliding_.data(),
                                        rolling_.data()};
  Solution solution;
  // Options are made for each call, as ours takes its settings.
  const double begin = ProcessCpuSeconds();
  for (int k = 0; k < times; ++k) {
    std::ranges::fill(reaction, 0.0);
    std::ranges::fill(velocity, 0.0);
    SolverOptions* const options = MakeOptions(method, tolerance, max_iterations);
    solution.claimed =
        rolling_fc3d_driver(&problem, reaction.data(), velocity.data(), options) == 0;
    solution.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    std::free(options);
  }
  solution.seconds = (ProcessCpuSeconds() - begin) / times;
  solution.impulse = Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(contact_count_));
  for (size_t k = 0; k < n; ++k) {
    const auto at = 6 * static_cast<Eigen::Index>(k / kRows.size());
    solution.impulse[at + kRows[k % kRows.size()]] = reaction[k];
  }
  return solution;
}

double SiconosProblem::ComputeError(const Eigen::VectorXd& impulse) {
  std::vector<double> reaction;
  double norm = 0.0;
  for (size_t i = 0; i < contact_count_; ++i) {
    for (const Eigen::Index row : kRows) {
      reaction.push_back(impulse[6 * static_cast<Eigen::Index>(i) + row]);
    }
  }
  for (const double value : free_) norm += value * value;
  std::vector<double> velocity(free_.size(), 0.0);
  RollingFrictionContactProblem problem{static_cast<int>(kRows.size()),
                                        static_cast<int>(contact_count_),
                                        matrix_,
                                        free_.data(),
                                        sliding_.data(),
                                        rolling_.data()};
  SolverOptions* const options = solver_options_create(SICONOS_ROLLING_FRICTION_3D_NSGS);
  double error = std::numeric_limits<double>::infinity();
  rolling_fc3d_compute_error(&problem, reaction.data(), velocity.data(), 1.0, options,
                             std::sqrt(norm), &error);
  solver_options_delete(options);
  std::free(options);
  return error;
}

}  // namespace talus::siconos
