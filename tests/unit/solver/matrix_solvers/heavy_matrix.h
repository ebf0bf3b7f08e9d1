// A sparse matrix whose diagonal outweighs what else its rows have, on either side of it.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/base/random.h"
#include "solver/matrix/matrix_problem.h"

namespace talus::matrix {

inline SparseMatrix HeavyMatrix(Eigen::Index size, uint64_t seed) {
  Random random(seed);
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < size; ++i) {
    triplets.emplace_back(i, i, 10.0);
    for (int k = 0; k < 5; ++k) {
      const auto j = static_cast<int>(random.Next() % static_cast<uint64_t>(size));
      triplets.emplace_back(i, j, random.Uniform(-1.0, 1.0));
    }
  }
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace talus::matrix
