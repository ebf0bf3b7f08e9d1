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
    size_t first_run = 0;  // in runs_
    size_t run_count = 0;
    bool has_places = false;
    size_t first_place = 0;  // in places_
  };

  // The blocks with places that move the row of each column.
  struct Columns {
    std::vector<size_t> begin;
    std::vector<size_t> blocks;
  };

  std::span<const Run> Runs(const Block& block) const {
    return std::span(runs_).subspan(block.first_run, block.run_count);
  }
  void AddRuns(Eigen::Index first_column, std::vector<Eigen::Index>& rows, Block& block);
  Columns FindColumns() const;
  void MakePlaces();
  void FindPlaces(Block& block);
  // Adds what a block with this J gives.
  void Add(const Block& block, const Matrix6& derivative);

  const ScaledVelocities& form_;
  std::vector<Block> blocks_;
  std::vector<Run> runs_;
  std::vector<Eigen::Index> places_;  // in matrix_, where each run begins in each of its columns
  SparseMatrix matrix_;
  std::vector<double> mass_;  // the values of M at the places of matrix_
};

}  // namespace talus::matrix
