#include "solver/state/snapshot.h"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "solver/base/limits.h"
#include "solver/base/state_hash.h"
#include "solver/base/status.h"
#include "solver/scene/validate.h"
#include "solver/state/actuation_snapshot.h"
#include "solver/state/byte_stream.h"
#include "solver/state/contact_snapshot.h"
#include "solver/state/joint_snapshot.h"
#include "solver/state/material_snapshot.h"
#include "solver/state/settings_snapshot.h"
#include "solver/state/snapshot_features.h"
#include "solver/state/state_check.h"

namespace talus {
namespace {

constexpr std::string_view kMagic = "TALUSNAP";
SavedElasticity ElasticityOf(uint16_t features) {
  if ((features & kViscous) != 0) return SavedElasticity::kViscous;
  return (features & kElastic) != 0 ? SavedElasticity::kElastic : SavedElasticity::kNone;
}

constexpr size_t kHeaderSize = 8 + 4 + 8;
constexpr size_t kSealSize = 8;
constexpr size_t kMaxFaultText = 4096;

// A container becomes up to five boxes.
constexpr size_t kMaxShapeRows = 5 * kMaxShapesPerBody;

void EncodeShape(const ShapeRow& shape, ByteWriter& out) {
  out.Write(static_cast<uint8_t>(shape.geometry.index()));
  out.Write(shape.material);
  out.WriteVector(shape.pose_body.position);
  out.WriteQuaternion(shape.pose_body.orientation);
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    out.WriteVector(Vec3(sphere->radius_m, 0.0, 0.0));
  } else if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    out.WriteVector(box->half_extents_m);
  } else {
    out.WriteVector(std::get<Plane>(shape.geometry).normal);
  }
}

// What a state does not keep must stand there as it would be written: a zero without a sign.
bool IsPlainZero(double value) { return value == 0.0 && !std::signbit(value); }

ShapeRow DecodeShape(ByteReader& in) {
  ShapeRow shape;
  const auto kind = in.Read<uint8_t>();
  shape.material = in.Read<uint32_t>();
  shape.pose_body.position = in.ReadVector();
  shape.pose_body.orientation = in.ReadQuaternion();
  const Vec3 size = in.ReadVector();
  switch (kind) {
    case 0:
      shape.geometry = Sphere{size.x()};
      if (!IsPlainZero(size.y()) || !IsPlainZero(size.z())) in.Fail();
      break;
    case 1:
      shape.geometry = Box{size};
      break;
    case 2:
      shape.geometry = Plane{size};
      break;
    default:
      in.Fail();
  }
  return shape;
}

void EncodeBodies(const BodyStore& bodies, bool sleeps, ByteWriter& out) {
  out.Write(bodies.next_id());
  out.Write(static_cast<uint64_t>(bodies.size()));
  for (size_t row = 0; row < bodies.size(); ++row) {
    out.Write(bodies.ids()[row]);
    out.WriteText(bodies.name(row));
    out.Write(bodies.kinds()[row]);
    out.WriteVector(bodies.positions()[row]);
    out.WriteQuaternion(bodies.orientations()[row]);
    out.WriteVector(bodies.linear_velocities()[row]);
    out.WriteVector(bodies.angular_velocities()[row]);
    out.Write(bodies.masses()[row]);
    const Mat3 inertia = bodies.inertias().inertia(row);
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) out.Write(inertia(i, j));
    }
    const auto [begin, end] = bodies.shapes().rows_of(row);
    out.Write(static_cast<uint64_t>(end - begin));
    for (size_t shape = begin; shape < end; ++shape) EncodeShape(bodies.shapes()[shape], out);
    if (sleeps) out.Write(bodies.still_steps()[row]);
  }
}

constexpr size_t kShapeBytes = 1 + 4 + 10 * sizeof(double);
constexpr size_t kBodyBytes = 8 + 4 + 1 + 20 * sizeof(double) + 8;  // of one without shapes

template <typename T>
bool HaveSameBits(const T& a, const T& b) {
  return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

// Of bodies that are round or do not move, and of balls about the origin, less is kept than stands
// in a snapshot; what is left out must be as it would be written. `row` is the last of `bodies`.
bool IsKeptAsItStands(const BodyRow& row, const BodyStore& bodies) {
  const double mass = bodies.masses().back();
  const Mat3 inertia = bodies.inertias().inertia(bodies.size() - 1);
  if (std::memcmp(&mass, &row.mass, sizeof mass) != 0) return false;
  if (!HaveSameBits(inertia, row.inertia_body)) return false;
  const size_t first = bodies.shapes().rows_of(bodies.size() - 1).begin;
  for (size_t index = 0; index < row.shapes.size(); ++index) {
    const Pose kept = bodies.shapes()[first + index].pose_body;
    const Pose& given = row.shapes[index].pose_body;
    if (!HaveSameBits(kept.position, given.position)) return false;
    if (!HaveSameBits(kept.orientation.coeffs(), given.orientation.coeffs())) return false;
  }
  return true;
}

absl::Status DecodeBody(ByteReader& in, size_t material_count, bool sleeps, BodyStore& bodies) {
  const auto id = in.Read<BodyId>();
  const std::string name = in.ReadText(kMaxNameLength);
  BodyRow row;
  row.name = name;
  row.kind = in.Read<BodyKind>();
  row.pose_world.position = in.ReadVector();
  row.pose_world.orientation = in.ReadQuaternion();
  row.linear_velocity = in.ReadVector();
  row.angular_velocity = in.ReadVector();
  row.mass = in.Read<double>();
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      row.inertia_body(i, j) = in.Read<double>();
      row.inertia_body(j, i) = row.inertia_body(i, j);
    }
  }
  const uint64_t shape_count = in.ReadCount(kShapeBytes);
  if (shape_count > kMaxShapeRows) in.Fail();
  std::vector<ShapeRow> shapes;
  for (uint64_t index = 0; index < shape_count && in.ok(); ++index)
    shapes.push_back(DecodeShape(in));
  if (sleeps) row.still_steps = in.Read<uint32_t>();
  row.shapes = shapes;
  if (!in.ok()) return absl::InvalidArgumentError("a body does not parse");
  TALUS_RETURN_IF_ERROR(CheckBodyRow(id, row, material_count, bodies));
  bodies.AddWithId(id, row);
  if (IsKeptAsItStands(row, bodies)) return absl::OkStatus();
  return absl::InvalidArgumentError("what is not kept of a body has zeros with a sign");
}

absl::Status DecodeBodies(ByteReader& in, size_t material_count, bool sleeps, BodyStore& bodies) {
  const auto next_id = in.Read<uint64_t>();
  const uint64_t count = in.ReadCount(kBodyBytes);
  if (count > kMaxBodies) in.Fail();
  if (in.ok()) bodies.Reserve(count);
  for (uint64_t index = 0; index < count && in.ok(); ++index) {
    absl::Status status = DecodeBody(in, material_count, sleeps, bodies);
    if (!status.ok()) return status;
  }
  if (!in.ok() || next_id < bodies.next_id() || next_id > kMaxBodyId) {
    return absl::InvalidArgumentError("the bodies do not parse");
  }
  bodies.ReserveIds(next_id);
  return absl::OkStatus();
}

void EncodeEmitter(const EmitterState& emitter, ByteWriter& out) {
  const EmitterDef& def = emitter.def;
  out.WriteText(def.name);
  out.WriteVector(def.center_world_m);
  out.WriteVector(def.axis_world);
  for (const double value :
       {def.nozzle_radius_m, def.nozzle_height_m, def.rate_per_s, def.start_time_s,
        def.radius_min_m, def.radius_max_m, def.density_kg_m3, def.speed_m_s}) {
    out.Write(value);
  }
  out.Write(def.particle_count);
  out.Write(def.seed);
  out.Write(emitter.material);
  out.Write(emitter.added_step);
  out.Write(emitter.emitted_count);
  out.Write(emitter.random_state);
}

constexpr size_t kEmitterBytes = 4 + 14 * sizeof(double) + 2 * 8 + 4 + 3 * 8;

EmitterState DecodeEmitter(ByteReader& in) {
  EmitterState emitter;
  EmitterDef& def = emitter.def;
  def.name = in.ReadText(kMaxNameLength);
  def.center_world_m = in.ReadVector();
  def.axis_world = in.ReadVector();
  for (double* value :
       {&def.nozzle_radius_m, &def.nozzle_height_m, &def.rate_per_s, &def.start_time_s,
        &def.radius_min_m, &def.radius_max_m, &def.density_kg_m3, &def.speed_m_s}) {
    *value = in.Read<double>();
  }
  def.particle_count = in.Read<int64_t>();
  def.seed = in.Read<uint64_t>();
  emitter.material = in.Read<uint32_t>();
  emitter.added_step = in.Read<int64_t>();
  emitter.emitted_count = in.Read<int64_t>();
  emitter.random_state = in.Read<uint64_t>();
  return emitter;
}

absl::StatusOr<SceneState> DecodeState(ByteReader& in, uint32_t version) {
  SceneState state;
  const uint16_t features = DecodeFeatures(version, in);
  if (VersionOf(features) != version) {
    return absl::InvalidArgumentError("its features do not parse");
  }
  const bool sleeps = (features & kSleeps) != 0;
  state.settings = DecodeSettings(in, {.sleeps = sleeps,
                                       .law = (features & kLawSettings) != 0,
                                       .psor = (features & kPsor) != 0,
                                       .theta = (features & kTheta) != 0});
  const auto has_domain = in.Read<uint8_t>();
  if (has_domain > 1) in.Fail();
  if (has_domain == 1) {
    Domain domain;
    domain.min_world_m = in.ReadVector();
    domain.max_world_m = in.ReadVector();
    state.domain = domain;
  }
  if (!in.ok()) return absl::InvalidArgumentError("the settings do not parse");
  const SavedElasticity saved = ElasticityOf(features);
  absl::Status status = DecodeMaterials(in, saved, state.materials);
  if (!status.ok()) return status;
  if ((features & kMaterialPairs) != 0) {
    TALUS_RETURN_IF_ERROR(DecodeMaterialPairs(in, saved, state.materials));
  }
  state.step_index = in.Read<int64_t>();
  state.layout_version = in.Read<int64_t>();
  state.fault = in.ReadText(kMaxFaultText);
  if (!in.ok()) return absl::InvalidArgumentError("the step and its fault do not parse");
  status = DecodeBodies(in, state.materials.size(), sleeps, state.bodies);
  if (!status.ok()) return status;
  const uint64_t emitter_count = in.ReadCount(kEmitterBytes);
  for (uint64_t index = 0; index < emitter_count && in.ok(); ++index) {
    state.emitters.push_back(DecodeEmitter(in));
  }
  if (!in.ok()) return absl::InvalidArgumentError("the emitters do not parse");
  TALUS_RETURN_IF_ERROR(DecodeContacts(in, (features & kContactNormals) != 0, state.contact_cache));
  if ((features & kJoints) != 0) TALUS_RETURN_IF_ERROR(DecodeJoints(in, state));
  if ((features & kActuation) != 0) TALUS_RETURN_IF_ERROR(DecodeActuation(in, state));
  if (!in.at_end()) return absl::InvalidArgumentError("there is more than a scene");
  status = CheckSceneState(state);
  if (!status.ok()) return status;
  if (FeaturesOf(state) != features) {
    return absl::InvalidArgumentError("its features are not those of the scene");
  }
  for (EmitterState& emitter : state.emitters) {
    emitter.def.material = state.materials[emitter.material].name;
  }
  return state;
}

absl::Status Refuse(std::string_view reason) {
  std::string message = "snapshot: ";
  return absl::InvalidArgumentError(message.append(reason));
}

}  // namespace

std::string SaveSnapshot(const SceneState& state) {
  const uint16_t features = FeaturesOf(state);
  ByteWriter payload;
  EncodeFeatures(features, payload);
  EncodeSettings(state.settings, payload);
  payload.Write(static_cast<uint8_t>(state.domain.has_value() ? 1 : 0));
  if (state.domain.has_value()) {
    payload.WriteVector(state.domain->min_world_m);
    payload.WriteVector(state.domain->max_world_m);
  }
  const SavedElasticity saved = ElasticityOf(features);
  EncodeMaterials(state.materials, saved, payload);
  if ((features & kMaterialPairs) != 0) EncodeMaterialPairs(state.materials, saved, payload);
  payload.Write(state.step_index);
  payload.Write(state.layout_version);
  payload.WriteText(state.fault);
  EncodeBodies(state.bodies, (features & kSleeps) != 0, payload);
  payload.Write(static_cast<uint64_t>(state.emitters.size()));
  for (const EmitterState& emitter : state.emitters) EncodeEmitter(emitter, payload);
  EncodeContacts(state.contact_cache, payload);
  if ((features & kJoints) != 0) EncodeJoints(state, payload);
  if ((features & kActuation) != 0) EncodeActuation(state, payload);

  ByteWriter out;
  out.WriteBytes(kMagic.data(), kMagic.size());
  out.Write(VersionOf(features));
  out.Write(static_cast<uint64_t>(payload.bytes().size()));
  out.WriteBytes(payload.bytes().data(), payload.bytes().size());
  out.Write(HashBytes(out.bytes()));
  return out.Take();
}

absl::StatusOr<SceneState> RestoreSnapshot(std::string_view bytes) {
  if (bytes.size() < kHeaderSize + kSealSize || bytes.substr(0, kMagic.size()) != kMagic) {
    return Refuse("these bytes are no snapshot");
  }
  ByteReader header(bytes.substr(kMagic.size()));
  const auto version = header.Read<uint32_t>();
  if (version < kFirstSnapshotVersion || version > kLastSnapshotVersion) {
    return Refuse("version " + std::to_string(version) + " must be in [" +
                  std::to_string(kFirstSnapshotVersion) + ", " +
                  std::to_string(kLastSnapshotVersion) + "]");
  }
  const auto payload_size = header.Read<uint64_t>();
  if (payload_size != bytes.size() - kHeaderSize - kSealSize) {
    return Refuse("its length is not the one it states");
  }
  ByteReader seal(bytes.substr(bytes.size() - kSealSize));
  if (seal.Read<uint64_t>() != HashBytes(bytes.substr(0, bytes.size() - kSealSize))) {
    return Refuse("its seal is broken");
  }
  ByteReader payload(bytes.substr(kHeaderSize, payload_size));
  absl::StatusOr<SceneState> state = DecodeState(payload, version);
  if (!state.ok()) return Refuse(std::string(state.status().message()));
  return state;
}

}  // namespace talus
