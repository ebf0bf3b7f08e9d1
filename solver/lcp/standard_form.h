// An MLCP as the standard problem that Lemke's method takes, and the way back.
//
// Equations are solved for and leave. A row with one bound is shifted to it; one with two gets the
// multiplier λ of its upper bound:  w + λ ≥ 0 ⟂ z − lower ≥ 0,  upper − z ≥ 0 ⟂ λ ≥ 0.  A coupled
// row is split, z = p − m:  w + λ ≥ 0 ⟂ p ≥ 0,  −w + λ ≥ 0 ⟂ m ≥ 0,  c z_k − p − m ≥ 0 ⟂ λ ≥ 0,
// which keeps a problem of friction copositive.
//
// M is dense, and so is what the equations answer: whoever forms it looks at the size first.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

#include "solver/lcp/mlcp.h"

namespace talus::lcp {

struct StandardForm {
  Eigen::MatrixXd matrix;  // M
  Eigen::VectorXd offset;  // q

  // The rows of the MLCP that a solution y means.
  Eigen::VectorXd RowsOf(const Eigen::VectorXd& y) const;

  // z = picks · y + shift, and in the equations −response · y more.
  SparseMatrix picks;
  Eigen::VectorXd shift;
  std::vector<Eigen::Index> equations;
  Eigen::MatrixXd response;
};

struct StandardSize {
  Eigen::Index rows = 0;       // of M: variables and multipliers
  Eigen::Index equations = 0;  // that are solved for
};
StandardSize FindStandardSize(const Mlcp& problem);

// None where the equations are singular, or where `stop`, asked every some 10⁷ operations but
// within their factorisation, ended it.
std::optional<StandardForm> FormStandard(const Mlcp& problem,
                                         const std::function<bool()>& stop = {});

}  // namespace talus::lcp
