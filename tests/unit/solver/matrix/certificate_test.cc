#include "solver/matrix/certificate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "solver/base/random.h"
#include "solver/contact/residual.h"
#include "solver/matrix/contact_matrices.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/solvers/iterate.h"
#include "tests/support/contact_problems.h"
#include "tests/support/problem_files.h"

namespace talus {
namespace {

constexpr uint64_t kCertificateSeed = 41;

class OnReferences : public ::testing::TestWithParam<std::string> {};

TEST_P(OnReferences, IsSmallAtTheReferenceAndLargeElsewhere) {
  const ProblemFile file = testing::LoadProblem(GetParam());
  const Certificate at = Certify(file.problem, ContactLaw::kNcp, *file.reference_impulse);
  EXPECT_LE(at.residual, 1e-8);
  EXPECT_LE(at.worst_contact_residual, 1e-8);
  EXPECT_LE(at.siconos_error, 1e-8);
  // Twice the impulses, or some where there should be none.
  const Eigen::VectorXd wrong =
      2.0 * *file.reference_impulse + Eigen::VectorXd::Ones(file.problem.row_count()) *
                                          (file.reference_impulse->isZero() ? 1.0 : 0.0);
  const Certificate off = Certify(file.problem, ContactLaw::kNcp, wrong);
  EXPECT_GT(off.residual, 1e-2);
  EXPECT_GT(off.worst_contact_residual, 1e-3);
}

// The files carry what Siconos itself measured at their references.
TEST_P(OnReferences, HasTheErrorThatSiconosMeasures) {
  const auto document = nlohmann::json::parse(testing::ReadProblemText(GetParam()));
  const double expected = document["reference"]["siconos_error"].get<double>();
  const ProblemFile file = testing::LoadProblem(GetParam());
  const double measured =
      Certify(file.problem, ContactLaw::kNcp, *file.reference_impulse).siconos_error;
  // At the level of rounding the two sums are of different noise.
  EXPECT_NEAR(measured, expected, 1e-3 * expected + 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Files, OnReferences, ::testing::ValuesIn(testing::ProblemNames()));

// Summed by blocks of W + E, where a solver measures all rows of the scaled problem.
TEST_P(OnReferences, HasTheResidualThatSolversStopBy) {
  Random random(kCertificateSeed);
  MatrixProblem problem = testing::LoadProblem(GetParam()).problem;
  for (const bool bounded : {false, true}) {
    if (bounded) {
      problem.laws.back() = {.kind = BlockLawKind::kBounds,
                             .cone = {},
                             .lower = Wrench::Constant(-1e-3),
                             .upper = Wrench::Constant(2e-3)};
    }
    for (double& value : problem.compliance) value = random.Uniform(0.0, 1e-2);
    const ScaledProblem scaled = ScaleProblem(problem);
    Eigen::VectorXd impulse(problem.row_count());
    for (double& value : impulse) value = random.Uniform(-1.0, 1.0);
    const Eigen::VectorXd velocity = MultiplyDelassus(scaled, impulse) + scaled.free_rows;
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      const double residual = ComputeResidual(scaled, law, impulse, velocity);
      const Certificate certificate = Certify(problem, law, scaled.steps.cwiseProduct(impulse));
      EXPECT_NEAR(certificate.residual, residual, 1e-9 * residual) << "seed " << kCertificateSeed;
    }
  }
}

// The kernels and the matrices mean the same by the worst contact.
TEST(Certificate, AgreesWithTheBlocksOfAStep) {
  WorkerArena workers(1);
  Random random(kCertificateSeed);
  const testing::AssembledProblem problem =
      testing::Assemble(testing::MakeSphereLattice(60, {0.6, 0.004, 0.003, 0.0}, kCertificateSeed));
  const MatrixProblem matrices = FormContactMatrices(problem, problem.free_motion);
  Iterate iterate;
  iterate.impulse.resize(problem.layout.block_count());
  iterate.motion = problem.free_motion;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(matrices.row_count());
  for (size_t slot = 0; slot < problem.layout.slot_contact.size(); ++slot) {
    const uint32_t contact = problem.layout.slot_contact[slot];
    if (contact == kNoContact) continue;
    Wrench gamma;
    for (int k = 0; k < 6; ++k) gamma[k] = (k < 3 ? 1e-2 : 1e-4) * random.Uniform(-1.0, 1.0);
    iterate.impulse[slot / kLanes].Set(slot % kLanes, gamma);
    impulse.segment<6>(6 * static_cast<Eigen::Index>(contact)) = gamma;
  }
  AddImpulses(workers, problem, iterate);
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    const Certificate certificate = Certify(matrices, law, impulse);
    const double residual = ComputeResidual(workers, problem, law, iterate.impulse, iterate.motion);
    const double worst =
        ComputeWorstContactResidual(workers, problem, law, iterate.impulse, iterate.motion);
    EXPECT_NEAR(certificate.residual, residual, 1e-12 * residual);
    EXPECT_NEAR(certificate.worst_contact_residual, worst, 1e-12 * worst);
  }
}

}  // namespace
}  // namespace talus
