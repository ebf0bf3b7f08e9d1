// The residual is zero exactly where the law holds. Pairs (γ, u) that satisfy a law are made from
// its words alone - every part of every contact sticks, slips against its velocity or carries
// nothing - then one clause of one contact is broken.
#include "solver/contact/residual.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "solver/base/random.h"
#include "solver/contact/assemble.h"
#include "tests/support/contact_problems.h"
#include "tests/support/scalar_contact.h"

namespace talus {
namespace {

using testing::ContactRow;
using testing::RollingCone;
using testing::TestProblem;

constexpr uint64_t kResidualSeed = 20260601;
constexpr int kBalls = 600;  // two chunks of the sum
constexpr double kRadius = 0.02;
// What the rounding of the pairs themselves leaves, masses being 10⁻² to 10² kg.
constexpr double kRounding = 1e-12;

// Balls apart from each other on a floor: any velocity of a contact is some velocity of its ball.
TestProblem MakeBallsApart(Random& random) {
  TestProblem problem;
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  for (uint32_t i = 1; i <= kBalls; ++i) {
    const Vec3 foot(0.1 * i, 0.0, 0.0);
    const double mass = std::pow(10.0, random.Uniform(-2.0, 2.0));
    problem.bodies.Add(foot + Vec3(0.0, 0.0, kRadius), mass, 0.4 * mass * kRadius * kRadius,
                       Vec3(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 0)),
                       Vec3(random.Uniform(-9, 9), random.Uniform(-9, 9), random.Uniform(-9, 9)));
    const Material rough{random.Uniform(0.1, 1.0), random.Uniform(0.001, 0.01),
                         random.Uniform(0.001, 0.01), 0.0};
    problem.Touch(0, i, foot, Vec3::UnitZ(), 0.0, rough);
  }
  return problem;
}

struct Clause {
  int first;
  int size;
  double coefficient;
};

std::array<Clause, 3> Clauses(const RollingCone& cone) {
  return {{{1, 2, cone.sliding}, {3, 1, cone.spinning}, {4, 2, cone.rolling}}};
}

struct Pair {
  Wrench impulse = Wrench::Zero();
  Wrench velocity = Wrench::Zero();  // u, gap row included
};

// A pair that satisfies the law. `carries`: γ_n > 0; `slips`: all parts slip, else each as it
// falls.
Pair MakeLawful(Random& random, ContactLaw law, const RollingCone& cone, bool carries, bool slips) {
  Pair pair;
  double& normal = pair.impulse[0];
  if (carries) normal = random.Uniform(0.1, 2.0);
  for (const Clause& part : Clauses(cone)) {
    const double angle = random.Uniform(0.0, 6.283185307179586);
    const double speed = random.Uniform(0.1, 2.0);
    const bool part_slips = slips || !carries || random.Next() % 2 == 0;
    const double share = part_slips ? 1.0 : random.Uniform(0.0, 0.9);
    for (int k = 0; k < part.size; ++k) {
      const double direction = part.size == 1 ? std::copysign(1.0, std::cos(angle))
                                              : (k == 0 ? std::cos(angle) : std::sin(angle));
      if (part_slips) pair.velocity[part.first + k] = speed * direction;
      pair.impulse[part.first + k] = -share * part.coefficient * normal * direction;
    }
  }
  // CCP pays for slip with an opening velocity; NCP keeps the contact closed.
  if (law == ContactLaw::kCcp)
    pair.velocity[0] = testing::PairedVelocity(ContactLaw::kNcp, cone, pair.velocity)[0];
  if (!carries) pair.velocity[0] += random.Uniform(0.0, 1.0);
  return pair;
}

// The velocity of body B that gives the contact u, body A at rest.
BodyMotion VelocityFor(const ContactRow& c, const Wrench& u) {
  Eigen::Matrix<double, 6, 6> map;
  const Wrench at_rest = testing::LocalVelocity(c, {}, {});
  for (int k = 0; k < 6; ++k) {
    BodyMotion unit;
    (k < 3 ? unit.linear[k] : unit.angular[k - 3]) = 1.0;
    map.col(k) = testing::LocalVelocity(c, {}, unit) - at_rest;
  }
  const Wrench v = map.partialPivLu().solve(u - at_rest);
  BodyMotion motion;
  motion.Set(v.head<3>(), v.tail<3>());
  return motion;
}

class ResidualTest : public ::testing::TestWithParam<ContactLaw> {
 protected:
  ResidualTest() : random_(kResidualSeed), problem_(testing::Assemble(MakeBallsApart(random_))) {
    impulse_.resize(problem_.blocks.size());
    motion_ = problem_.free_motion;
    testing::ForEachRow(problem_, [this](uint32_t block, size_t lane, const ContactRow& row) {
      contacts_.push_back({block, lane, row});
    });
  }

  struct Contact {
    uint32_t block;
    size_t lane;
    ContactRow row;
  };

  void Set(const Contact& contact, const Pair& pair) {
    impulse_[contact.block].Set(contact.lane, pair.impulse);
    const BodyMotion motion = VelocityFor(contact.row, pair.velocity);
    motion_[contact.row.body_b].Set(motion.Linear(), motion.Angular());
  }
  void SetAllLawful() {
    for (const Contact& contact : contacts_) {
      Set(contact, MakeLawful(random_, GetParam(), contact.row.cone, random_.Next() % 4 != 0,
                              random_.Next() % 3 == 0));
    }
  }
  double Residual(ContactLaw law) {
    return ComputeResidual(workers_, problem_, law, impulse_, motion_);
  }
  double WorstResidual(ContactLaw law) {
    return ComputeWorstContactResidual(workers_, problem_, law, impulse_, motion_);
  }

  Random random_;
  WorkerArena workers_{2};
  testing::AssembledProblem problem_;
  std::vector<Contact> contacts_;
  std::vector<WrenchBlock> impulse_;
  std::vector<BodyMotion> motion_;
};

TEST_P(ResidualTest, IsZeroWhereTheLawHolds) {
  for (int round = 0; round < 50; ++round) {
    SetAllLawful();
    EXPECT_LE(Residual(GetParam()), kRounding) << "seed " << kResidualSeed << " round " << round;
    EXPECT_LE(WorstResidual(GetParam()), kRounding)
        << "seed " << kResidualSeed << " round " << round;
  }
}

struct Break {
  const char* clause;
  bool carries;
  std::function<void(const RollingCone&, Pair&)> apply;
};

constexpr double kAmount = 1e-3;

const Break kBreaks[] = {
    {"approaches", true, [](const RollingCone&, Pair& p) { p.velocity[0] -= kAmount; }},
    {"approaches without force", false,
     [](const RollingCone&, Pair& p) { p.velocity.setZero(), p.velocity[0] = -kAmount; }},
    {"opens under force", true, [](const RollingCone&, Pair& p) { p.velocity[0] += kAmount; }},
    {"pulls", false, [](const RollingCone&, Pair& p) { p.impulse[0] = -kAmount; }},
    {"friction without a normal force", false,
     [](const RollingCone&, Pair& p) { p.impulse[1] = kAmount; }},
    {"sliding beyond the cone", true,
     [](const RollingCone&, Pair& p) { p.impulse.segment<2>(1) *= 1.0 + kAmount; }},
    {"spinning beyond the cone", true,
     [](const RollingCone&, Pair& p) { p.impulse[3] *= 1.0 + kAmount; }},
    {"rolling beyond the cone", true,
     [](const RollingCone&, Pair& p) { p.impulse.segment<2>(4) *= 1.0 + kAmount; }},
    {"slides below the limit", true,
     [](const RollingCone&, Pair& p) { p.impulse.segment<2>(1) *= 1.0 - kAmount; }},
    {"spins below the limit", true,
     [](const RollingCone&, Pair& p) { p.impulse[3] *= 1.0 - kAmount; }},
    {"rolls below the limit", true,
     [](const RollingCone&, Pair& p) { p.impulse.segment<2>(4) *= 1.0 - kAmount; }},
    {"friction aside of the slip", true,
     [](const RollingCone&, Pair& p) {
       p.impulse.segment<2>(1) = Eigen::Rotation2Dd(kAmount) * p.impulse.segment<2>(1);
     }},
    {"rolling torque aside of the roll", true,
     [](const RollingCone&, Pair& p) {
       p.impulse.segment<2>(4) = Eigen::Rotation2Dd(kAmount) * p.impulse.segment<2>(4);
     }},
    {"friction along the slip", true,
     [](const RollingCone&, Pair& p) { p.velocity.segment<2>(1) *= -1.0; }},
};

TEST_P(ResidualTest, IsPositiveWhereOneContactBreaksOneClause) {
  for (const Break& broken : kBreaks) {
    for (int round = 0; round < 20; ++round) {
      SetAllLawful();
      const Contact& contact = contacts_[random_.Next() % contacts_.size()];
      const RollingCone& cone = contact.row.cone;
      Pair pair = MakeLawful(random_, GetParam(), cone, broken.carries, true);
      broken.apply(cone, pair);
      Set(contact, pair);
      // A thousandth of one part of one contact in 600, of the lightest balls too: far above the
      // rounding that lawful pairs leave.
      const std::string where = std::string(broken.clause) + ", seed " +
                                std::to_string(kResidualSeed) + ", round " + std::to_string(round);
      EXPECT_GT(Residual(GetParam()), 1e-10) << where;
      EXPECT_GT(WorstResidual(GetParam()), 1e-10) << where;
    }
  }
}

TEST_P(ResidualTest, TellsTheLawsApart) {
  const ContactLaw other = GetParam() == ContactLaw::kNcp ? ContactLaw::kCcp : ContactLaw::kNcp;
  for (const Contact& contact : contacts_) {
    Set(contact, MakeLawful(random_, GetParam(), contact.row.cone, true, true));
  }
  EXPECT_LE(Residual(GetParam()), kRounding);
  EXPECT_GT(Residual(other), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Laws, ResidualTest, ::testing::Values(ContactLaw::kNcp, ContactLaw::kCcp),
                         [](const auto& law) {
                           return law.param == ContactLaw::kNcp ? "Ncp" : "Ccp";
                         });

}  // namespace
}  // namespace talus
