#include "solver/lcp/contact_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::lcp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// W + E.
SparseMatrix CompliantDelassus(const MatrixProblem& problem) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (size_t row = 0; row < problem.block_count(); ++row) {
    const std::span<const uint32_t> columns = problem.delassus.Columns(row);
    for (size_t k = 0; k < columns.size(); ++k) {
      const Matrix6& block = problem.delassus.Blocks(row)[k];
      for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) {
          triplets.emplace_back(static_cast<int>(6 * row) + i, static_cast<int>(6 * columns[k]) + j,
                                block(i, j));
        }
      }
    }
  }
  for (Eigen::Index i = 0; i < problem.row_count(); ++i) {
    triplets.emplace_back(i, i, problem.compliance[i]);
  }
  SparseMatrix matrix(problem.row_count(), problem.row_count());
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace

ContactMlcpBuilder::ContactMlcpBuilder(const MatrixProblem& problem) : problem_(problem) {}

int32_t ContactMlcpBuilder::AddImpulse(size_t block, const Wrench& direction, const Row& row) {
  const auto number = static_cast<int32_t>(rows_.size());
  rows_.push_back(row);
  blocks_.push_back(static_cast<uint32_t>(block));
  for (int k = 0; k < 6; ++k) {
    if (direction[k] == 0.0) continue;
    directions_.emplace_back(static_cast<int>(6 * block) + k, number, direction[k]);
  }
  if (row.compliance != 0.0) AddEntry(number, number, row.compliance);
  return number;
}

int32_t ContactMlcpBuilder::AddNormal(size_t block) {
  return AddImpulse(block, Wrench::Unit(0), {.lower = 0.0, .upper = kInfinity});
}

int32_t ContactMlcpBuilder::AddMultiplier(size_t block) {
  rows_.push_back({.lower = 0.0, .upper = kInfinity});
  blocks_.push_back(static_cast<uint32_t>(block));
  return static_cast<int32_t>(rows_.size()) - 1;
}

void ContactMlcpBuilder::AddBounds(size_t block) {
  const BlockLaw& law = problem_.laws[block];
  for (int k = 0; k < 6; ++k) {
    if (law.lower[k] == 0.0 && law.upper[k] == 0.0) continue;
    AddImpulse(block, Wrench::Unit(k), {.lower = law.lower[k], .upper = law.upper[k]});
  }
}

ContactMlcp ContactMlcpBuilder::Finish() const {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  ContactMlcp result;
  result.blocks = blocks_;
  result.directions.resize(problem_.row_count(), count);
  result.directions.setFromTriplets(directions_.begin(), directions_.end());
  SparseMatrix added(count, count);
  added.setFromTriplets(entries_.begin(), entries_.end());
  const SparseMatrix across = result.directions.transpose();
  Mlcp& mlcp = result.mlcp;
  mlcp.matrix = across * CompliantDelassus(problem_) * result.directions;
  mlcp.matrix += added;
  mlcp.offset = across * problem_.free_rows;
  mlcp.lower.resize(count);
  mlcp.upper.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Row& row = rows_[static_cast<size_t>(i)];
    mlcp.offset[i] += row.bias;
    mlcp.lower[i] = row.lower;
    mlcp.upper[i] = row.upper;
    mlcp.coupled_to.push_back(row.coupled_to);
  }
  return result;
}

ContactMlcpCertificate Certify(const ContactMlcp& contact, const Eigen::VectorXd& z) {
  const ScaledMlcp scaled = ScaleMlcp(contact.mlcp);
  const Eigen::VectorXd scaled_z = z.cwiseQuotient(scaled.steps);
  const Eigen::VectorXd violation = FindViolation(scaled.problem, scaled_z);
  // Squares, by block.
  std::vector<double> violations;
  std::vector<double> offsets;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const uint32_t block = contact.blocks[static_cast<size_t>(i)];
    violations.resize(std::max<size_t>(violations.size(), block + 1), 0.0);
    offsets.resize(violations.size(), 0.0);
    violations[block] += violation[i] * violation[i];
    offsets[block] += scaled.problem.offset[i] * scaled.problem.offset[i];
  }
  ContactMlcpCertificate certificate{.residual = ComputeResidual(scaled.problem, scaled_z)};
  if (violations.empty()) return certificate;
  const double worst = std::sqrt(*std::ranges::max_element(violations));
  const double driving = std::sqrt(*std::ranges::max_element(offsets));
  certificate.worst_block_residual = driving > 0.0 ? worst / driving : worst;
  return certificate;
}

std::vector<FrictionPart> FrictionParts(const FrictionCone& cone) {
  std::vector<FrictionPart> parts;
  for (const FrictionPart& part :
       {FrictionPart{1, 2, cone.sliding}, FrictionPart{3, 1, cone.spinning},
        FrictionPart{4, 2, cone.rolling}}) {
    if (part.coefficient > 0.0) parts.push_back(part);
  }
  return parts;
}

}  // namespace talus::lcp
