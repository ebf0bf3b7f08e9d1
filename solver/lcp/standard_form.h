// An MLCP as the standard problem that Lemke's method takes, and the way back.
//
// Equations are solved for and leave. A row with one bound is shifted to it; one with two gets the
// multiplier λ of its upper bound:  w + λ ≥ 0 ⟂ z − lower ≥ 0,  upper − z ≥ 0 ⟂ λ ≥ 0.  A coupled
// row is split, z = p − m:  w + λ ≥ 0 ⟂ p ≥ 0,  −w + λ ≥ 0 ⟂ m ≥ 0,  c z_k − p − m ≥ 0 ⟂ λ ≥ 0,
// which keeps a problem of friction copositive.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "solver/lcp/mlcp.h"

namespace talus::lcp {

struct StandardForm {
  Eigen::MatrixXd matrix;   // M
  Eigen::VectorXd offset;   // q
  Eigen::MatrixXd columns;  // z of the MLCP = columns · y + shift
  Eigen::VectorXd shift;
};

// None where the equations are singular.
std::optional<StandardForm> FormStandard(const Mlcp& problem);

}  // namespace talus::lcp
