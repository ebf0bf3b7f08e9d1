#include "server/rpc/environment_codec.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus::rpc {
namespace {

// The numbers are part of the interface; docs/PROTOCOL.md has them.
enum Observation : uint64_t {
  kTime = 1,
  kStepIndex = 2,
  kStateHash = 3,
  kEnergy = 4,
  kContactCount = 5,
  kResidual = 6,
  kBodyNames = 7,
  kPositions = 8,
  kOrientations = 9,
  kLinearVelocities = 10,
  kAngularVelocities = 11,
  kJointNames = 12,
  kJointCoordinates = 13,
  kJointForces = 14,
};

enum class Rows { kNone, kBodies, kJoints };

struct ObservationKind {
  Observation uid;
  const char* name;
  env::DataType type;
  Rows rows;      // its first dimension
  int32_t width;  // its last; 0: none
};

constexpr ObservationKind kObservations[] = {
    {kTime, "time_s", env::DOUBLE, Rows::kNone, 0},
    {kStepIndex, "step_index", env::INT64, Rows::kNone, 0},
    {kStateHash, "state_hash", env::UINT64, Rows::kNone, 0},
    {kEnergy, "energy_j", env::DOUBLE, Rows::kNone, 3},
    {kContactCount, "contact_count", env::INT64, Rows::kNone, 0},
    {kResidual, "residual", env::DOUBLE, Rows::kNone, 0},
    {kBodyNames, "bodies.name", env::STRING, Rows::kBodies, 0},
    {kPositions, "bodies.position_world_m", env::DOUBLE, Rows::kBodies, 3},
    {kOrientations, "bodies.orientation_wxyz", env::DOUBLE, Rows::kBodies, 4},
    {kLinearVelocities, "bodies.linear_velocity_world_m_s", env::DOUBLE, Rows::kBodies, 3},
    {kAngularVelocities, "bodies.angular_velocity_world_rad_s", env::DOUBLE, Rows::kBodies, 3},
    {kJointNames, "joints.name", env::STRING, Rows::kJoints, 0},
    {kJointCoordinates, "joints.coordinates", env::DOUBLE, Rows::kJoints, 6},
    {kJointForces, "joints.forces", env::DOUBLE, Rows::kJoints, 6},
};

int32_t CountRows(const ObservationKind& kind, const EnvironmentWorld& world) {
  const size_t count =
      kind.rows == Rows::kBodies ? world.layout->body_ids.size() : world.joints.size();
  return static_cast<int32_t>(count);
}

// Null where this world has no such observation.
const ObservationKind* FindObservation(uint64_t uid, const EnvironmentWorld& world) {
  if (uid < 1 || uid > std::size(kObservations)) return nullptr;
  const ObservationKind& kind = kObservations[uid - 1];
  return kind.rows != Rows::kNone && CountRows(kind, world) == 0 ? nullptr : &kind;
}

std::vector<int32_t> ShapeOf(const ObservationKind& kind, const EnvironmentWorld& world) {
  std::vector<int32_t> shape;
  if (kind.rows != Rows::kNone) shape.push_back(CountRows(kind, world));
  if (kind.width > 0) shape.push_back(kind.width);
  return shape;
}

std::vector<int32_t> ShapeOf(const EnvironmentAction& action) {
  if (DrivesJoint(action.actuator.kind)) return {};
  return {static_cast<int32_t>(CountValues(action.actuator.kind))};
}

// The rows of `column` that belong to the ids of `wanted`, both sorted by id.
std::vector<double> PickRows(const std::vector<uint64_t>& wanted, const std::vector<uint64_t>& met,
                             const std::vector<double>& column, size_t width) {
  if (wanted == met) return column;
  std::vector<double> picked;
  picked.reserve(wanted.size() * width);
  size_t row = 0;
  for (const uint64_t id : wanted) {
    while (row < met.size() && met[row] < id) ++row;
    const bool there = row < met.size() && met[row] == id;
    for (size_t part = 0; part < width; ++part) {
      picked.push_back(there ? column[row * width + part]
                             : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return picked;
}

struct JointColumns {
  std::vector<uint64_t> ids;
  std::vector<double> coordinates;
  std::vector<double> forces;
};

void Append(const Vec3& vector, std::vector<double>& column) {
  column.insert(column.end(), {vector.x(), vector.y(), vector.z()});
}

JointColumns MakeColumns(const std::vector<JointRecord>& joints) {
  JointColumns columns;
  for (const JointRecord& joint : joints) {
    columns.ids.push_back(ToInteger(joint.id));
    Append(joint.translation_m, columns.coordinates);
    Append(joint.rotation_rad, columns.coordinates);
    Append(joint.force_n, columns.forces);
    Append(joint.torque_n_m, columns.forces);
  }
  return columns;
}

std::string NameRow(const std::string& name, uint64_t id) {
  return name.empty() ? '#' + std::to_string(id) : name;
}

std::vector<std::string> ListBodyNames(const Layout& layout) {
  std::vector<std::string> names;
  for (size_t row = 0; row < layout.body_ids.size(); ++row)
    names.push_back(NameRow(layout.body_names[row], layout.body_ids[row]));
  return names;
}

std::vector<std::string> ListJointNames(const EnvironmentWorld& world) {
  std::vector<std::string> names;
  for (const JointRecord& joint : world.joints)
    names.push_back(NameRow(joint.name, ToInteger(joint.id)));
  return names;
}

void EncodeBodies(const ObservationKind& kind, const std::vector<double>& column,
                  const FrameData& frame, const EnvironmentWorld& world, env::Tensor& tensor) {
  wire::EncodeDoubles(PickRows(world.layout->body_ids, frame.layout->body_ids, column,
                               static_cast<size_t>(kind.width)),
                      ShapeOf(kind, world), tensor);
}

void EncodeJoints(const ObservationKind& kind, const EnvironmentMoment& moment,
                  const EnvironmentWorld& world, env::Tensor& tensor) {
  const JointColumns met = MakeColumns(moment.joints);
  const JointColumns wanted = MakeColumns(world.joints);
  const auto& column = kind.uid == kJointForces ? met.forces : met.coordinates;
  wire::EncodeDoubles(PickRows(wanted.ids, met.ids, column, static_cast<size_t>(kind.width)),
                      ShapeOf(kind, world), tensor);
}

void EncodeObservation(const ObservationKind& kind, const EnvironmentMoment& moment,
                       const EnvironmentWorld& world, env::Tensor& tensor) {
  const FrameData& frame = *moment.frame;
  const Energy& energy = moment.energy;
  switch (kind.uid) {
    case kTime:
      return wire::EncodeDouble(frame.time_s, tensor);
    case kStepIndex:
      return wire::EncodeInteger(frame.step_index, tensor);
    case kStateHash:
      return wire::EncodeUnsigned(frame.state_hash, tensor);
    case kEnergy: {
      const double parts[] = {energy.kinetic_translation_j, energy.kinetic_rotation_j,
                              energy.potential_j};
      return wire::EncodeDoubles(parts, ShapeOf(kind, world), tensor);
    }
    case kContactCount:
      return wire::EncodeInteger(frame.report.contact_count, tensor);
    case kResidual:
      return wire::EncodeDouble(frame.report.residual, tensor);
    case kBodyNames:
      return wire::EncodeTexts(ListBodyNames(*world.layout), tensor);
    case kPositions:
      return EncodeBodies(kind, frame.positions_world_m, frame, world, tensor);
    case kOrientations:
      return EncodeBodies(kind, frame.orientations_wxyz, frame, world, tensor);
    case kLinearVelocities:
      return EncodeBodies(kind, frame.linear_velocities_world_m_s, frame, world, tensor);
    case kAngularVelocities:
      return EncodeBodies(kind, frame.angular_velocities_world_rad_s, frame, world, tensor);
    case kJointNames:
      return wire::EncodeTexts(ListJointNames(world), tensor);
    case kJointCoordinates:
    case kJointForces:
      return EncodeJoints(kind, moment, world, tensor);
  }
}

absl::Status CheckBounds(const EnvironmentAction& action, const std::vector<double>& values,
                         const std::string& field) {
  for (const double value : values) {
    if (value >= action.min && value <= action.max) continue;  // so NaN is none
    return FieldError(
        field, FormatValue(value),
        "must be in [" + FormatValue(action.min) + ", " + FormatValue(action.max) + ']');
  }
  return absl::OkStatus();
}

}  // namespace

void EncodeSpecs(const EnvironmentWorld& world, env::ActionObservationSpecs& specs) {
  for (size_t index = 0; index < world.actions.size(); ++index) {
    const EnvironmentAction& action = world.actions[index];
    env::TensorSpec& spec = (*specs.mutable_actions())[index + 1];
    spec.set_name(action.name);
    spec.set_dtype(env::DOUBLE);
    const std::vector<int32_t> shape = ShapeOf(action);
    spec.mutable_shape()->Assign(shape.begin(), shape.end());
    spec.mutable_min()->mutable_doubles()->add_array(action.min);
    spec.mutable_max()->mutable_doubles()->add_array(action.max);
  }
  for (const ObservationKind& kind : kObservations) {
    if (FindObservation(kind.uid, world) == nullptr) continue;
    env::TensorSpec& spec = (*specs.mutable_observations())[kind.uid];
    spec.set_name(kind.name);
    spec.set_dtype(kind.type);
    const std::vector<int32_t> shape = ShapeOf(kind, world);
    spec.mutable_shape()->Assign(shape.begin(), shape.end());
  }
}

absl::StatusOr<std::vector<EnvironmentAct>> DecodeActs(const env::StepRequest& request,
                                                       const EnvironmentWorld& world) {
  std::vector<uint64_t> uids;
  for (const auto& [uid, tensor] : request.actions()) uids.push_back(uid);
  std::sort(uids.begin(), uids.end());
  std::vector<EnvironmentAct> acts;
  acts.reserve(uids.size());
  for (const uint64_t uid : uids) {
    const std::string field = "actions[" + std::to_string(uid) + ']';
    if (uid < 1 || uid > world.actions.size()) {
      return InvalidFieldError("actions", std::to_string(uid), "must be a uid of the action specs");
    }
    const EnvironmentAction& action = world.actions[uid - 1];
    auto values = wire::DecodeDoubles(request.actions().at(uid), ShapeOf(action), field);
    if (!values.ok()) return values.status();
    if (absl::Status status = CheckBounds(action, *values, field); !status.ok()) return status;
    acts.push_back({uid - 1, *std::move(values)});
  }
  return acts;
}

absl::StatusOr<RequestedObservations> DecodeRequested(const env::StepRequest& request,
                                                      const EnvironmentWorld& world) {
  RequestedObservations requested;
  requested.uids.assign(request.requested_observations().begin(),
                        request.requested_observations().end());
  std::sort(requested.uids.begin(), requested.uids.end());
  requested.uids.erase(std::unique(requested.uids.begin(), requested.uids.end()),
                       requested.uids.end());
  for (const uint64_t uid : requested.uids) {
    const ObservationKind* kind = FindObservation(uid, world);
    if (kind == nullptr) {
      return InvalidFieldError("requested_observations", std::to_string(uid),
                               "must be a uid of the observation specs");
    }
    requested.joints = requested.joints || uid == kJointCoordinates || uid == kJointForces;
  }
  return requested;
}

void EncodeMoment(const EnvironmentMoment& moment, const EnvironmentWorld& world,
                  const RequestedObservations& requested, env::StepResponse& response) {
  switch (moment.state) {
    case SequenceState::kRunning:
      response.set_state(env::RUNNING);
      break;
    case SequenceState::kTerminated:
      response.set_state(env::TERMINATED);
      break;
    case SequenceState::kInterrupted:
      response.set_state(env::INTERRUPTED);
      break;
  }
  for (const uint64_t uid : requested.uids) {
    EncodeObservation(*FindObservation(uid, world), moment, world,
                      (*response.mutable_observations())[uid]);
  }
}

}  // namespace talus::rpc
