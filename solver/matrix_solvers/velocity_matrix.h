// The matrix of proximal_system.h over velocities,
//
//   M + Σᵢ κ H'ᵢ Jᵢ H'ᵢᵀ,   the sum over the blocks, H'ᵢ their columns of H',
//
// block by block: each adds a full matrix over what it moves, twelve rows where it joins two
// bodies. The places of entries are those of all blocks that have had a J since it was made: a
// contact that opens leaves zeros, so that one analysis serves many factorisations.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "solver/matrix/scaled_problem.h"

namespace talus::matrix {

class VelocityMatrix {
 public:
  // `form` must outlive it.
  explicit VelocityMatrix(const ScaledVelocities& form);

  // `derivatives`: J, by block. The reference is good until the next call.
  const SparseMatrix& Assemble(std::span<const Matrix6> derivatives, double kappa);

 private:
  // Rows one after the other, no more than a body has.
  struct Run {
    Eigen::Index row = 0;
    Eigen::Index size = 0;
    Matrix6 directions = Matrix6::Zero();  // H'ᵢ in these rows, zero in the rows beyond
  };
  struct Block {
    std::vector<Run> runs;
    bool has_places = false;
    std::vector<Eigen::Index> places;  // in matrix_, where each run begins in each of its columns
  };

  // The blocks with places that move the row of each column.
  struct Columns {
    std::vector<size_t> begin;
    std::vector<size_t> blocks;
  };

  Columns FindColumns() const;
  void MakePlaces();
  void FindPlaces(Block& block) const;
  // Adds what a block with this J gives.
  void Add(const Block& block, const Matrix6& derivative);

  const ScaledVelocities& form_;
  std::vector<Block> blocks_;
  SparseMatrix matrix_;
  std::vector<double> mass_;  // the values of M at the places of matrix_
};

}  // namespace talus::matrix
