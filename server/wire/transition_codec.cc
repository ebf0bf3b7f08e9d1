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

v1::RollingExit EncodeExit(RollingExit exit) {
  switch (exit) {
    case RollingExit::kNone:
      return v1::ROLLING_EXIT_NONE;
    case RollingExit::kRollSlip:
      return v1::ROLLING_EXIT_ROLL_SLIP;
    case RollingExit::kSlipRoll:
      return v1::ROLLING_EXIT_SLIP_ROLL;
    case RollingExit::kSlipSlip:
      return v1::ROLLING_EXIT_SLIP_SLIP;
    case RollingExit::kOpening:
      return v1::ROLLING_EXIT_OPENING;
  }
  return v1::ROLLING_EXIT_UNSPECIFIED;
}

// Of the ball in the trough, whose surface has no other exits.
v1::ContactPairState EncodeState(RollingExit exit) {
  return exit == RollingExit::kRollSlip   ? v1::CONTACT_PAIR_STATE_ROLL_SLIP
         : exit == RollingExit::kSlipRoll ? v1::CONTACT_PAIR_STATE_SLIP_ROLL
                                          : v1::CONTACT_PAIR_STATE_SLIP_SLIP;
}

// Vertices and triangles, which every message of a mesh has.
template <typename Response>
void EncodeRealizability(const RealizabilityMesh& mesh, Response& response) {
  response.mutable_vertices()->Reserve(static_cast<int>(3 * mesh.vertices.size()));
  for (const Vec3& vertex : mesh.vertices) {
    response.mutable_vertices()->Add(vertex.begin(), vertex.end());
  }
  response.mutable_triangles()->Reserve(static_cast<int>(3 * mesh.triangles.size()));
  for (const RealizabilityMesh::Triangle& triangle : mesh.triangles) {
    for (const uint32_t vertex : triangle.vertices) response.add_triangles(vertex);
  }
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

// More would come near the largest message: 64 cells are 228 354 vertices, of which the OBJ file
// alone has 24 MB.
constexpr int kMostCells = 64;

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

absl::StatusOr<TroughSurface> DecodeTroughSurface(const v1::MeshTroughSurfaceRequest& request) {
  TroughSurface surface;
  if (request.has_sliding_friction()) surface.ball.sliding_friction = request.sliding_friction();
  if (request.has_inertia_ratio()) surface.ball.inertia_ratio = request.inertia_ratio();
  if (request.has_cells()) surface.cells = request.cells();
  if (surface.cells < 1 || surface.cells > kMostCells) {
    return FieldError("cells", FormatValue(int64_t{surface.cells}),
                      "must lie within 1 to " + std::to_string(kMostCells));
  }
  switch (request.body()) {
    case v1::TROUGH_BODY_UNSPECIFIED:
    case v1::TROUGH_BODY_LIMIT_DIRECTIONS:
      return surface;
    case v1::TROUGH_BODY_ALL_FACES:
      surface.body = TroughBody::kAllFaces;
      return surface;
    default:
      return FieldError("body", FormatValue(static_cast<int64_t>(request.body())),
                        "must be a value of TroughBody");
  }
}

absl::StatusOr<LoadSpace> DecodeLoadSpace(const v1::MeshRollingLoadsRequest& request) {
  LoadSpace space;
  if (request.axes_size() != 3) {
    return FieldError("size(axes)", FormatValue(int64_t{request.axes_size()}), "must be 3");
  }
  for (int i = 0; i < 3; ++i) {
    const v1::LoadAxis& axis = request.axes(i);
    space.axes[static_cast<size_t>(i)] = {DecodeVector(axis.force_world_n()),
                                          DecodeVector(axis.torque_world_n_m())};
  }
  if (request.has_reach()) space.settings.reach = request.reach();
  if (request.has_cells()) space.settings.cells = request.cells();
  return space;
}

void EncodeMesh(const RealizabilityMesh& mesh, v1::MeshRollingLoadsResponse& response) {
  EncodeRealizability(mesh, response);
  for (const auto& triangle : mesh.triangles) response.add_exits(EncodeExit(triangle.exit));
}

void EncodeMesh(const RealizabilityMesh& mesh, v1::MeshTroughSurfaceResponse& response) {
  EncodeRealizability(mesh, response);
  for (const auto& triangle : mesh.triangles) response.add_exits(EncodeState(triangle.exit));
}

}  // namespace talus::wire
