#include "server/wire/transition_codec.h"

#include <string>

#include "server/wire/geometry_codec.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::wire {
namespace {

absl::StatusOr<Mat3> DecodeMatrix(const google::protobuf::RepeatedField<double>& values,
                                  const std::string& field) {
  if (values.empty()) return Mat3(Mat3::Zero());
  if (values.size() != 9) {
    return FieldError("size(" + field + ")", FormatValue(int64_t{values.size()}), "must be 0 or 9");
  }
  return Mat3(Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(values.data()));
}

v1::ContactPairState EncodeState(ContactPairState state) {
  switch (state) {
    case ContactPairState::kRollRoll:
      return v1::CONTACT_PAIR_STATE_ROLL_ROLL;
    case ContactPairState::kRollSlip:
      return v1::CONTACT_PAIR_STATE_ROLL_SLIP;
    case ContactPairState::kSlipRoll:
      return v1::CONTACT_PAIR_STATE_SLIP_ROLL;
    case ContactPairState::kSlipSlip:
      return v1::CONTACT_PAIR_STATE_SLIP_SLIP;
  }
  return v1::CONTACT_PAIR_STATE_UNSPECIFIED;
}

void EncodeMotion(const PairMotion& motion, v1::PairMotion& message) {
  message.set_state(EncodeState(motion.state));
  EncodeVector(motion.acceleration_world_m_s2, *message.mutable_acceleration_world_m_s2());
  EncodeVector(motion.angular_acceleration_world_rad_s2,
               *message.mutable_angular_acceleration_world_rad_s2());
  for (size_t i = 0; i < 2; ++i) {
    EncodeVector(motion.contact_forces_world_n[i], *message.add_contact_forces_world_n());
    EncodeVector(motion.slip_accelerations_world_m_s2[i],
                 *message.add_slip_accelerations_world_m_s2());
  }
  message.set_growth(motion.growth);
}

}  // namespace

absl::StatusOr<TwoPointBody> DecodeTwoPointBody(
    const v1::AnalyzeRollingTransitionRequest& request) {
  TwoPointBody body;
  body.mass_kg = request.mass_kg();
  TALUS_ASSIGN_OR_RETURN(body.inertia_world_kg_m2,
                         DecodeMatrix(request.inertia_world_kg_m2(), "inertia_world_kg_m2"));
  body.force_world_n = DecodeVector(request.force_world_n());
  body.torque_world_n_m = DecodeVector(request.torque_world_n_m());
  body.velocity_world_m_s = DecodeVector(request.velocity_world_m_s());
  body.angular_velocity_world_rad_s = DecodeVector(request.angular_velocity_world_rad_s());
  if (request.contacts_size() != 2) {
    return FieldError("size(contacts)", FormatValue(int64_t{request.contacts_size()}), "must be 2");
  }
  for (int i = 0; i < 2; ++i) {
    const v1::RollingContact& message = request.contacts(i);
    TwoPointContact& contact = body.contacts[static_cast<size_t>(i)];
    contact.arm_world_m = DecodeVector(message.arm_world_m());
    contact.normal_world = DecodeVector(message.normal_world());
    contact.sliding_friction = message.sliding_friction();
    TALUS_ASSIGN_OR_RETURN(
        contact.rolling_radius_world_m,
        DecodeMatrix(message.rolling_radius_world_m(),
                     "contacts[" + std::to_string(i) + "].rolling_radius_world_m"));
    contact.surface_velocity_world_m_s = DecodeVector(message.surface_velocity_world_m_s());
    contact.surface_acceleration_world_m_s2 =
        DecodeVector(message.surface_acceleration_world_m_s2());
    contact.surface_angular_velocity_world_rad_s =
        DecodeVector(message.surface_angular_velocity_world_rad_s());
  }
  return body;
}

void EncodeTransition(const RollingTransition& transition,
                      v1::AnalyzeRollingTransitionResponse& response) {
  for (size_t state = 0; state < kContactPairStates; ++state) {
    if (!transition.realizable[state]) continue;
    response.add_realizable_states(EncodeState(static_cast<ContactPairState>(state)));
  }
  for (const PairMotion& motion : transition.motions) EncodeMotion(motion, *response.add_motions());
  for (const LimitDirection& direction : transition.limit_directions) {
    v1::LimitDirection& message = *response.add_limit_directions();
    for (const double angle : direction.angles_rad) message.add_angles_rad(angle);
    EncodeMotion(direction.motion, *message.mutable_motion());
    message.set_repelling(direction.repelling);
    message.set_attracting(direction.attracting);
  }
  response.set_rolling_statically_possible(transition.rolling_statically_possible);
  response.set_least_line_force_n(transition.least_line_force_n);
  response.set_largest_line_force_n(transition.largest_line_force_n);
  response.set_normal_forces_unique(transition.normal_forces_unique);
}

}  // namespace talus::wire
