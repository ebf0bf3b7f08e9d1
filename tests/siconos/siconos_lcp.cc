#include "tests/siconos/siconos_lcp.h"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <cstdlib>
#include <limits>
#include <utility>

namespace talus::siconos {

SiconosLcp::SiconosLcp(Eigen::MatrixXd matrix, Eigen::VectorXd offset)
    : values_(std::move(matrix)), offset_(std::move(offset)), matrix_(nullptr) {
  constexpr int kDense = 0;  // column by column, as Eigen's
  const auto size = static_cast<int>(offset_.size());
  matrix_ = NM_create_from_data(kDense, size, size, values_.data());
  numerics_set_verbose(0);
}

SiconosLcp::~SiconosLcp() {
  matrix_->matrix0 = nullptr;  // ours
  NM_clear(matrix_);
  std::free(matrix_);
}

std::optional<Eigen::VectorXd> SiconosLcp::SolveByLemke(int max_pivots) {
  LinearComplementarityProblem problem{static_cast<int>(offset_.size()), matrix_, offset_.data()};
  SolverOptions* const options = solver_options_create(SICONOS_LCP_LEMKE);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = max_pivots;
  Eigen::VectorXd y = Eigen::VectorXd::Zero(offset_.size());
  Eigen::VectorXd w = y;
  const int failed = linearComplementarity_driver(&problem, y.data(), w.data(), options);
  solver_options_delete(options);
  std::free(options);
  if (failed != 0) return std::nullopt;
  return y;
}

double SiconosLcp::ComputeError(Eigen::VectorXd y) {
  LinearComplementarityProblem problem{static_cast<int>(offset_.size()), matrix_, offset_.data()};
  Eigen::VectorXd w = Eigen::VectorXd::Zero(offset_.size());
  double error = std::numeric_limits<double>::infinity();
  lcp_compute_error(&problem, y.data(), w.data(), 1.0, &error);
  return error;
}

}  // namespace talus::siconos
