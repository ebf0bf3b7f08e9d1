#include "solver/lcp/mlcp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "tests/support/small_mlcps.h"
#include "tests/support/special_numbers.h"

namespace talus::lcp {
namespace {

using testing::kInfinity;

// γ_n ≥ 0 and a friction row within ∓ 0.5 γ_n.
Mlcp Valid() {
  Eigen::MatrixXd a(2, 2);
  a << 2.0, 0.5, 0.5, 1.0;
  Mlcp problem = testing::MakeMlcp(a, testing::VectorOf({-1.0, 0.3}));
  problem.lower << 0.0, -0.5;
  problem.upper << kInfinity, 0.5;
  problem.coupled_to = {kUncoupled, 0};
  return problem;
}

TEST(ValidateMlcp, TakesBoundsOfAllKinds) {
  EXPECT_TRUE(Validate(Valid()).ok());
  Mlcp free = Valid();
  free.coupled_to[1] = kUncoupled;
  free.lower[1] = -kInfinity;
  EXPECT_TRUE(Validate(free).ok());
  EXPECT_TRUE(Validate(testing::MakeMlcp(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0))).ok());
}

TEST(ValidateMlcp, NamesWhatIsWrong) {
  const struct {
    std::string message;
    std::function<void(Mlcp&)> spoil;
  } cases[] = {
      {"A.rows = 3 must be 2", [](Mlcp& p) { p.matrix.resize(3, 2); }},
      {"A.columns = 1 must be 2", [](Mlcp& p) { p.matrix.resize(2, 1); }},
      {"upper.size = 1 must be 2", [](Mlcp& p) { p.upper.conservativeResize(1); }},
      {"coupled_to.size = 1 must be 2", [](Mlcp& p) { p.coupled_to.pop_back(); }},
      {"A[0][1] = inf must be finite", [](Mlcp& p) { p.matrix.coeffRef(0, 1) = kInfinity; }},
      {"b[1] = nan must be finite", [](Mlcp& p) { p.offset[1] = std::nan(""); }},
      {"lower[0] = 1 must be < inf and <= upper, 0.5, which must be > -inf",
       [](Mlcp& p) { p.lower[0] = 1.0, p.upper[0] = 0.5; }},
      {"lower[0] = nan must be < inf and <= upper, inf, which must be > -inf",
       [](Mlcp& p) { p.lower[0] = std::nan(""); }},
      {"lower[0] = inf must be < inf and <= upper, inf, which must be > -inf",
       [](Mlcp& p) { p.lower[0] = kInfinity; }},
      {"coupled_to[1] = 1 must be -1 or an uncoupled row with the bounds 0 and inf",
       [](Mlcp& p) { p.coupled_to[1] = 1; }},
      {"coupled_to[1] = 2 must be -1 or an uncoupled row with the bounds 0 and inf",
       [](Mlcp& p) { p.coupled_to[1] = 2; }},
      {"coupled_to[1] = 0 must be -1 or an uncoupled row with the bounds 0 and inf",
       [](Mlcp& p) { p.upper[0] = 7.0; }},
      {"lower[1] = -0.25 must be finite and -upper in a coupled row",
       [](Mlcp& p) { p.lower[1] = -0.25; }},
  };
  for (const auto& [message, spoil] : cases) {
    Mlcp problem = Valid();
    spoil(problem);
    EXPECT_EQ(std::string(Validate(problem).message()), message);
  }
}

TEST(MlcpResidual, IsZeroAtASolutionAndOnlyThere) {
  const Mlcp problem = Valid();
  // 2 n + 0.5 t = 1 and 0.5 n + t = −0.3, which t = −0.6286, n = 0.657 solves beyond −0.5 n: so t =
  // −0.5 n, n = 1 / 1.75.
  const double n = 1.0 / 1.75;
  EXPECT_NEAR(ComputeResidual(problem, testing::VectorOf({n, -0.5 * n})), 0.0, 1e-15);
  // Off by one of the distance that zero has: sqrt(1² + 0), friction rows being 0 there.
  EXPECT_DOUBLE_EQ(ComputeResidual(problem, Eigen::VectorXd::Zero(2)), 1.0);
  EXPECT_GT(ComputeResidual(problem, testing::VectorOf({n, 0.0})), 0.1);
}

TEST(ScaleMlcp, IsTheSameProblemInOtherUnits) {
  const Mlcp problem = Valid();
  // γ_n in kN s and the friction row in mN s.
  const Eigen::VectorXd units = testing::VectorOf({1e3, 1e-3});
  Mlcp other = problem;
  other.matrix = units.asDiagonal() * problem.matrix * units.asDiagonal();
  other.offset = problem.offset.cwiseProduct(units);
  other.lower[1] *= units[0] / units[1];
  other.upper[1] *= units[0] / units[1];
  const ScaledMlcp a = ScaleMlcp(problem);
  const ScaledMlcp b = ScaleMlcp(other);
  EXPECT_LE((Eigen::MatrixXd(a.problem.matrix) - Eigen::MatrixXd(b.problem.matrix)).norm(), 1e-14);
  EXPECT_LE((a.problem.offset - b.problem.offset).norm(), 1e-14);
  EXPECT_NEAR(a.problem.upper[1], b.problem.upper[1], 1e-14);
  EXPECT_LE((a.problem.matrix.diagonal() - Eigen::VectorXd::Ones(2)).norm(), 1e-15);
}

}  // namespace
}  // namespace talus::lcp
