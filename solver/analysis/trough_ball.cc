#include "solver/analysis/trough_ball.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"

namespace talus {
namespace {

absl::Status CheckBetween(const char* field, double value, double low, double high) {
  if (std::isfinite(value) && value >= low && value <= high) return absl::OkStatus();
  return FieldError(field, FormatValue(value),
                    "must lie within " + FormatValue(low) + " to " + FormatValue(high));
}

double Square(double x) { return x * x; }
double RootOrZero(double x) { return std::sqrt(std::max(x, 0.0)); }

// Whether one point may roll while the other slips, 0 ≤ or 0 ≥ m_z alike: `slipping` and `rolling`
// are A and B or B and A, `normal` the normal force where it slips.
bool SlipsAtOne(double mu, double j, double slipping, double rolling, double normal, double m_z) {
  const double excess = std::abs(slipping) - mu * normal;
  if (!(excess > 0.0)) return false;
  // What of the demand the slipping point leaves turns the ball instead, j / (1 + j) of it in
  // favour of the other point's friction.
  const double carried = rolling - std::copysign(j / (1.0 + j) * excess, slipping);
  return Square(carried) + Square(m_z) <= Square(mu);
}

}  // namespace

absl::Status ValidateTroughBall(const TroughBall& ball) {
  TALUS_RETURN_IF_ERROR(CheckBetween("mass_kg", ball.mass_kg, kMinMassKg, kMaxMassKg));
  TALUS_RETURN_IF_ERROR(CheckBetween("radius_m", ball.radius_m, kMinSizeM, kMaxSizeM));
  TALUS_RETURN_IF_ERROR(CheckBetween("gravity_m_s2", ball.gravity_m_s2, 1.0 / kMaxAccelerationMS2,
                                     kMaxAccelerationMS2));
  TALUS_RETURN_IF_ERROR(CheckBetween("sliding_friction", ball.sliding_friction, kMinTroughFriction,
                                     kMaxTroughFriction));
  if (!(ball.inertia_ratio > 0.0)) {
    return FieldError("inertia_ratio", FormatValue(ball.inertia_ratio), "must be > 0");
  }
  return CheckBetween("inertia_ratio", ball.inertia_ratio, 0.0, 2.0 / 3.0);
}

TwoPointBody MakeTroughBody(const TroughBall& ball, const Vec3& load) {
  const double wall_load = ball.mass_kg * ball.gravity_m_s2 / std::numbers::sqrt2;
  const Vec3 normals[2] = {Vec3::UnitY(), Vec3::UnitX()};
  TwoPointBody body;
  body.mass_kg = ball.mass_kg;
  body.inertia_world_kg_m2 =
      ball.inertia_ratio * ball.mass_kg * Square(ball.radius_m) * Mat3::Identity();
  body.force_world_n = Vec3(-wall_load, -wall_load, 0.0);
  body.torque_world_n_m = wall_load * ball.radius_m * load;
  for (size_t i = 0; i < 2; ++i) {
    TwoPointContact& contact = body.contacts[i];
    contact.arm_world_m = -ball.radius_m * normals[i];
    contact.normal_world = normals[i];
    contact.sliding_friction = ball.sliding_friction;
    contact.rolling_radius_world_m =
        ball.radius_m * (Mat3::Identity() - normals[i] * normals[i].transpose());
  }
  return body;
}

TroughDemand FindTroughDemand(double j, const Vec3& load) {
  const double whole = 1.0 + 2.0 * j;
  return {((1.0 + j) * load.x() + j * load.y()) / whole,
          ((1.0 + j) * load.y() + j * load.x()) / whole};
}

Vec3 FindTroughLoad(double j, const TroughDemand& demand, double m_z) {
  return Vec3((1.0 + j) * demand.first - j * demand.second,
              (1.0 + j) * demand.second - j * demand.first, m_z);
}

double FindRollingAcceleration(const TroughBall& ball, const Vec3& load) {
  return ball.gravity_m_s2 / std::numbers::sqrt2 * (load.x() - load.y()) /
         (1.0 + 2.0 * ball.inertia_ratio);
}

double SlipSlipSurface(double mu, const TroughDemand& demand, double m_z) {
  const double stretch = 1.0 + Square(mu);
  const double q = (Square(demand.first) - Square(demand.second) + 2.0 * Square(mu) * m_z -
                    stretch * Square(m_z)) /
                   (2.0 * stretch * m_z);
  return Square(demand.first) + Square(q) - Square(mu * (1.0 - q - m_z));
}

TroughDemand FindSlipSlipPoint(double mu, double m_z, double q) {
  return {RootOrZero(Square(mu * (1.0 - q - m_z)) - Square(q)),
          RootOrZero(Square(mu * (1.0 - q)) - Square(q + m_z))};
}

double FindPlaneCrossing(double mu, double m_z) {
  return -2.0 * Square(mu) * (1.0 - m_z) / (1.0 - Square(mu));
}

TroughOutline FindTroughOutline(double mu, double m_z, TroughBody body) {
  const TroughMarks marks = FindTroughMarks(mu, 1.0);
  TroughOutline outline;
  if (body == TroughBody::kAllFaces && m_z <= marks.m_z1) {
    // The SS face is beyond the edge of the planes.
    outline.top = outline.side = {mu * (1.0 - m_z), mu * (1.0 + m_z)};
    return outline;
  }
  if (m_z >= marks.m_z3) {
    outline.q_start = outline.q_end = (mu - m_z) / (1.0 + mu);
    return outline;
  }
  // The curve begins at the RS plane, or where A = 0.
  if (m_z < mu) {
    outline.q_start = -m_z;
    outline.top = {RootOrZero(Square(mu) - Square(m_z)), mu * (1.0 + m_z)};
  } else {
    outline.q_start = -mu * (1.0 - m_z) / (1.0 - mu);
    outline.top = {0.0, FindSlipSlipPoint(mu, m_z, outline.q_start).second};
  }
  // It ends at the SR plane, or where B = 0. It meets the plane twice: at q = 0, where the point
  // that rolls comes to its cone, and beyond the bulge.
  const bool all_faces = body == TroughBody::kAllFaces;
  if (m_z < (all_faces ? marks.m_z2 : mu)) {
    outline.q_end = all_faces ? FindPlaneCrossing(mu, m_z) : 0.0;
    outline.side = {mu * (1.0 - m_z), FindSlipSlipPoint(mu, m_z, outline.q_end).second};
  } else {
    outline.q_end = (mu - m_z) / (1.0 + mu);
    outline.side = {FindSlipSlipPoint(mu, m_z, outline.q_end).first, 0.0};
  }
  return outline;
}

TroughMarks FindTroughMarks(double mu, double gravity_m_s2) {
  TroughMarks marks;
  const double square = Square(mu);
  marks.m_z1 = 2.0 * square / (1.0 + square);
  marks.m_z2 = (square + mu) / (2.0 * square - mu + 1.0);
  marks.m_z3 = 2.0 * mu / (1.0 + square);
  marks.edge_acceleration_m_s2 = std::numbers::sqrt2 * mu * gravity_m_s2;
  marks.largest_acceleration_m_s2 =
      mu * (1.0 + std::sqrt(1.0 + square)) * gravity_m_s2 / std::numbers::sqrt2;
  return marks;
}

ContactPairState ClassifyTroughLoad(const TroughBall& ball, const Vec3& load) {
  const double mu = ball.sliding_friction;
  const double j = ball.inertia_ratio;
  const double m_z = load.z();
  const TroughDemand demand = FindTroughDemand(j, load);
  if (SlipsAtOne(mu, j, demand.second, demand.first, 1.0 + m_z, m_z)) {
    return ContactPairState::kRollSlip;
  }
  if (SlipsAtOne(mu, j, demand.first, demand.second, 1.0 - m_z, m_z)) {
    return ContactPairState::kSlipRoll;
  }
  // Neither: rolling at both, unless the load is beyond the outline.
  TroughDemand place = {std::abs(demand.first), std::abs(demand.second)};
  if (m_z < 0.0) std::swap(place.first, place.second);
  const double height = std::abs(m_z);
  if (height >= FindTroughMarks(mu, 1.0).m_z3) return ContactPairState::kSlipSlip;
  const TroughOutline outline = FindTroughOutline(mu, height, TroughBody::kLimitDirections);
  double reach = 0.0;  // the largest A inside at this B
  if (place.second <= outline.side.second) {
    reach = outline.side.first;
  } else if (place.second <= outline.top.second) {
    // B falls with q all along the curve.
    double above = outline.q_start;
    double below = outline.q_end;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (above + below);
      (FindSlipSlipPoint(mu, height, middle).second > place.second ? above : below) = middle;
    }
    reach = FindSlipSlipPoint(mu, height, above).first;
  } else {
    return ContactPairState::kSlipSlip;
  }
  return place.first <= reach ? ContactPairState::kRollRoll : ContactPairState::kSlipSlip;
}

}  // namespace talus
