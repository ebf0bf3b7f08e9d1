// The rows of elastic contacts by formula, and the kernels that solve them beside matrices.
#include "solver/contact/compliance.h"

#include <gtest/gtest.h>

#include <limits>

#include "solver/contact/assemble.h"
#include "solver/contact/contact_frame.h"
#include "solver/contact/elastic_pair.h"
#include "solver/contact/residual.h"
#include "solver/matrix/contact_matrices.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/solvers/contact_solver.h"
#include "solver/solvers/iterate.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

constexpr double kStep = 1e-3;

TEST(ElasticPair, SpringsStandInSeriesWithWhatTheyLose) {
  const ElasticPair pair = Join({1e4, 10.0}, {3e4, 60.0});
  EXPECT_DOUBLE_EQ(pair.normal_stiffness, 7.5e3);
  EXPECT_DOUBLE_EQ(pair.normal_damping, 10.0 * 0.5625 + 60.0 * 0.0625);
  EXPECT_EQ(Join({1e4, 10.0}, {}), Join({}, {1e4, 10.0}));
  EXPECT_DOUBLE_EQ(Join({1e4, 10.0}, {}).normal_damping, 10.0);
  // One relaxation time on both sides stays one.
  EXPECT_NEAR(Join({1e4, 20.0}, {5e4, 100.0}).normal_damping,
              2e-3 * Join({1e4, 20.0}, {5e4, 100.0}).normal_stiffness, 1e-12);
  EXPECT_EQ(Join({}, {}), ElasticPair{});
}

TEST(ElasticPair, ViscositiesStandInSeries) {
  const auto of = [](double sliding, double rolling, double spinning) {
    return Elasticity{.sliding_viscosity_n_s_per_m = sliding,
                      .rolling_viscosity_n_m_s_per_rad = rolling,
                      .spinning_viscosity_n_m_s_per_rad = spinning};
  };
  const ElasticPair pair = Join(of(10.0, 0.0, 8.0), of(30.0, 2.0, 8.0));
  EXPECT_DOUBLE_EQ(pair.sliding_viscosity, 7.5);
  EXPECT_DOUBLE_EQ(pair.rolling_viscosity, 2.0);
  EXPECT_DOUBLE_EQ(pair.spinning_viscosity, 4.0);
}

TEST(ElasticPair, HertzAndMindlinTakeBothSides) {
  const auto of = [](double modulus, double ratio) {
    return Elasticity{.youngs_modulus_pa = modulus, .poisson_ratio = ratio};
  };
  EXPECT_DOUBLE_EQ(Join(of(2e11, 0.3), {}).reduced_modulus, 2e11 / 0.91);
  EXPECT_DOUBLE_EQ(Join(of(2e11, 0.3), of(2e11, 0.3)).reduced_modulus, 1e11 / 0.91);
  for (const Elasticity& other : {Elasticity{}, of(5e9, 0.3)}) {
    EXPECT_NEAR(Join(of(2e11, 0.3), other).tangent_ratio, 2.0 * 0.7 / 1.7, 1e-15);
  }
}

// Two bodies in touch, and what their contact comes to.
struct Touching {
  testing::TestProblem problem;
  std::vector<double> radii;
  CachedImpulse impulse;
  Vec3 old_normal = Vec3::UnitZ();

  Touching(const Elasticity& elasticity, double gap, const Vec3& normal = Vec3::UnitZ()) {
    problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
    problem.bodies.Add(0.1 * normal, 1.0, 1.0, Vec3::Zero(), Vec3::Zero());
    Material material{0.5, 0.0, 0.0, 0.0};
    material.elasticity = elasticity;
    problem.bodies.materials.push_back({});
    problem.Touch(0, 1, Vec3::Zero(), normal, gap, material);
    problem.contacts[0].material_a = 0;
  }
  ContactCompliance Assemble(bool remembered = false) const {
    WorkerArena workers(1);
    const uint32_t entry = remembered ? 0 : kNotKept;
    std::vector<ContactCompliance> result;
    AssembleCompliance(workers, problem.bodies.view(), problem.contacts, radii,
                       {{&entry, 1}, {&impulse, 1}, {&old_normal, 1}}, kStep, result);
    return result[0];
  }
};

TEST(Compliance, OfASpringAndDamperIsKelvinAndVoigt) {
  const ContactCompliance closed = Touching({1e4, 5.0}, -1e-4).Assemble();
  EXPECT_DOUBLE_EQ(closed.compliance[kNormal], 1.0 / (kStep * (kStep * 1e4 + 5.0)));
  EXPECT_DOUBLE_EQ(closed.bias[0], 1e4 * -1e-4 / (kStep * 1e4 + 5.0));
  const ContactCompliance apart = Touching({1e4, 5.0}, 1e-4).Assemble();
  EXPECT_DOUBLE_EQ(apart.compliance[kNormal], closed.compliance[kNormal]);
  EXPECT_DOUBLE_EQ(apart.bias[0], 1e-4 / kStep);
  EXPECT_EQ(closed.compliance[kSliding], 0.0);
}

TEST(Compliance, OfHertzIsTheChordAndAtRestTheTangent) {
  const Elasticity elasticity{.youngs_modulus_pa = 1e7};
  const auto force = [](double depth) {
    return 4.0 / 3.0 * 1e7 * std::sqrt(0.05) * std::pow(depth, 1.5);
  };
  Touching contact(elasticity, -1e-4);
  contact.radii = {0.05};
  const double tangent = std::cbrt(6.0 * 1e14 * 0.05 * force(1e-4));
  EXPECT_NEAR(contact.Assemble().compliance[kNormal] * kStep * kStep * tangent, 1.0, 1e-12);
  EXPECT_NEAR(contact.Assemble().bias[0] * kStep * tangent, -force(1e-4), 1e-12 * force(1e-4));
  contact.problem.bodies.linear[1].z() = -0.3;
  const double chord = (force(4e-4) - force(1e-4)) / 3e-4;
  EXPECT_NEAR(contact.Assemble().compliance[kNormal] * kStep * kStep * chord, 1.0, 1e-12);
  contact.radii = {std::numeric_limits<double>::infinity()};
  EXPECT_EQ(contact.Assemble().compliance[kNormal], 0.0);
}

TEST(Compliance, OfBristlesIsWhatTheyRemember) {
  Touching contact({.sliding_stiffness_n_per_m = 1e5, .rolling_stiffness_n_m_per_rad = 20.0}, 0.0);
  contact.impulse = {Vec3(0.3, -0.4, 7.0), Vec3(0.01, 0.02, 0.5)};
  EXPECT_EQ(contact.Assemble(false).bias[1], 0.0);
  const ContactCompliance result = contact.Assemble(true);
  const ContactFrame frame = MakeContactFrame(Vec3::UnitZ());
  EXPECT_DOUBLE_EQ(result.compliance[kSliding], 10.0);
  EXPECT_DOUBLE_EQ(result.bias[1], -10.0 * frame.u.dot(contact.impulse.linear));
  EXPECT_DOUBLE_EQ(result.bias[2], -10.0 * frame.w.dot(contact.impulse.linear));
  EXPECT_EQ(result.bias[3], 0.0);
  EXPECT_DOUBLE_EQ(result.bias[4], -5e4 * frame.u.dot(contact.impulse.angular));
}

TEST(Compliance, OfWhatCreepsIsTikhonovsWithoutMemory) {
  Touching contact({.sliding_viscosity_n_s_per_m = 20.0,
                    .rolling_viscosity_n_m_s_per_rad = 5.0,
                    .spinning_viscosity_n_m_s_per_rad = 0.5},
                   0.0);
  contact.impulse = {Vec3(0.3, -0.4, 7.0), Vec3(0.01, 0.02, 0.5)};
  const ContactCompliance result = contact.Assemble(true);
  EXPECT_EQ(result.compliance[kNormal], 0.0);
  EXPECT_DOUBLE_EQ(result.compliance[kSliding], 1.0 / (20.0 * kStep));
  EXPECT_DOUBLE_EQ(result.compliance[kRolling], 1.0 / (5.0 * kStep));
  EXPECT_DOUBLE_EQ(result.compliance[kSpinning], 1.0 / (0.5 * kStep));
  for (const double bias : result.bias) EXPECT_EQ(bias, 0.0);
}

TEST(Compliance, OfBristlesThatCreepIsMaxwells) {
  Touching contact({.sliding_stiffness_n_per_m = 1e5, .sliding_viscosity_n_s_per_m = 20.0}, 0.0);
  contact.impulse = {Vec3(0.3, -0.4, 7.0), Vec3::Zero()};
  const ContactCompliance result = contact.Assemble(true);
  const ContactFrame frame = MakeContactFrame(Vec3::UnitZ());
  EXPECT_DOUBLE_EQ(result.compliance[kSliding], 10.0 + 1.0 / (20.0 * kStep));
  EXPECT_DOUBLE_EQ(result.bias[1], -10.0 * frame.u.dot(contact.impulse.linear));
}

// Two bodies that turn as one carry the same, turned. A step turns by 10⁻³: the parts of one turn
// in sequence differ from it by the square.
TEST(Compliance, MemoryTurnsWithTheBodies) {
  const Vec3 spin(0.6, -0.3, 0.9);
  const Quat turn = ExpRotation(kStep * spin);
  const Vec3 old_normal = Vec3(0.2, 0.5, 0.8).normalized();
  const Vec3 normal = turn * old_normal;
  Touching contact({.sliding_stiffness_n_per_m = 1e6,
                    .rolling_stiffness_n_m_per_rad = 1e6,
                    .spinning_stiffness_n_m_per_rad = 1e6},
                   0.0, normal);
  contact.problem.bodies.angular = {spin, spin};
  contact.old_normal = old_normal;
  const Vec3 sliding = old_normal.unitOrthogonal();
  const Vec3 rolling = old_normal.cross(sliding);
  contact.impulse = {5.0 * old_normal + sliding, 0.3 * old_normal + rolling};
  const ContactCompliance result = contact.Assemble(true);
  const ContactFrame frame = MakeContactFrame(normal);
  EXPECT_NEAR(-result.bias[1], frame.u.dot(turn * sliding), 1e-6);
  EXPECT_NEAR(-result.bias[2], frame.w.dot(turn * sliding), 1e-6);
  EXPECT_NEAR(-result.bias[3], 0.3, 1e-15);
  EXPECT_NEAR(-result.bias[4], frame.u.dot(turn * rolling), 1e-6);
  EXPECT_NEAR(-result.bias[5], frame.w.dot(turn * rolling), 1e-6);
  contact.old_normal = -normal;
  EXPECT_EQ(contact.Assemble(true).bias[1], 0.0);
}

// Heaps with every third contact rigid, the rest with compliance and bias in every row.
class CompliantProblem : public ::testing::TestWithParam<BlockGeometry> {
 protected:
  CompliantProblem() : random_(23) {
    input_ = testing::MakeSphereLattice(60, {0.6, 0.004, 0.003, 0.0}, 23);
    if (GetParam() != BlockGeometry::kCentral) {
      for (ContactInput& contact : input_.contacts) {
        contact.point += 0.002 * Vec3(random_.Uniform(-1, 1), random_.Uniform(-1, 1), 0.0);
      }
    }
    if (GetParam() == BlockGeometry::kFull) {
      for (Mat3& inertia : input_.bodies.inverse_inertias) inertia(2, 2) *= 1.5;
    }
    compliance_.resize(input_.contacts.size());
    for (size_t i = 0; i < compliance_.size(); ++i) {
      if (i % 3 == 0) continue;
      for (size_t part = 0; part < kPartCount; ++part) {
        compliance_[i].compliance[part] = (part < 2 ? 1.0 : 2000.0) * random_.Uniform(1.0, 20.0);
      }
      for (double& bias : compliance_[i].bias) bias = random_.Uniform(-0.1, 0.1);
    }
  }
  void Assemble(SweepKind sweeps) {
    WorkerArena workers(1);
    AssembleProblem(workers, input_.bodies.view(), input_.contacts, {}, input_.assembly, {sweeps},
                    scratch_, problem_, motion_, compliance_);
  }

  Random random_;
  testing::TestProblem input_;
  std::vector<ContactCompliance> compliance_;
  AssemblyScratch scratch_;
  ContactProblem problem_;
  std::vector<BodyMotion> motion_;
};

TEST_P(CompliantProblem, KernelsMeanWhatTheMatricesDo) {
  Assemble(SweepKind::kAlartCurnier);
  EXPECT_EQ(problem_.layout.chunks[0].kind.geometry, GetParam());
  WorkerArena workers(1);
  const MatrixProblem matrices = FormContactMatrices(problem_, motion_);
  const ScaledProblem scaled = ScaleProblem(matrices);
  EXPECT_NEAR(problem_.free_scale, scaled.free_scale, 1e-12 * scaled.free_scale);
  Iterate iterate;
  iterate.impulse.resize(problem_.layout.block_count());
  iterate.motion = motion_;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(matrices.row_count());
  const auto for_each_slot = [&](const auto& visit) {
    for (size_t slot = 0; slot < problem_.layout.slot_contact.size(); ++slot) {
      const uint32_t contact = problem_.layout.slot_contact[slot];
      if (contact != kNoContact) visit(slot, 6 * static_cast<Eigen::Index>(contact));
    }
  };
  for_each_slot([&](size_t slot, Eigen::Index at) {
    Wrench gamma;
    for (int k = 0; k < 6; ++k) gamma[k] = (k < 3 ? 1e-2 : 1e-4) * random_.Uniform(-1.0, 1.0);
    iterate.impulse[slot / kLanes].Set(slot % kLanes, gamma);
    impulse.segment<6>(at) = gamma;
  });
  AddImpulses(workers, problem_, iterate);
  const Eigen::VectorXd expected = ComputeVelocity(matrices, impulse);
  std::vector<WrenchBlock> velocity(problem_.layout.block_count());
  for (const BlockChunk& chunk : problem_.layout.chunks) {
    FindLocalVelocities(problem_.span(), chunk, iterate.impulse.data(), iterate.motion.data(),
                        &velocity[chunk.begin]);
  }
  for_each_slot([&](size_t slot, Eigen::Index at) {
    const Wrench u = velocity[slot / kLanes].Get(slot % kLanes);
    EXPECT_LE((u - expected.segment<6>(at)).norm(), 1e-12 * expected.segment<6>(at).norm());
  });
  const Eigen::VectorXd scaled_impulse = impulse.cwiseQuotient(scaled.steps);
  const Eigen::VectorXd scaled_velocity = scaled.steps.cwiseProduct(expected);
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    const double lanes = ComputeResidual(workers, problem_, law, iterate.impulse, iterate.motion);
    EXPECT_NEAR(lanes, ComputeResidual(scaled, law, scaled_impulse, scaled_velocity),
                1e-11 * lanes);
  }
}

TEST_P(CompliantProblem, AllSolversOfALawAgree) {
  WorkerArena workers(1);
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    std::vector<Vec3> expected;
    for (const SolverKind kind :
         {SolverKind::kNewton, SolverKind::kAlartCurnier, SolverKind::kAcceleratedPsor,
          SolverKind::kPsor, SolverKind::kApgd}) {
      const bool of_ncp = kind == SolverKind::kAlartCurnier;
      if (kind != SolverKind::kNewton && of_ncp != (law == ContactLaw::kNcp)) continue;
      std::vector<Vec3> linear = input_.bodies.linear;
      std::vector<Vec3> angular = input_.bodies.angular;
      ContactSolver solver;
      ContactSolution solution;
      const SolveReport report =
          solver.Solve(workers, input_.bodies.view(), input_.contacts, {}, input_.assembly,
                       {law, kind, 1e-9, 20000, true}, {}, {linear, angular}, solution, nullptr, {},
                       compliance_);
      EXPECT_EQ(report.outcome, SolveOutcome::kConverged) << static_cast<int>(kind);
      if (expected.empty()) expected = linear;
      double largest = 0.0;
      for (size_t i = 0; i < linear.size(); ++i) {
        largest = std::max(largest, (linear[i] - expected[i]).norm());
      }
      // The velocities are some 0.1 m/s; compliance bounds what the residual leaves open to about
      // its own size.
      EXPECT_LE(largest, law == ContactLaw::kCcp ? 1e-6 : 1e-5) << static_cast<int>(kind);
    }
  }
}

// The bits of sweeps and measures on every instruction set of the machine.
TEST_P(CompliantProblem, HasTheSameBitsOnEveryTarget) {
  WorkerArena workers(1);
  for (const SweepKind sweeps : {SweepKind::kAlartCurnier, SweepKind::kProjected}) {
    const ContactLaw law = sweeps == SweepKind::kAlartCurnier ? ContactLaw::kNcp : ContactLaw::kCcp;
    std::vector<double> expected;
    for (const std::string_view target : KernelTargets()) {
      UseKernelTarget(target);
      Assemble(sweeps);
      std::vector<WrenchBlock> impulse(problem_.layout.block_count());
      std::vector<BodyMotion> motion = motion_;
      const SweepBlocks blocks{
          problem_.span(), motion.data(), impulse.data(), impulse.data(), 0.0, 0.0, true};
      std::vector<double> numbers;
      for (int sweep = 0; sweep < 3; ++sweep) {
        for (const BlockChunk& chunk : problem_.layout.chunks) {
          const SweepChange change = sweeps == SweepKind::kAlartCurnier
                                         ? SweepAlartCurnier(blocks, chunk)
                                         : SweepProjected(blocks, chunk);
          const ResidualParts parts =
              MeasureResidual(problem_.span(), chunk, law, impulse.data(), motion.data());
          numbers.insert(numbers.end(), {change.length_squared, change.against, parts.violation,
                                         DescribeContacts(problem_.span(), chunk, law,
                                                          impulse.data(), motion.data(), nullptr)});
        }
      }
      if (expected.empty()) expected = numbers;
      EXPECT_EQ(numbers, expected) << target;
    }
    UseKernelTarget("");
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CompliantProblem,
                         ::testing::Values(BlockGeometry::kCentral, BlockGeometry::kRound,
                                           BlockGeometry::kFull));

}  // namespace
}  // namespace talus
