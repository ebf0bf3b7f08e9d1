#include <gtest/gtest.h>

#include <string>

#include "solver/matrix_solvers/admm.h"
#include "solver/matrix_solvers/alart_curnier.h"
#include "solver/matrix_solvers/barzilai_borwein.h"
#include "solver/matrix_solvers/extragradient.h"
#include "solver/matrix_solvers/fixed_point.h"
#include "solver/matrix_solvers/nsgs.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/matrix_solvers/psor.h"
#include "tests/support/problem_files.h"

namespace talus::matrix {
namespace {

template <typename Algorithm>
SolveReport SolveFile(const std::string& name, ContactLaw law, double tolerance, int32_t sweeps,
                      Algorithm algorithm) {
  const ScaledProblem problem = ScaleProblem(talus::testing::LoadProblem(name).problem);
  Eigen::VectorXd impulse =
      Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(problem.block_count()));
  const SolveReport report = algorithm.Solve(
      problem, {.law = law, .tolerance = tolerance, .max_sweeps = sweeps, .cold_start = true},
      impulse);
  // What is returned is what was certified.
  const double residual = ComputeResidual(problem, law, impulse,
                                          MultiplyDelassus(problem, impulse) + problem.free_rows);
  EXPECT_EQ(residual, report.residual);
  return report;
}

class OnFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(OnFiles, NewtonReaches1e10UnderNcp) {
  const SolveReport report =
      SolveFile(GetParam(), ContactLaw::kNcp, 1e-10, 20000, ProximalNewton());
  EXPECT_LE(report.residual, 1e-10) << report.sweep_count;
}

TEST_P(OnFiles, NewtonReaches1e10UnderCcp) {
  const SolveReport report =
      SolveFile(GetParam(), ContactLaw::kCcp, 1e-10, 20000, ProximalNewton());
  EXPECT_LE(report.residual, 1e-10) << report.sweep_count;
}

TEST_P(OnFiles, SweepsReach1e4) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    SCOPED_TRACE(law == ContactLaw::kNcp ? "NCP" : "CCP");
    EXPECT_LE(SolveFile(GetParam(), law, 1e-4, 100000, Nsgs()).residual, 1e-4);
    EXPECT_LE(SolveFile(GetParam(), law, 1e-4, 100000, FixedPoint()).residual, 1e-4);
    EXPECT_LE(SolveFile(GetParam(), law, 1e-4, 100000, Extragradient()).residual, 1e-4);
  }
  EXPECT_LE(SolveFile(GetParam(), ContactLaw::kNcp, 1e-4, 100000, AlartCurnier()).residual, 1e-4);
  EXPECT_LE(SolveFile(GetParam(), ContactLaw::kCcp, 1e-4, 100000, Psor({}, true)).residual, 1e-4);
  EXPECT_LE(SolveFile(GetParam(), ContactLaw::kCcp, 1e-4, 100000, Psor({}, false)).residual, 1e-4);
  EXPECT_LE(SolveFile(GetParam(), ContactLaw::kCcp, 1e-6, 100000, BarzilaiBorwein()).residual,
            1e-6);
  EXPECT_LE(SolveFile(GetParam(), ContactLaw::kCcp, 1e-6, 100000, Admm()).residual, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Files, OnFiles, ::testing::ValuesIn(talus::testing::ProblemNames()));

}  // namespace
}  // namespace talus::matrix
