#include "solver/analysis/pair_dynamics.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "solver/base/field_error.h"

namespace talus {
namespace {

// Of the accelerations that the rate of the distance is a difference of; ten times what
// ValidateTwoPointBody lets the slip velocities be off by.
constexpr double kPartingTolerance = 1e-5;
// Of the accelerations that r is a difference of: what is smaller is their rounding.
constexpr double kRounding = 1e-14;

Mat3 SlipFrame(const Vec3& normal, const Vec3& line) {
  Mat3 frame;
  frame.col(0) = normal.normalized();
  frame.col(1) = line.cross(frame.col(0)).normalized();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

// What rolling alone does to the slip velocity's rate: u = ẋ + ω × r − w with ẋ + ω × r = w gives,
// with the contact point running over the surface at s = C ((ω − Ω) × n),
//   u̇ = v̇ + ω̇ × r + ω × (ω × r) + (ω − Ω) × s − a_surface.
Vec3 RollingTerm(const Vec3& spin, const TwoPointContact& contact) {
  const Vec3 relative = spin - contact.surface_angular_velocity_world_rad_s;
  const Vec3 run = contact.rolling_radius_world_m * relative.cross(contact.normal_world);
  return spin.cross(spin.cross(contact.arm_world_m)) + relative.cross(run) -
         contact.surface_acceleration_world_m_s2;
}

// From W and a to the rows with normal ones eliminated.
void EliminateNormals(PairDynamics& pair) {
  const Eigen::Matrix2d inverse = pair.mobility(kNormalRows, kNormalRows).inverse();
  const Eigen::Matrix<double, 4, 2> carried = pair.mobility(kSlipRows, kNormalRows);
  const Eigen::Vector2d normal_forces = -inverse * pair.free_rows(kNormalRows);
  pair.free_normal_forces = normal_forces;
  pair.normal_response = -inverse * pair.mobility(kNormalRows, kSlipRows);
  const double rounding =
      kRounding * (pair.free_rows.cwiseAbs().maxCoeff() +
                   pair.mobility.cwiseAbs().maxCoeff() * normal_forces.cwiseAbs().maxCoeff());
  const Eigen::Matrix4d slips =
      pair.mobility(kSlipRows, kSlipRows) + carried * pair.normal_response;
  pair.mobility(kSlipRows, kNormalRows).setZero();
  pair.mobility(kSlipRows, kSlipRows) = slips;

  Eigen::Vector4d free = pair.free_rows(kSlipRows) + carried * normal_forces;
  // Rigidity lets no slip velocities part the points.
  const Eigen::Vector4d line = pair.line_force(kSlipRows).normalized();
  free -= line.dot(free) * line;
  pair.free_rows(kSlipRows) = (free.array().abs() > rounding).select(free, 0.0);
  for (int i = 0; i < 2; ++i) {
    double& scale = pair.slip_scales[i];
    scale = pair.free_rows.segment<2>(3 * i + 1).norm();
    for (int by = 0; by < 2; ++by) {
      scale +=
          slips.block<2, 2>(2 * i, 2 * by).norm() * pair.friction[by] * std::abs(normal_forces(by));
    }
  }
}

}  // namespace

Vec3 PairDynamics::SlipForce(int contact, double angle) const {
  const double mu = friction[contact];
  return Vec3(1.0, -mu * std::cos(angle), -mu * std::sin(angle));
}

PairMotion PairDynamics::Motion(ContactPairState state, const PairRows& forces) const {
  const bool slips[2] = {
      state == ContactPairState::kSlipRoll || state == ContactPairState::kSlipSlip,
      state == ContactPairState::kRollSlip || state == ContactPairState::kSlipSlip};
  PairMotion motion;
  motion.state = state;
  const PairRows rows = free_rows + mobility * forces;
  motion.acceleration_world_m_s2 = free_acceleration;
  motion.angular_acceleration_world_rad_s2 = free_angular_acceleration;
  for (int i = 0; i < 2; ++i) {
    const Vec3 force = frames[i] * forces.segment<3>(3 * i);
    motion.contact_forces_world_n[i] = force;
    motion.acceleration_world_m_s2 += inverse_mass * force;
    motion.angular_acceleration_world_rad_s2 += inverse_inertia * arms[i].cross(force);
    if (slips[i]) {
      motion.slip_accelerations_world_m_s2[i] =
          frames[i].rightCols<2>() * rows.segment<2>(3 * i + 1);
    }
  }
  return motion;
}

absl::StatusOr<PairDynamics> AssemblePairDynamics(const TwoPointBody& body) {
  PairDynamics pair;
  const Vec3 apart = body.contacts[0].arm_world_m - body.contacts[1].arm_world_m;
  const Vec3 line = apart.normalized();
  const Vec3& spin = body.angular_velocity_world_rad_s;
  pair.inverse_mass = 1.0 / body.mass_kg;
  pair.inverse_inertia = body.inertia_world_kg_m2.inverse();
  pair.free_acceleration = pair.inverse_mass * body.force_world_n;
  pair.free_angular_acceleration =
      pair.inverse_inertia * (body.torque_world_n_m - spin.cross(body.inertia_world_kg_m2 * spin));

  Vec3 rolling_terms[2];
  for (int i = 0; i < 2; ++i) rolling_terms[i] = RollingTerm(spin, body.contacts[i]);
  // Rigidity: ω̇ drops out of the rate at which the points part, and so do forces.
  const double parting = (rolling_terms[0] - rolling_terms[1]).dot(line);
  const double size =
      rolling_terms[0].norm() + rolling_terms[1].norm() + spin.squaredNorm() * apart.norm();
  if (std::abs(parting) > kPartingTolerance * size) {
    return FieldError("the rate at which the surfaces part the contact points, in m/s2,",
                      FormatValue(parting), "must be 0");
  }
  // What is left of it is rounding of the given velocities, and would be slipping that no force
  // stops.
  rolling_terms[0] -= 0.5 * parting * line;
  rolling_terms[1] += 0.5 * parting * line;

  // Columns are the contact rows: what a unit force moves, and what it turns.
  Eigen::Matrix<double, 3, 6> moving;
  Eigen::Matrix<double, 3, 6> turning;
  for (int i = 0; i < 2; ++i) {
    pair.frames[i] = SlipFrame(body.contacts[i].normal_world, line);
    pair.arms[i] = body.contacts[i].arm_world_m;
    pair.friction[i] = body.contacts[i].sliding_friction;
    const Vec3 free_point = pair.free_acceleration +
                            pair.free_angular_acceleration.cross(pair.arms[i]) + rolling_terms[i];
    pair.scale = std::max(pair.scale, free_point.norm());
    pair.free_rows.segment<3>(3 * i) = pair.frames[i].transpose() * free_point;
    pair.line_force.segment<3>(3 * i) = pair.frames[i].transpose() * (i == 0 ? -line : line);
    for (int row = 0; row < 3; ++row) {
      moving.col(3 * i + row) = pair.frames[i].col(row);
      turning.col(3 * i + row) = pair.arms[i].cross(pair.frames[i].col(row));
    }
  }
  pair.mobility = pair.inverse_mass * moving.transpose() * moving +
                  turning.transpose() * pair.inverse_inertia * turning;
  EliminateNormals(pair);
  return pair;
}

}  // namespace talus
