#include "solver/matrix/contact_matrices.h"

#include <array>

#include "solver/base/check.h"

namespace talus {
namespace {

// One contact, read back from its block.
struct ContactLane {
  std::array<uint32_t, 2> rows;
  std::array<Vec3, 2> arms;
  Mat3 axes;  // columns n, u, w
  Wrench bias = Wrench::Zero();
  Wrench compliance = Wrench::Zero();
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
  contact.bias[0] = block.bias[lane];
  if (!problem.compliance.empty()) {
    const ComplianceBlock& soft = problem.compliance[index];
    for (int row = 0; row < 6; ++row)
      contact.compliance[row] = soft.compliance[kPartOfRow[row]][lane];
    for (int row = 1; row < 6; ++row) contact.bias[row] = soft.bias[row - 1][lane];
  }
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

ActingBlock BlockOf(const ContactLane& contact) {
  ActingBlock block;
  block.law.cone = contact.cone;
  block.bodies = contact.rows;
  block.directions = {DirectionOf(contact, 0), DirectionOf(contact, 1)};
  block.offset = contact.bias;
  block.compliance = contact.compliance;
  return block;
}

}  // namespace

std::vector<ActingBlock> FormContactBlocks(const ContactProblem& problem) {
  TALUS_CHECK(!problem.in_floats);
  std::vector<ActingBlock> blocks;
  for (const ContactLane& contact : ReadLanes(problem)) blocks.push_back(BlockOf(contact));
  return blocks;
}

std::vector<ActedBody> FormContactBodies(const ContactProblem& problem,
                                         std::span<const BodyMotion> motion) {
  std::vector<ActedBody> bodies(problem.rows.count());
  for (size_t row = 0; row < bodies.size(); ++row) {
    bodies[row].velocity.head<3>() = motion[row].Linear();
    bodies[row].velocity.tail<3>() = motion[row].Angular();
    if (!motion[row].dynamic()) continue;
    bodies[row].inverse_mass = InverseMassOf(problem, motion, static_cast<uint32_t>(row));
  }
  return bodies;
}

uint64_t CountDelassusBlocks(const ContactProblem& problem, std::span<const BodyMotion> motion) {
  DelassusCount count(problem.rows.count());
  for (size_t index = 0; index < problem.layout.block_count(); ++index) {
    for (size_t lane = 0; lane < problem.layout.CountContacts(index); ++lane) {
      for (const auto* line : {&problem.blocks[index].line_a, &problem.blocks[index].line_b}) {
        const uint32_t row = (*line)[lane] / kLineReals;
        if (motion[row].dynamic()) count.Add(row);
      }
    }
  }
  return count.total();
}

MatrixProblem FormContactMatrices(const ContactProblem& problem,
                                  std::span<const BodyMotion> motion) {
  return AssembleMatrices(FormContactBlocks(problem), FormContactBodies(problem, motion));
}

}  // namespace talus
