// Any of the laws with flat sides by its name, and what it needs to know beside the problem.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "absl/status/statusor.h"
#include "solver/lcp/bristle_law.h"
#include "solver/lcp/contact_rows.h"
#include "solver/scene/solver_settings.h"

namespace talus::lcp {

struct FlatLaw {
  ContactLaw law = ContactLaw::kBox;  // one with flat sides
  int32_t facet_count = 8;            // of a polygon: even, in [4, 32]
  BristleSettings bristles = {};
};

// `old_impulse`: what bristles remember (bristle_law.h); without any they begin unbent.
// INVALID_ARGUMENT: a value out of its range.
absl::StatusOr<ContactMlcp> AssembleFlatLaw(const MatrixProblem& problem, const FlatLaw& law,
                                            const Eigen::VectorXd& old_impulse = {});

// The rows that a block brings to the problem of Lemke's method (FindStandardSize), known before
// anything is assembled; of bristles that slip one less.
Eigen::Index CountLemkeRows(const BlockLaw& block, const FlatLaw& law);

}  // namespace talus::lcp
