#include "solver/analysis/two_point_body.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr double kMaxGyrationRatio = 1e4;  // radius of gyration over arm, or the inverse
constexpr double kMinLineAngle = 1e-6;     // sine between a normal and the line
constexpr double kSlipTolerance = 1e-6;    // slip speed over the speeds it is a difference of
constexpr double kTensorTolerance = 1e-9;  // of what must be symmetric or zero, relative

std::string Text(const Vec3& v) {
  return absl::StrCat("(", FormatValue(v.x()), ", ", FormatValue(v.y()), ", ", FormatValue(v.z()),
                      ")");
}

std::string Component(const std::string& field, int row, int column) {
  return absl::StrCat(field, "[", row, "][", column, "]");
}

absl::Status CheckVector(const std::string& field, const Vec3& value, double limit) {
  if (IsFinite(value) && value.cwiseAbs().maxCoeff() <= limit) return absl::OkStatus();
  return FieldError(
      field, Text(value),
      "must be finite, each component within " + FormatValue(-limit) + " to " + FormatValue(limit));
}

absl::Status CheckNumber(const std::string& field, double value, double low, double high) {
  if (std::isfinite(value) && value >= low && value <= high) return absl::OkStatus();
  return FieldError(field, FormatValue(value),
                    "must lie within " + FormatValue(low) + " to " + FormatValue(high));
}

absl::Status CheckSymmetric(const std::string& field, const Mat3& value, double limit) {
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      TALUS_RETURN_IF_ERROR(
          CheckNumber(Component(field, row, column), value(row, column), -limit, limit));
    }
  }
  const double slack = kTensorTolerance * value.cwiseAbs().maxCoeff();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < row; ++column) {
      if (std::abs(value(row, column) - value(column, row)) > slack) {
        return FieldError(
            Component(field, row, column), FormatValue(value(row, column)),
            "must equal its mirror image across the diagonal, " + FormatValue(value(column, row)));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckContact(const std::string& field, const TwoPointContact& contact) {
  TALUS_RETURN_IF_ERROR(CheckVector(field + ".arm_world_m", contact.arm_world_m, kMaxSizeM));
  const double norm = contact.normal_world.norm();
  if (!(std::abs(norm - 1.0) <= kUnitTolerance)) {
    return FieldError(field + ".normal_world", Text(contact.normal_world), "must be a unit vector");
  }
  TALUS_RETURN_IF_ERROR(
      CheckNumber(field + ".sliding_friction", contact.sliding_friction, 0.0, kMaxFriction));
  const std::string radius = field + ".rolling_radius_world_m";
  TALUS_RETURN_IF_ERROR(CheckSymmetric(radius, contact.rolling_radius_world_m, kMaxSizeM));
  const Vec3 along_normal = contact.rolling_radius_world_m * contact.normal_world;
  if (along_normal.cwiseAbs().maxCoeff() >
      kUnitTolerance * contact.rolling_radius_world_m.cwiseAbs().maxCoeff()) {
    return FieldError(radius + " * normal_world", Text(along_normal), "must be 0");
  }
  TALUS_RETURN_IF_ERROR(CheckVector(field + ".surface_velocity_world_m_s",
                                    contact.surface_velocity_world_m_s, kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(CheckVector(field + ".surface_acceleration_world_m_s2",
                                    contact.surface_acceleration_world_m_s2, kMaxAccelerationMS2));
  return CheckVector(field + ".surface_angular_velocity_world_rad_s",
                     contact.surface_angular_velocity_world_rad_s, kMaxAngularSpeedRadS);
}

absl::Status CheckInertia(const TwoPointBody& body) {
  const std::string field = "inertia_world_kg_m2";
  TALUS_RETURN_IF_ERROR(
      CheckSymmetric(field, body.inertia_world_kg_m2, body.mass_kg * kMaxSizeM * kMaxSizeM));
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(body.inertia_world_kg_m2,
                                                   Eigen::EigenvaluesOnly);
  const Vec3 principal = solver.eigenvalues();  // ascending
  const double arm =
      std::max(body.contacts[0].arm_world_m.norm(), body.contacts[1].arm_world_m.norm());
  const double low = body.mass_kg * arm * arm / (kMaxGyrationRatio * kMaxGyrationRatio);
  const double high = body.mass_kg * arm * arm * (kMaxGyrationRatio * kMaxGyrationRatio);
  for (int axis = 0; axis < 3; ++axis) {
    TALUS_RETURN_IF_ERROR(CheckNumber("principal moment " + std::to_string(axis) + " of " + field,
                                      principal(axis), low, high));
  }
  if (principal(2) > (principal(0) + principal(1)) * (1.0 + kTensorTolerance)) {
    return FieldError(
        "principal moment 2 of " + field, FormatValue(principal(2)),
        "must be at most the sum of the others, " + FormatValue(principal(0) + principal(1)));
  }
  return absl::OkStatus();
}

absl::Status CheckPair(const TwoPointBody& body) {
  const Vec3& first = body.contacts[0].arm_world_m;
  const Vec3& second = body.contacts[1].arm_world_m;
  const double arm = std::max(first.norm(), second.norm());
  if (!(arm >= kMinSizeM)) {
    return FieldError(
        "contacts[0].arm_world_m", Text(first),
        "and contacts[1].arm_world_m must not both be shorter than " + FormatValue(kMinSizeM));
  }
  const Vec3 apart = first - second;
  if (apart.norm() < kMinLineAngle * arm) {
    return FieldError("contacts[1].arm_world_m", Text(second),
                      "must differ from contacts[0].arm_world_m");
  }
  for (size_t i = 0; i < 2; ++i) {
    const Vec3& normal = body.contacts[i].normal_world;
    if (apart.normalized().cross(normal).norm() < kMinLineAngle) {
      return FieldError("contacts[" + std::to_string(i) + "].normal_world", Text(normal),
                        "must not lie along the line through both contact points");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRolls(const TwoPointBody& body) {
  const Vec3& spin = body.angular_velocity_world_rad_s;
  for (size_t i = 0; i < 2; ++i) {
    const TwoPointContact& contact = body.contacts[i];
    const Vec3 turn = spin.cross(contact.arm_world_m);
    const double slip =
        (body.velocity_world_m_s + turn - contact.surface_velocity_world_m_s).norm();
    const double speed =
        body.velocity_world_m_s.norm() + turn.norm() + contact.surface_velocity_world_m_s.norm();
    if (slip > kSlipTolerance * speed) {
      return FieldError("slip speed at contacts[" + std::to_string(i) + "]", FormatValue(slip),
                        "must be 0, within " + FormatValue(kSlipTolerance * speed));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateTwoPointBody(const TwoPointBody& body) {
  TALUS_RETURN_IF_ERROR(CheckNumber("mass_kg", body.mass_kg, kMinMassKg, kMaxMassKg));
  for (size_t i = 0; i < 2; ++i) {
    TALUS_RETURN_IF_ERROR(CheckContact("contacts[" + std::to_string(i) + "]", body.contacts[i]));
  }
  TALUS_RETURN_IF_ERROR(CheckPair(body));
  TALUS_RETURN_IF_ERROR(CheckInertia(body));
  TALUS_RETURN_IF_ERROR(CheckVector("force_world_n", body.force_world_n, kMaxLoad));
  TALUS_RETURN_IF_ERROR(CheckVector("torque_world_n_m", body.torque_world_n_m, kMaxLoad));
  TALUS_RETURN_IF_ERROR(CheckVector("velocity_world_m_s", body.velocity_world_m_s, kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(CheckVector("angular_velocity_world_rad_s",
                                    body.angular_velocity_world_rad_s, kMaxAngularSpeedRadS));
  return CheckRolls(body);
}

}  // namespace talus
