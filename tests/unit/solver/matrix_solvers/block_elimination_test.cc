#include "solver/matrix_solvers/block_elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "solver/base/random.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kBlockEliminationSeed = 41;

// So many blocks of six rows, each with a number on its diagonal, and one number for each pair.
SparseMatrix Joined(int blocks, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int row = 0; row < 6 * blocks; ++row) triplets.emplace_back(row, row, 1.0);
  for (const auto& [row, column] : pairs) triplets.emplace_back(6 * row + 2, 6 * column + 5, 1.0);
  SparseMatrix matrix(6 * blocks, 6 * blocks);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

std::vector<std::pair<int, int>> Chain(int blocks) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i + 1 < blocks; ++i) pairs.emplace_back(i, i + 1);
  return pairs;
}

TEST(BlockElimination, HasAPlaceForAllThatIsEverThere) {
  Random random(kBlockEliminationSeed);
  for (const int blocks : {1, 2, 7, 40, 200}) {
    SCOPED_TRACE(blocks);
    std::vector<std::pair<int, int>> pairs;
    for (int k = 0; k < 3 * blocks; ++k) {
      const auto count = static_cast<uint64_t>(blocks);
      pairs.emplace_back(random.Next() % count, random.Next() % count);
    }
    const BlockElimination elimination(Joined(blocks, pairs));
    ASSERT_EQ(elimination.step_count(), static_cast<size_t>(blocks));
    std::set<int32_t> steps;
    for (size_t block = 0; block < elimination.step_count(); ++block) {
      steps.insert(elimination.StepOf(block));
    }
    EXPECT_EQ(steps.size(), elimination.step_count());
    EXPECT_EQ(*steps.begin(), 0);
    EXPECT_EQ(*steps.rbegin(), blocks - 1);
    std::set<std::pair<int32_t, int32_t>> places;
    for (size_t step = 0; step < elimination.step_count(); ++step) {
      int32_t before = static_cast<int32_t>(step);
      for (const int32_t later : elimination.LaterSteps(step)) {
        EXPECT_GT(later, before);
        before = later;
        EXPECT_EQ(elimination.PlaceOf(step, later), places.size());
        places.emplace(static_cast<int32_t>(step), later);
      }
    }
    EXPECT_EQ(elimination.place_count(), places.size());
    for (const auto& [row, column] : pairs) {
      if (row == column) continue;
      const auto [first, last] = std::minmax({elimination.StepOf(static_cast<size_t>(row)),
                                              elimination.StepOf(static_cast<size_t>(column))});
      EXPECT_TRUE(places.contains({first, last}));
    }
    // A step changes what joins any two of its later ones.
    for (size_t step = 0; step < elimination.step_count(); ++step) {
      const std::span<const int32_t> later = elimination.LaterSteps(step);
      for (size_t p = 0; p < later.size(); ++p) {
        for (size_t q = p + 1; q < later.size(); ++q) {
          EXPECT_TRUE(places.contains({later[p], later[q]}));
        }
      }
    }
  }
}

TEST(BlockElimination, LeavesNothingBehindInATree) {
  EXPECT_EQ(BlockElimination(Joined(50, Chain(50))).place_count(), 49u);
  // The middle of a star first would join all others.
  std::vector<std::pair<int, int>> star;
  for (int i = 1; i < 50; ++i) star.emplace_back(0, i);
  EXPECT_EQ(BlockElimination(Joined(50, star)).place_count(), 49u);
}

TEST(BlockElimination, CountsOperations) {
  EXPECT_DOUBLE_EQ(BlockElimination(Joined(1, {})).operation_count(), 144.0);
  // Two triangular solves and one product more.
  EXPECT_DOUBLE_EQ(BlockElimination(Joined(2, {{1, 0}})).operation_count(), 144.0 * 2 + 864.0);
  // A full matrix: two thirds of its rows cubed, and less in proportion the larger it is.
  std::vector<std::pair<int, int>> all;
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < i; ++j) all.emplace_back(i, j);
  }
  EXPECT_NEAR(BlockElimination(Joined(60, all)).operation_count() / (360.0 * 360.0 * 360.0 / 1.5),
              1.0, 0.05);
}

TEST(BlockElimination, TakesALastBlockOfFewerRows) {
  SparseMatrix matrix(8, 8);
  matrix.setIdentity();
  EXPECT_EQ(BlockElimination(matrix).step_count(), 2u);
  EXPECT_EQ(BlockElimination(SparseMatrix(0, 0)).step_count(), 0u);
}

}  // namespace
}  // namespace talus::matrix
