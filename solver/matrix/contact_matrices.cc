#include "solver/matrix/contact_matrices.h"

#include <array>
#include <utility>

#include "solver/base/check.h"

namespace talus {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

// One contact, read back from its block.
struct ContactLane {
  std::array<uint32_t, 2> rows;
  std::array<Vec3, 2> arms;
  Mat3 axes;  // columns n, u, w
  double bias = 0.0;
  FrictionCone cone;
};

ContactLane ReadLane(const ContactProblem& problem, const BlockChunk& chunk, uint32_t index,
                     size_t lane) {
  const ContactBlock& block = problem.blocks[index];
  ContactLane contact;
  contact.rows = {block.line_a[lane] / kLineReals, block.line_b[lane] / kLineReals};
  const Vec3 n(block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]);
  const Vec3 u(block.tangent[0][lane], block.tangent[1][lane], block.tangent[2][lane]);
  contact.axes.col(0) = n;
  contact.axes.col(1) = u;
  contact.axes.col(2) = n.cross(u);
  contact.arms = {block.reach_a[lane] * n, block.reach_b[lane] * n};
  if (const WideBlock* const wide = FindWide(problem.wide.data(), chunk, index); wide != nullptr) {
    for (int k = 0; k < 3; ++k) {
      contact.arms[0][k] = wide->arm_a[k][lane];
      contact.arms[1][k] = wide->arm_b[k][lane];
    }
  }
  contact.bias = block.bias[lane];
  contact.cone = {.sliding = block.Friction(kSliding, lane),
                  .spinning = block.Friction(kSpinning, lane),
                  .rolling = block.Friction(kRolling, lane)};
  return contact;
}

std::vector<ContactLane> ReadLanes(const ContactProblem& problem) {
  size_t count = 0;
  for (const uint32_t contact : problem.layout.slot_contact) count += contact != kNoContact;
  std::vector<ContactLane> contacts(count);
  for (const BlockChunk& chunk : problem.layout.chunks) {
    for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
      for (size_t lane = 0; lane < problem.layout.CountContacts(index); ++lane) {
        contacts[problem.layout.slot_contact[index * kLanes + lane]] =
            ReadLane(problem, chunk, index, lane);
      }
    }
  }
  return contacts;
}

Mat3 CrossMatrix(const Vec3& v) {
  Mat3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

// D of one side: what the wrench impulse gives the body, (linear, angular) in world axes.
Matrix6 DirectionOf(const ContactLane& contact, size_t side) {
  const double sign = side == 0 ? -1.0 : 1.0;
  Matrix6 direction = Matrix6::Zero();
  direction.topLeftCorner<3, 3>() = sign * contact.axes;
  direction.bottomLeftCorner<3, 3>() = sign * CrossMatrix(contact.arms[side]) * contact.axes;
  direction.bottomRightCorner<3, 3>() = sign * contact.axes;
  return direction;
}

Matrix6 InverseMassOf(const ContactProblem& problem, std::span<const BodyMotion> motion,
                      uint32_t row) {
  Matrix6 inverse = Matrix6::Zero();
  inverse.diagonal().head<3>().setConstant(motion[row].inverse_mass);
  if (problem.inertia.empty()) {
    inverse.diagonal().tail<3>().setConstant(motion[row].inverse_inertia);
    return inverse;
  }
  const InertiaLine& line = problem.inertia[row];
  inverse.bottomRightCorner<3, 3>() << line.xx, line.xy, line.xz, line.xy, line.yy, line.yz,
      line.xz, line.yz, line.zz;
  return inverse;
}

Wrench VelocityOf(const BodyMotion& motion) {
  Wrench velocity;
  velocity.head<3>() = motion.Linear();
  velocity.tail<3>() = motion.Angular();
  return velocity;
}

void AddTriplets(Eigen::Index row, Eigen::Index column, const Matrix6& block, Triplets& triplets) {
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) {
      if (block(i, j) == 0.0) continue;
      triplets.emplace_back(static_cast<int>(row) + i, static_cast<int>(column) + j, block(i, j));
    }
  }
}

// The sides of contacts that one row of the problem feels.
using RowSides = std::vector<std::pair<uint32_t, uint8_t>>;

std::vector<RowSides> SidesByRow(std::span<const ContactLane> contacts, size_t row_count) {
  std::vector<RowSides> sides(row_count);
  for (size_t i = 0; i < contacts.size(); ++i) {
    for (uint8_t side = 0; side < 2; ++side) {
      sides[contacts[i].rows[side]].emplace_back(static_cast<uint32_t>(i), side);
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

void AddPrescribed(const RowSides& sides, std::span<const ContactLane> contacts,
                   const Wrench& velocity, MatrixProblem& problem) {
  for (const auto& [i, side] : sides) {
    problem.velocities->offset.segment<6>(6 * i) +=
        DirectionOf(contacts[i], side).transpose() * velocity;
  }
}

void AddDynamic(const RowSides& sides, std::span<const ContactLane> contacts,
                const Matrix6& inverse_mass, const Wrench& velocity, Assembly& assembly) {
  const auto at = 6 * static_cast<Eigen::Index>(assembly.free_impulse.size());
  Matrix6 mass = Matrix6::Zero();
  mass.topLeftCorner<3, 3>().diagonal().setConstant(1.0 / inverse_mass(0, 0));
  mass.bottomRightCorner<3, 3>() = inverse_mass.bottomRightCorner<3, 3>().inverse();
  AddTriplets(at, at, mass, assembly.mass);
  assembly.free_impulse.push_back(mass * velocity);
  for (const auto& [i, side_i] : sides) {
    const Matrix6 own = DirectionOf(contacts[i], side_i);
    AddTriplets(at, 6 * static_cast<Eigen::Index>(i), own, assembly.directions);
    for (const auto& [j, side_j] : sides) {
      const Matrix6 response = inverse_mass * DirectionOf(contacts[j], side_j);
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

MatrixProblem FormContactMatrices(const ContactProblem& problem,
                                  std::span<const BodyMotion> motion) {
  TALUS_CHECK(!problem.in_floats);
  const std::vector<ContactLane> contacts = ReadLanes(problem);
  MatrixProblem result;
  for (const ContactLane& contact : contacts) result.laws.push_back({.cone = contact.cone});
  result.compliance = Eigen::VectorXd::Zero(result.row_count());
  VelocityForm& form = result.velocities.emplace();
  form.offset = Eigen::VectorXd::Zero(result.row_count());
  for (size_t i = 0; i < contacts.size(); ++i) {
    form.offset[6 * static_cast<Eigen::Index>(i)] = contacts[i].bias;
  }
  Assembly assembly;
  const std::vector<RowSides> sides = SidesByRow(contacts, problem.rows.count());
  Eigen::VectorXd free_velocity(6 * static_cast<Eigen::Index>(sides.size()));
  for (size_t row = 0; row < sides.size(); ++row) {
    const Wrench velocity = VelocityOf(motion[row]);
    if (!motion[row].dynamic()) {
      AddPrescribed(sides[row], contacts, velocity, result);
      continue;
    }
    free_velocity.segment<6>(6 * static_cast<Eigen::Index>(assembly.free_impulse.size())) =
        velocity;
    AddDynamic(sides[row], contacts, InverseMassOf(problem, motion, static_cast<uint32_t>(row)),
               velocity, assembly);
  }
  const auto size = 6 * static_cast<Eigen::Index>(assembly.free_impulse.size());
  form.mass = MakeSparse(size, size, assembly.mass);
  form.directions = MakeSparse(size, result.row_count(), assembly.directions);
  form.free_impulse.resize(size);
  for (size_t i = 0; i < assembly.free_impulse.size(); ++i) {
    form.free_impulse.segment<6>(6 * static_cast<Eigen::Index>(i)) = assembly.free_impulse[i];
  }
  result.free_rows = form.directions.transpose() * free_velocity.head(size) + form.offset;
  result.delassus = BlockMatrix(contacts.size(), std::move(assembly.delassus));
  return result;
}

}  // namespace talus
