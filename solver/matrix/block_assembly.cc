#include "solver/matrix/block_assembly.h"

#include <Eigen/LU>
#include <utility>
#include <vector>

namespace talus {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void AddTriplets(Eigen::Index row, Eigen::Index column, const Matrix6& block, Triplets& triplets) {
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) {
      if (block(i, j) == 0.0) continue;
      triplets.emplace_back(static_cast<int>(row) + i, static_cast<int>(column) + j, block(i, j));
    }
  }
}

// The sides of blocks that one body feels.
using BodySides = std::vector<std::pair<uint32_t, uint8_t>>;

std::vector<BodySides> SidesByBody(std::span<const ActingBlock> blocks, size_t body_count) {
  std::vector<BodySides> sides(body_count);
  for (size_t i = 0; i < blocks.size(); ++i) {
    for (uint8_t side = 0; side < 2; ++side) {
      if (blocks[i].bodies[side] == kNoBody) continue;
      sides[blocks[i].bodies[side]].emplace_back(static_cast<uint32_t>(i), side);
    }
  }
  return sides;
}

// What is put together body by body.
struct Assembly {
  std::vector<BlockMatrix::Entry> delassus;
  Triplets mass;
  Triplets directions;
  std::vector<Wrench> free_impulse;
};

void AddPrescribed(const BodySides& sides, std::span<const ActingBlock> blocks,
                   const Wrench& velocity, MatrixProblem& problem) {
  for (const auto& [i, side] : sides) {
    problem.velocities->offset.segment<6>(6 * i) +=
        blocks[i].directions[side].transpose() * velocity;
  }
}

void AddDynamic(const BodySides& sides, std::span<const ActingBlock> blocks, const ActedBody& body,
                Assembly& assembly) {
  const auto at = 6 * static_cast<Eigen::Index>(assembly.free_impulse.size());
  Matrix6 mass = Matrix6::Zero();
  mass.topLeftCorner<3, 3>().diagonal().setConstant(1.0 / body.inverse_mass(0, 0));
  mass.bottomRightCorner<3, 3>() = body.inverse_mass.bottomRightCorner<3, 3>().inverse();
  AddTriplets(at, at, mass, assembly.mass);
  assembly.free_impulse.push_back(mass * body.velocity);
  for (const auto& [i, side_i] : sides) {
    const Matrix6& own = blocks[i].directions[side_i];
    AddTriplets(at, 6 * static_cast<Eigen::Index>(i), own, assembly.directions);
    for (const auto& [j, side_j] : sides) {
      const Matrix6 response = body.inverse_mass * blocks[j].directions[side_j];
      assembly.delassus.push_back({i, j, own.transpose() * response});
    }
  }
}

SparseMatrix MakeSparse(Eigen::Index rows, Eigen::Index columns, const Triplets& triplets) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace

MatrixProblem AssembleMatrices(std::span<const ActingBlock> blocks,
                               std::span<const ActedBody> bodies) {
  MatrixProblem result;
  for (const ActingBlock& block : blocks) result.laws.push_back(block.law);
  result.compliance.resize(result.row_count());
  VelocityForm& form = result.velocities.emplace();
  form.offset.resize(result.row_count());
  for (size_t i = 0; i < blocks.size(); ++i) {
    result.compliance.segment<6>(6 * static_cast<Eigen::Index>(i)) = blocks[i].compliance;
    form.offset.segment<6>(6 * static_cast<Eigen::Index>(i)) = blocks[i].offset;
  }
  Assembly assembly;
  const std::vector<BodySides> sides = SidesByBody(blocks, bodies.size());
  Eigen::VectorXd free_velocity(6 * static_cast<Eigen::Index>(bodies.size()));
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].dynamic()) {
      AddPrescribed(sides[i], blocks, bodies[i].velocity, result);
      continue;
    }
    free_velocity.segment<6>(6 * static_cast<Eigen::Index>(assembly.free_impulse.size())) =
        bodies[i].velocity;
    AddDynamic(sides[i], blocks, bodies[i], assembly);
  }
  const auto size = 6 * static_cast<Eigen::Index>(assembly.free_impulse.size());
  form.mass = MakeSparse(size, size, assembly.mass);
  form.directions = MakeSparse(size, result.row_count(), assembly.directions);
  form.free_impulse.resize(size);
  for (size_t i = 0; i < assembly.free_impulse.size(); ++i) {
    form.free_impulse.segment<6>(6 * static_cast<Eigen::Index>(i)) = assembly.free_impulse[i];
  }
  result.free_rows = form.directions.transpose() * free_velocity.head(size) + form.offset;
  result.delassus = BlockMatrix(blocks.size(), std::move(assembly.delassus));
  return result;
}

}  // namespace talus
