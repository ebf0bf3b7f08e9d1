#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "solver/scene/validate.h"

namespace talus {
namespace {

std::string Refusal(const SolverSettings& solver) {
  return std::string(ValidateSolver(solver).message());
}

SolverSettings Settings(ContactLaw law, SolverKind solver = SolverKind::kLawDefault) {
  SolverSettings settings;
  settings.law = law;
  settings.solver = solver;
  return settings;
}

// By enumerator.
constexpr int kLawCount = 5;
constexpr int kSolverCount = 13;

TEST(ValidateSolver, TakesEachSolverWithItsLawsAlone) {
  using enum SolverKind;
  const std::set<std::pair<ContactLaw, SolverKind>> valid = {
      {ContactLaw::kNcp, kAlartCurnier},
      {ContactLaw::kNcp, kNewton},
      {ContactLaw::kNcp, kFixedPoint},
      {ContactLaw::kNcp, kExtragradient},
      {ContactLaw::kNcp, kNsgs},
      {ContactLaw::kCcp, kAcceleratedPsor},
      {ContactLaw::kCcp, kPsor},
      {ContactLaw::kCcp, kApgd},
      {ContactLaw::kCcp, kNewton},
      {ContactLaw::kCcp, kFixedPoint},
      {ContactLaw::kCcp, kExtragradient},
      {ContactLaw::kCcp, kNsgs},
      {ContactLaw::kCcp, kBarzilaiBorwein},
      {ContactLaw::kCcp, kAdmm},
      {ContactLaw::kBox, kBlockPivoting},
      {ContactLaw::kBox, kLemke},
      {ContactLaw::kPolygonal, kBlockPivoting},
      {ContactLaw::kPolygonal, kLemke},
      {ContactLaw::kBristle, kBlockPivoting},
      {ContactLaw::kBristle, kLemke}};
  for (int i = 0; i < kLawCount; ++i) {
    const auto law = static_cast<ContactLaw>(i);
    EXPECT_EQ(Refusal(Settings(law)), "");
    for (int j = 1; j < kSolverCount; ++j) {
      const auto solver = static_cast<SolverKind>(j);
      EXPECT_EQ(ValidateSolver(Settings(law, solver)).ok(), valid.contains({law, solver}))
          << "law " << i << ", solver " << j;
    }
  }
}

TEST(ValidateSolver, SaysWhichSolversALawHas) {
  EXPECT_EQ(Refusal(Settings(static_cast<ContactLaw>(9))),
            "settings.solver.law = 9 must be NCP, CCP, BOX, POLYGONAL or BRISTLE");
  EXPECT_EQ(Refusal(Settings(ContactLaw::kNcp, static_cast<SolverKind>(13))),
            "settings.solver.solver = 13 must be ALART_CURNIER, ACCELERATED_PSOR, PSOR, APGD, "
            "NEWTON, BLOCK_PIVOTING, LEMKE, FIXED_POINT, EXTRAGRADIENT, NSGS, BARZILAI_BORWEIN or "
            "ADMM");
  EXPECT_EQ(Refusal(Settings(ContactLaw::kNcp, SolverKind::kBlockPivoting)),
            "settings.solver.solver = BLOCK_PIVOTING must be ALART_CURNIER, NEWTON, FIXED_POINT, "
            "EXTRAGRADIENT or NSGS when the law is NCP");
  EXPECT_EQ(Refusal(Settings(ContactLaw::kCcp, SolverKind::kAlartCurnier)),
            "settings.solver.solver = ALART_CURNIER must be ACCELERATED_PSOR, PSOR, APGD, NEWTON, "
            "FIXED_POINT, EXTRAGRADIENT, NSGS, BARZILAI_BORWEIN or ADMM when the law is CCP");
  EXPECT_EQ(
      Refusal(Settings(ContactLaw::kBox, SolverKind::kAcceleratedPsor)),
      "settings.solver.solver = ACCELERATED_PSOR must be BLOCK_PIVOTING or LEMKE when the law "
      "is BOX");
}

TEST(ValidateSolver, BoundsTheSettingsOfTheLaws) {
  SolverSettings settings = Settings(ContactLaw::kPolygonal);
  for (const int facets : {4, 6, 32}) {
    settings.facet_count = facets;
    EXPECT_EQ(Refusal(settings), "");
  }
  for (const int facets : {2, 34, 0, -8}) {
    settings.facet_count = facets;
    EXPECT_EQ(Refusal(settings),
              "settings.solver.facet_count = " + std::to_string(facets) + " must be in [4, 32]");
  }
  settings.facet_count = 5;
  EXPECT_EQ(Refusal(settings), "settings.solver.facet_count = 5 must be even");

  settings = Settings(ContactLaw::kBristle);
  settings.bristle_stiffness_n_m = 0.0;
  EXPECT_EQ(Refusal(settings), "settings.solver.bristle_stiffness_n_m = 0 must be > 0");
  settings.bristle_stiffness_n_m = 1e16;
  EXPECT_EQ(Refusal(settings),
            "settings.solver.bristle_stiffness_n_m = 1e+16 must be in [0.001, 1e+15]");
  settings.bristle_stiffness_n_m = 1e-3;
  EXPECT_EQ(Refusal(settings), "");
  settings.slip_threshold_m_s = std::nan("");
  EXPECT_EQ(Refusal(settings), "settings.solver.slip_threshold_m_s = nan must be > 0");
  settings.slip_threshold_m_s = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Refusal(settings), "settings.solver.slip_threshold_m_s = inf must be finite");
}

TEST(ValidateSolver, TakesPsorSettingsOfPsorAloneAndWithinTheirRanges) {
  SolverSettings settings = Settings(ContactLaw::kCcp, SolverKind::kPsor);
  for (const PsorSettings& psor : {PsorSettings{.relaxation = 1e-9},
                                   {.relaxation = 1.999, .averaging = 1e-9, .sequential = false}}) {
    settings.psor = psor;
    EXPECT_EQ(Refusal(settings), "");
  }
  for (const double relaxation : {0.0, 2.0, -1.0, std::nan("")}) {
    settings.psor = {.relaxation = relaxation};
    EXPECT_TRUE(Refusal(settings).starts_with("settings.solver.psor.relaxation = "));
    EXPECT_TRUE(Refusal(settings).ends_with(" must be in (0, 2)")) << Refusal(settings);
  }
  settings.psor = {.averaging = 1.5};
  EXPECT_EQ(Refusal(settings), "settings.solver.psor.averaging = 1.5 must be in (0, 1]");
  settings.psor = {.averaging = 0.0};
  EXPECT_EQ(Refusal(settings), "settings.solver.psor.averaging = 0 must be in (0, 1]");

  for (int i = 0; i < kLawCount; ++i) {
    for (int j = 0; j < kSolverCount; ++j) {
      SolverSettings other = Settings(static_cast<ContactLaw>(i), static_cast<SolverKind>(j));
      if (!ValidateSolver(other).ok() || other.solver == SolverKind::kPsor) continue;
      other.psor.sequential = false;
      EXPECT_EQ(Refusal(other),
                "settings.solver.psor = given must be left out unless the solver is PSOR");
    }
  }
}

TEST(ValidateSolver, RefusesBristlesWithoutMemory) {
  for (int i = 0; i < kLawCount; ++i) {
    SolverSettings settings = Settings(static_cast<ContactLaw>(i));
    settings.warm_start = false;
    const bool bristle = settings.law == ContactLaw::kBristle;
    EXPECT_EQ(Refusal(settings),
              bristle ? "settings.solver.warm_start = false must be true when the law is BRISTLE, "
                        "whose memory it is"
                      : "");
  }
}

TEST(ValidateJointSolver, TakesPivotingWithLawsOfFlatSides) {
  for (const ContactLaw law : {ContactLaw::kBox, ContactLaw::kPolygonal, ContactLaw::kBristle}) {
    for (const SolverKind kind :
         {SolverKind::kLawDefault, SolverKind::kBlockPivoting, SolverKind::kLemke}) {
      EXPECT_TRUE(ValidateJointSolver(Settings(law, kind)).ok());
    }
    EXPECT_FALSE(ValidateJointSolver(Settings(law, SolverKind::kNewton)).ok());
  }
}

TEST(ValidateElasticSolver, TakesLawsOfConesAlone) {
  EXPECT_TRUE(ValidateElasticSolver(Settings(ContactLaw::kNcp)).ok());
  EXPECT_TRUE(ValidateElasticSolver(Settings(ContactLaw::kCcp)).ok());
  NamedMaterial soft{"soft", {}};
  soft.material.elasticity.normal_stiffness_n_per_m = 1e4;
  const NamedMaterial hard{"hard", {}};
  for (const ContactLaw law : {ContactLaw::kBox, ContactLaw::kPolygonal, ContactLaw::kBristle}) {
    EXPECT_FALSE(ValidateElasticSolver(Settings(law)).ok());
    EXPECT_TRUE(ValidateElasticity({&hard, 1}, {}, {}, Settings(law)).ok());
  }
  EXPECT_EQ(
      std::string(ValidateElasticity({&soft, 1}, {}, {}, Settings(ContactLaw::kBox)).message()),
      "settings.solver.law = BOX must be NCP or CCP in a scene with elastic materials");
}

TEST(ResolveSolver, GivesEachLawItsOwn) {
  EXPECT_EQ(ResolveSolver(Settings(ContactLaw::kNcp)), SolverKind::kAlartCurnier);
  EXPECT_EQ(ResolveSolver(Settings(ContactLaw::kCcp)), SolverKind::kAcceleratedPsor);
  EXPECT_EQ(ResolveSolver(Settings(ContactLaw::kCcp), true), SolverKind::kNewton);
  for (const bool has_joints : {false, true}) {
    EXPECT_EQ(ResolveSolver(Settings(ContactLaw::kBox), has_joints), SolverKind::kBlockPivoting);
    EXPECT_EQ(ResolveSolver(Settings(ContactLaw::kBristle, SolverKind::kLemke), has_joints),
              SolverKind::kLemke);
  }
}

}  // namespace
}  // namespace talus
