// Pivoting, under each law with flat sides, before a third party: what it calls solved is solved by
// Siconos' measure of linear complementarity problems, and Siconos' Lemke comes to the same
// velocities but where there are several.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "solver/lcp/block_pivoting.h"
#include "solver/lcp/flat_law.h"
#include "solver/lcp/standard_form.h"
#include "tests/siconos/judged_answers.h"
#include "tests/siconos/siconos_lcp.h"

namespace talus::siconos {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr size_t kMostFlatContacts = 16;  // Siconos' Lemke takes minutes on more
constexpr int kMostPivots = 20000;
// Of 29 problems, what ours solve and, of those that Siconos solves, have the velocities of.
constexpr size_t kFewestByPivots = 28;
constexpr size_t kFewestPivotsCompared = 15;
// What Siconos solves may have other velocities only here, where this is a solution as well:
// points of one body, more than hold it, wedged against each other.
constexpr std::array<std::string_view, 3> kSeveral = {"groove_2", "ring_4", "ring_8"};

// The variables y of the standard form that rows z of the MLCP are, multipliers last.
VectorXd VariablesOf(const lcp::Mlcp& mlcp, const lcp::StandardForm& form, const VectorXd& z) {
  using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  const RowMajor picks = form.picks;
  VectorXd y = VectorXd::Zero(form.offset.size());
  std::vector<std::vector<Index>> limited;  // the variables of each row that has a multiplier
  Index count = 0;
  for (Index row = 0; row < picks.rows(); ++row) {
    std::vector<Index> variables;
    for (RowMajor::InnerIterator pick(picks, row); pick; ++pick) {
      y[pick.col()] = std::max(pick.value() * (z[row] - form.shift[row]), 0.0);
      variables.push_back(pick.col());
    }
    count += static_cast<Index>(variables.size());
    if (!variables.empty() && std::isfinite(mlcp.lower[row]) && std::isfinite(mlcp.upper[row])) {
      limited.push_back(std::move(variables));
    }
  }
  const VectorXd w = form.matrix * y + form.offset;
  for (size_t i = 0; i < limited.size(); ++i) {
    double& multiplier = y[count + static_cast<Index>(i)];
    for (const Index variable : limited[i]) multiplier = std::max(multiplier, -w[variable]);
  }
  return y;
}

class FlatLaws : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(FlatLaws, WhatPivotsCallSolvedIsSolvedBySiconos) {
  std::array<JudgedAnswers, 2> answers;
  for (const auto& [name, problem] : ProblemsUpTo(kMostFlatContacts)) {
    SCOPED_TRACE(name);
    const auto contact = lcp::AssembleFlatLaw(problem, {.law = GetParam()});
    ASSERT_TRUE(contact.ok()) << contact.status();
    const lcp::ScaledMlcp scaled = lcp::ScaleMlcp(contact->mlcp);
    const auto form = lcp::FormStandard(scaled.problem);
    ASSERT_TRUE(form.has_value());
    SiconosLcp siconos(form->matrix, form->offset);
    const auto theirs = siconos.SolveByLemke(kMostPivots);
    const auto impulse_of = [&, &steps = scaled.steps](const VectorXd& z) {
      return contact->ImpulseOf(steps.cwiseProduct(z));
    };
    for (const auto method : {lcp::PivotMethod::kBlocksFirst, lcp::PivotMethod::kLemkeAlone}) {
      const auto answer =
          lcp::SolveByPivoting(scaled.problem, {.tolerance = kTolerance, .method = method});
      ASSERT_TRUE(answer.ok()) << answer.status();
      if (answer->report.outcome != lcp::PivotOutcome::kSolved) continue;
      JudgedAnswers& judged = answers[static_cast<size_t>(method)];
      judged.Judge(siconos.ComputeError(VariablesOf(scaled.problem, *form, answer->z)));
      if (!theirs.has_value()) continue;
      const VectorXd their_z = form->RowsOf(*theirs);
      EXPECT_LE(lcp::ComputeResidual(scaled.problem, their_z), kTolerance);
      if (std::ranges::find(kSeveral, name) != kSeveral.end()) continue;
      judged.Compare(FindVelocityDifference(problem, impulse_of(answer->z), impulse_of(their_z)));
    }
  }
  for (const size_t method : {0, 1}) {
    answers[method].PrintAs(method == 0 ? "block_pivoting" : "lemke");
    EXPECT_GE(answers[method].solved(), kFewestByPivots);
    EXPECT_GE(answers[method].compared(), kFewestPivotsCompared);
  }
}

INSTANTIATE_TEST_SUITE_P(, FlatLaws,
                         ::testing::Values(ContactLaw::kBox, ContactLaw::kPolygonal,
                                           ContactLaw::kBristle),
                         [](const auto& test) {
                           switch (test.param) {
                             case ContactLaw::kBox:
                               return "Box";
                             case ContactLaw::kPolygonal:
                               return "Polygonal";
                             default:
                               return "Bristle";
                           }
                         });

}  // namespace
}  // namespace talus::siconos
