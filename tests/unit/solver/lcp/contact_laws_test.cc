// The three laws on problems whose answer is known: those of NCP where nothing slips or where it
// slips along a direction that the law has, and what the law does otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/base/random.h"
#include "solver/lcp/block_pivoting.h"
#include "solver/lcp/box_law.h"
#include "solver/lcp/bristle_law.h"
#include "solver/lcp/polygonal_law.h"
#include "solver/matrix/contact_matrices.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "tests/support/contact_problems.h"
#include "tests/support/special_numbers.h"

namespace talus::lcp {
namespace {

using testing::kInfinity;

constexpr uint64_t kContactLawsSeed = 47;
// Stiff enough for its compliance to be 1e-9 of the mobilities below.
constexpr BristleSettings kStiff{.stiffness = 1e15, .slip_threshold = 1e-3, .time_step_s = 1e-3};

enum class Law { kBox, kPolygonal, kBristle };

// One contact of a ball of 1 kg and 1 m on a plane, J = 0.4: friction at the arm couples rows.
MatrixProblem BallOnPlane(const FrictionCone& cone, const Wrench& free_velocity) {
  Matrix6 w = Matrix6::Zero();
  w.diagonal() << 1.0, 3.5, 3.5, 2.5, 2.5, 2.5;
  w(1, 5) = w(5, 1) = -2.5;
  w(2, 4) = w(4, 2) = 2.5;
  MatrixProblem problem;
  problem.laws.push_back({.cone = cone});
  problem.delassus = BlockMatrix(1, {{0, 0, w}});
  problem.compliance = Eigen::VectorXd::Zero(6);
  problem.free_rows = free_velocity;
  return problem;
}

Wrench WrenchOf(double n, double u, double w, double spin, double roll_u, double roll_w) {
  Wrench wrench;
  wrench << n, u, w, spin, roll_u, roll_w;
  return wrench;
}

Eigen::VectorXd Solve(const ContactMlcp& contacts) {
  const absl::StatusOr<PivotAnswer> answer = SolveByPivoting(contacts.mlcp, {});
  EXPECT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->report.outcome, PivotOutcome::kSolved);
  EXPECT_LE(answer->report.residual, 1e-10);
  return contacts.ImpulseOf(answer->z);
}

Eigen::VectorXd Solve(Law law, const MatrixProblem& problem) {
  if (law == Law::kBox) return Solve(AssembleBoxLaw(problem));
  if (law == Law::kPolygonal) return Solve(*AssemblePolygonalLaw(problem, 8));
  // Nothing slipped and nothing was carried: bristles that are not bent.
  return Solve(*AssembleBristleLaw(problem, kStiff, Eigen::VectorXd::Zero(problem.row_count())));
}

Eigen::VectorXd SolveNcp(const MatrixProblem& problem) {
  const ScaledProblem scaled = ScaleProblem(problem);
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.row_count());
  const SolveLimits limits{ContactLaw::kNcp, 1e-12, 10000, false, true};
  EXPECT_LE(matrix::ProximalNewton().Solve(scaled, limits, impulse).residual, 1e-12);
  return impulse.cwiseProduct(scaled.steps);
}

// Two contacts that know nothing of each other: what is wrong at one is seen there, beside what
// drives the other.
TEST(CertifyContacts, MeasuresTheWorstBlock) {
  MatrixProblem problem = BallOnPlane({0.3, 0.0, 0.0}, WrenchOf(-1.0, 5.0, 0.0, 0.0, 0.0, 0.0));
  const Matrix6 w = problem.delassus.Diagonal(0);
  problem.laws.push_back(problem.laws[0]);
  problem.delassus = BlockMatrix(2, {{0, 0, w}, {1, 1, w}});
  problem.compliance = Eigen::VectorXd::Zero(12);
  problem.free_rows.conservativeResize(12);
  problem.free_rows.tail<6>() = WrenchOf(-2.0, 0.0, 0.0, 0.0, 0.0, 0.0);
  for (const ContactMlcp& contact : {AssembleBoxLaw(problem), *AssemblePolygonalLaw(problem, 4)}) {
    const absl::StatusOr<PivotAnswer> answer = SolveByPivoting(contact.mlcp, {});
    ASSERT_TRUE(answer.ok());
    const ContactMlcpCertificate exact = Certify(contact, answer->z);
    EXPECT_LE(exact.residual, 1e-14);
    EXPECT_LE(exact.worst_block_residual, 1e-14);
    EXPECT_EQ(contact.blocks.front(), 0u);
    EXPECT_EQ(contact.blocks.back(), 1u);
    // W_nn = 1: 0.5 N s more in the second normal row leave it by 0.5 where w = 0 was. What drives
    // the first contact is (−1, 5 / √3.5), of a polygon twice, forth and back.
    Eigen::VectorXd z = answer->z;
    const auto second =
        static_cast<Eigen::Index>(std::ranges::find(contact.blocks, 1u) - contact.blocks.begin());
    z[second] += 0.5;
    const bool polygon = contact.blocks.size() > 6;
    const double driving = std::sqrt(1.0 + (polygon ? 2.0 : 1.0) * 25.0 / 3.5);
    EXPECT_NEAR(Certify(contact, z).worst_block_residual, 0.5 / driving, 1e-12);
  }
}

class EachLaw : public ::testing::TestWithParam<Law> {};

TEST_P(EachLaw, IsNcpWhereTheContactSticks) {
  Random random(kContactLawsSeed);
  for (int i = 0; i < 20; ++i) {
    // Friction far within its bounds, and slip below the threshold of the bristles.
    Wrench free = Wrench::Zero();
    for (double& value : free) value = 5e-4 * random.Uniform(-1.0, 1.0);
    free[0] = -1.0;
    const MatrixProblem problem = BallOnPlane({0.8, 0.3, 0.4}, free);
    const Eigen::VectorXd ncp = SolveNcp(problem);
    EXPECT_LE((Solve(GetParam(), problem) - ncp).norm(), 1e-8) << "seed " << kContactLawsSeed;
  }
}

TEST_P(EachLaw, IsNcpWhereTheContactSlipsAlongU) {
  const MatrixProblem problem = BallOnPlane({0.3, 0.0, 0.0}, WrenchOf(-1.0, 5.0, 0.0, 1.0, 0, 0));
  // γ_n = 1 stops the fall, friction is against u and too weak to end the slip.
  EXPECT_LE((Solve(GetParam(), problem) - WrenchOf(1.0, -0.3, 0.0, 0.0, 0.0, 0.0)).norm(), 1e-9);
}

TEST_P(EachLaw, IsNcpWhereTheContactRollsAndSpins) {
  // Rolls about u with free ends of the coupling: ω_u = 4 needs torque at its bound, as ω_n does.
  const MatrixProblem problem =
      BallOnPlane({0.0, 0.02, 0.05}, WrenchOf(-2.0, 0.0, 0.0, -3.0, 4.0, 0.0));
  EXPECT_LE((Solve(GetParam(), problem) - WrenchOf(2.0, 0.0, 0.0, 0.04, -0.1, 0.0)).norm(), 1e-9);
}

TEST_P(EachLaw, LetsGoWhereTheContactOpens) {
  const MatrixProblem problem =
      BallOnPlane({0.8, 0.02, 0.05}, WrenchOf(0.5, 1.0, -2.0, 1.0, 3.0, 0.1));
  EXPECT_EQ(Solve(GetParam(), problem), Eigen::VectorXd::Zero(6));
}

// Four contacts of one body at rest: 24 rows, six of them independent.
TEST_P(EachLaw, CarriesABodyOnMoreContactsThanNeeded) {
  constexpr double kWeight = 3.0;  // m h g, N s
  Eigen::MatrixXd directions(6, 24);
  for (int contact = 0; contact < 4; ++contact) {
    const double x = contact % 2 == 0 ? 1.0 : -1.0;
    const double y = contact / 2 == 0 ? 1.0 : -1.0;
    // World axes: n = z, u = x, w = y, contact points at (x, y, −0.5) from the centre.
    Matrix6 d = Matrix6::Zero();
    d(2, 0) = d(0, 1) = d(1, 2) = 1.0;
    d(5, 3) = d(3, 4) = d(4, 5) = 1.0;
    d.block<3, 1>(3, 0) << y, -x, 0.0;
    d.block<3, 1>(3, 1) << 0.0, -0.5, -y;
    d.block<3, 1>(3, 2) << 0.5, 0.0, x;
    directions.middleCols<6>(6 * contact) = d;
  }
  const Eigen::MatrixXd w = directions.transpose() * directions;  // a body of 1 kg and 1 kg m²
  MatrixProblem problem;
  std::vector<BlockMatrix::Entry> entries;
  for (uint32_t i = 0; i < 4; ++i) {
    problem.laws.push_back({.cone = {.sliding = 0.5, .spinning = 0.01, .rolling = 0.02}});
    for (uint32_t j = 0; j < 4; ++j) entries.push_back({i, j, w.block<6, 6>(6 * i, 6 * j)});
  }
  problem.delassus = BlockMatrix(4, entries);
  problem.compliance = Eigen::VectorXd::Zero(24);
  Eigen::VectorXd fall = Eigen::VectorXd::Zero(6);
  fall << 5e-4, -2e-4, -kWeight, 0.0, 0.0, 0.0;
  problem.free_rows = directions.transpose() * fall;
  const Eigen::VectorXd impulse = Solve(GetParam(), problem);
  // Impulses are not unique, velocities are: rest, but for what bristles give way.
  EXPECT_LE((fall + directions * impulse).norm(), 1e-8);
}

TEST_P(EachLaw, KeepsBlocksOfBounds) {
  MatrixProblem problem = BallOnPlane({}, WrenchOf(-1.0, -2.0, 3.0, 1.0, 0.0, 0.0));
  BlockLaw& law = problem.laws[0];
  law.kind = BlockLawKind::kBounds;
  // An equation, a motor too weak, a limit that opens; no rows of torque.
  law.lower << -kInfinity, -0.5, 0.0, 0.0, 0.0, 0.0;
  law.upper << kInfinity, 0.5, kInfinity, 0.0, 0.0, 0.0;
  EXPECT_LE((Solve(GetParam(), problem) - WrenchOf(1.0, 0.5, 0.0, 0.0, 0.0, 0.0)).norm(), 1e-12);
}

// Sixteen contacts of eight spheres with friction of all kinds, which hold each other.
TEST_P(EachLaw, SolvesAHeap) {
  const testing::AssembledProblem assembled =
      testing::Assemble(testing::MakeSphereLattice(8, {0.6, 0.004, 0.003, 0.0}, kContactLawsSeed));
  const MatrixProblem problem = FormContactMatrices(assembled, assembled.free_motion);
  ASSERT_EQ(problem.block_count(), 16u);
  const Eigen::VectorXd impulse = Solve(GetParam(), problem);
  const Eigen::VectorXd velocity = problem.delassus.Multiply(impulse) + problem.free_rows;
  // Solved to 1e-10 in units of one; these are the largest in SI.
  const double of_impulse = 1e-8 * impulse.cwiseAbs().maxCoeff();
  const double of_velocity = 1e-8 * problem.free_rows.cwiseAbs().maxCoeff();
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const double normal = impulse[at];
    EXPECT_GE(normal, 0.0);
    EXPECT_GE(velocity[at], -of_velocity);
    EXPECT_LE(std::min(normal / of_impulse, velocity[at] / of_velocity), 1.0);
    for (const FrictionPart& part : FrictionParts(problem.laws[i].cone)) {
      const Eigen::VectorXd friction = impulse.segment(at + part.first, part.count);
      const Eigen::VectorXd slip = velocity.segment(at + part.first, part.count);
      const double bound = part.coefficient * normal + of_impulse;
      // A polygon is within the disc, a box around it.
      EXPECT_LE(friction.cwiseAbs().maxCoeff(), bound);
      if (GetParam() == Law::kPolygonal) {
        EXPECT_LE(friction.norm(), bound);
      }
      // Friction takes energy away; bristles that were not bent do no more.
      EXPECT_LE(friction.dot(slip), of_impulse * slip.norm() + of_velocity * friction.norm());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LcpLaws, EachLaw,
                         ::testing::Values(Law::kBox, Law::kPolygonal, Law::kBristle),
                         [](const ::testing::TestParamInfo<Law>& law) {
                           return law.param == Law::kBox         ? "Box"
                                  : law.param == Law::kPolygonal ? "Polygonal"
                                                                 : "Bristle";
                         });

// Slips along a diagonal: the corner of the box is √2 away, a side of the polygon cos(π/k).
TEST(BoxLaw, IsTooStrongAlongADiagonal) {
  const MatrixProblem problem = BallOnPlane({0.3, 0.0, 0.0}, WrenchOf(-1.0, 5.0, 5.0, 0, 0, 0));
  EXPECT_LE((Solve(Law::kBox, problem) - WrenchOf(1.0, -0.3, -0.3, 0.0, 0.0, 0.0)).norm(), 1e-9);
}

TEST(BoxLaw, LeadsAwayFromTheSlip) {
  const MatrixProblem problem = BallOnPlane({0.3, 0.0, 0.0}, WrenchOf(-1.0, 5.0, 2.0, 0, 0, 0));
  EXPECT_LE((Solve(Law::kBox, problem) - WrenchOf(1.0, -0.3, -0.3, 0.0, 0.0, 0.0)).norm(), 1e-9);
}

TEST(PolygonalLaw, IsWithinTheDiscAndNearIt) {
  Random random(kContactLawsSeed);
  for (const int32_t facets : {4, 6, 8, 16, 32}) {
    for (int i = 0; i < 20; ++i) {
      const double angle = random.Uniform(0.0, 2.0 * std::numbers::pi);
      const MatrixProblem problem = BallOnPlane(
          {0.3, 0.0, 0.0}, WrenchOf(-1.0, 5.0 * std::cos(angle), 5.0 * std::sin(angle), 0, 0, 0));
      const Eigen::VectorXd impulse = Solve(*AssemblePolygonalLaw(problem, facets));
      EXPECT_NEAR(impulse[0], 1.0, 1e-9);
      const double friction = std::hypot(impulse[1], impulse[2]);
      EXPECT_LE(friction, 0.3 + 1e-9);
      EXPECT_GE(friction, 0.3 * std::cos(std::numbers::pi / facets) - 1e-9);
      // The nearest vertex, at most half a facet from the slip.
      const double along = -(impulse[1] * std::cos(angle) + impulse[2] * std::sin(angle));
      EXPECT_GE(along, 0.3 * std::cos(std::numbers::pi / facets) - 1e-9)
          << "seed " << kContactLawsSeed << ", angle " << angle << ", facets " << facets;
    }
  }
}

TEST(PolygonalLaw, RefusesOtherFacets) {
  const MatrixProblem problem = BallOnPlane({0.3, 0.0, 0.0}, Wrench::Zero());
  for (const int32_t facets : {-4, 0, 2, 5, 34}) {
    EXPECT_EQ(std::string(AssemblePolygonalLaw(problem, facets).status().message()),
              "facet_count = " + std::to_string(facets) + " must be even and in [4, 32]");
  }
}

TEST(BristleLaw, IsAgainstASlipInAnyDirection) {
  Random random(kContactLawsSeed);
  for (int i = 0; i < 20; ++i) {
    const double angle = random.Uniform(0.0, 2.0 * std::numbers::pi);
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    const MatrixProblem problem =
        BallOnPlane({0.3, 0.0, 0.0}, WrenchOf(-1.0, 5.0 * x, 5.0 * y, 0, 0, 0));
    EXPECT_LE((Solve(Law::kBristle, problem) - WrenchOf(1.0, -0.3 * x, -0.3 * y, 0, 0, 0)).norm(),
              1e-9);
  }
}

// A spring of stiffness k that is pulled at: γ⁺ = γ − k h² u⁺ in every step, until μ γ_n.
TEST(BristleLaw, IsASpringWithMemory) {
  const BristleSettings soft{.stiffness = 2e5, .slip_threshold = 10.0, .time_step_s = 1e-3};
  const double spring = soft.stiffness * soft.time_step_s * soft.time_step_s;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(6);
  for (int step = 0; step < 10; ++step) {
    const MatrixProblem problem =
        BallOnPlane({0.6, 0.0, 0.0}, WrenchOf(-1.0, 1.0, 0.0, 0.0, 0.0, 0.0));
    const double before = impulse[1];
    impulse = Solve(*AssembleBristleLaw(problem, soft, impulse));
    // u = 3.5 γ + 1 and γ = before − spring u.
    const double expected = (before - spring) / (1.0 + 3.5 * spring);
    EXPECT_NEAR(impulse[1], std::max(expected, -0.6), 1e-9) << step;
  }
  // What it tends to is rest, not the creep of a spring that forgets.
  EXPECT_NEAR(3.5 * impulse[1] + 1.0, 0.0, 0.05);
}

TEST(BristleLaw, RefusesWhatIsNotValid) {
  const MatrixProblem problem = BallOnPlane({0.3, 0.0, 0.0}, Wrench::Zero());
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(6);
  const auto message = [&](const BristleSettings& settings, const Eigen::VectorXd& impulse) {
    return std::string(AssembleBristleLaw(problem, settings, impulse).status().message());
  };
  EXPECT_EQ(message({.stiffness = 0.0}, none), "stiffness = 0 must be finite and > 0");
  EXPECT_EQ(message({.slip_threshold = -1.0}, none), "slip_threshold = -1 must be finite and > 0");
  EXPECT_EQ(message({.time_step_s = kInfinity}, none), "time_step_s = inf must be finite and > 0");
  EXPECT_EQ(message({}, Eigen::VectorXd::Zero(5)), "old_impulse.size = 5 must be 6");
  EXPECT_EQ(message({}, Eigen::VectorXd::Constant(6, kInfinity)),
            "old_impulse = a number that is not finite must be finite");
}

}  // namespace
}  // namespace talus::lcp
