// What the laws with flat sides make of a contact problem: an MLCP, and how its solution becomes
// impulses in blocks of six rows again.
//
//   γ = G z,   A = Gᵀ (W + E) G + C,   b = Gᵀ q + c
//
// G has a column for each impulse of the law, in its own directions, and none for its multipliers;
// C and c hold what the law adds. Blocks of bounds (matrix/block_law.h) keep their rows; rows that
// can carry nothing are left out.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solver/lcp/mlcp.h"
#include "solver/matrix/matrix_problem.h"

namespace talus::lcp {

struct ContactMlcp {
  Mlcp mlcp;
  SparseMatrix directions;       // G
  std::vector<uint32_t> blocks;  // of each row, multipliers included

  Eigen::VectorXd ImpulseOf(const Eigen::VectorXd& z) const { return directions * z; }
  // The rows that `impulse` is in a law whose directions are orthogonal and of unit length.
  Eigen::VectorXd RowsOf(const Eigen::VectorXd& impulse) const {
    return directions.transpose() * impulse;
  }
};

// Rows one after the other, then the MLCP.
class ContactMlcpBuilder {
 public:
  explicit ContactMlcpBuilder(const MatrixProblem& problem);

  struct Row {
    double lower = 0.0;
    double upper = 0.0;
    int32_t coupled_to = kUncoupled;
    double compliance = 0.0;  // added to A's diagonal
    double bias = 0.0;        // added to b
  };
  // A row of impulses along `direction`, which is a combination of the rows of block `block`.
  // Returns its number.
  int32_t AddImpulse(size_t block, const Wrench& direction, const Row& row);
  // The row of γ_n ≥ 0.
  int32_t AddNormal(size_t block);
  // A row of no impulse, of a law in block `block`: its A holds only what AddEntry says.
  int32_t AddMultiplier(size_t block);
  void AddEntry(int32_t row, int32_t column, double value) {
    entries_.emplace_back(row, column, value);
  }
  // A block of bounds, row by row.
  void AddBounds(size_t block);

  ContactMlcp Finish() const;

 private:
  const MatrixProblem& problem_;
  std::vector<Row> rows_;
  std::vector<uint32_t> blocks_;
  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<Eigen::Triplet<double>> directions_;
};

// How well z solves the problem, in rows scaled by ScaleMlcp: no unit, both zero exactly where each
// row of the law is met.
struct ContactMlcpCertificate {
  double residual = 0.0;  // ComputeResidual
  // max_c ‖r_c‖ / max_c ‖b_c‖ with r = z − mid(lower, z − w, upper), over the rows of one block: η
  // of NOTATION §5 for these laws.
  double worst_block_residual = 0.0;
};
ContactMlcpCertificate Certify(const ContactMlcp& contact, const Eigen::VectorXd& z);

// The friction parts of a contact: tangential force, torque about the normal, rolling torques.
struct FrictionPart {
  Eigen::Index first = 0;  // row of the Wrench
  Eigen::Index count = 0;
  double coefficient = 0.0;  // times γ_n: μ (no unit), σ or ρ (m)
};
// Those whose coefficient is not zero.
std::vector<FrictionPart> FrictionParts(const FrictionCone& cone);

}  // namespace talus::lcp
