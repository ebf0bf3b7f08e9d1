#include "clients/cpp/frame_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace talus::client {
namespace {

Error Mismatch(const std::string& message) { return {Code::kDataLoss, message, {}}; }

uint32_t ByteAt(const std::string& bytes, size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

uint16_t WordAt(const std::string& bytes, size_t index) {
  return static_cast<uint16_t>(ByteAt(bytes, 2 * index) | ByteAt(bytes, 2 * index + 1) << 8);
}

int64_t IntegerAt(const std::string& bytes, size_t index) {
  return static_cast<int32_t>(static_cast<uint32_t>(WordAt(bytes, 2 * index)) |
                              static_cast<uint32_t>(WordAt(bytes, 2 * index + 1)) << 16);
}

// Writes the quaternion that stands at `index`, from its three smallest components.
void DecodeOrientation(const std::string& bytes, size_t index, double* quaternion) {
  const uint16_t words[3] = {WordAt(bytes, 3 * index), WordAt(bytes, 3 * index + 1),
                             WordAt(bytes, 3 * index + 2)};
  const size_t largest = static_cast<size_t>(words[0] >> 15 | (words[1] >> 15) << 1);
  double components[3];
  double rest = 1.0;
  for (size_t k = 0; k < 3; ++k) {
    components[k] = ((words[k] & 0x7fff) / 32767.0 * 2.0 - 1.0) / std::sqrt(2.0);
    rest -= components[k] * components[k];
  }
  for (size_t i = 0, k = 0; i < 4; ++i) {
    quaternion[i] = i == largest ? std::sqrt(std::fmax(0.0, rest)) : components[k++];
  }
}

Result<Done> PlaceWideRows(const v1::QuantizedBodies& bodies, std::vector<double>& positions) {
  for (int i = 0; i < bodies.wide_rows_size(); ++i) {
    const size_t begin = size_t{3} * bodies.wide_rows(i);
    if (begin + 3 > positions.size() || 3 * i + 3 > bodies.wide_positions_world_m_size()) {
      return Mismatch("a row told in full is not there");
    }
    for (int axis = 0; axis < 3; ++axis) {
      positions[begin + static_cast<size_t>(axis)] = bodies.wide_positions_world_m(3 * i + axis);
    }
  }
  return Done{};
}

// The rows whose bits are set. kDataLoss: there are not as many bits as rows.
Result<std::vector<size_t>> FindChangedRows(const std::string& bits, size_t row_count) {
  if (bits.size() != (row_count + 7) / 8) {
    return Mismatch("the frame and its key frame differ in their rows");
  }
  std::vector<size_t> rows;
  for (size_t row = 0; row < 8 * bits.size(); ++row) {
    if ((ByteAt(bits, row / 8) >> row % 8 & 1) == 0) continue;
    if (row >= row_count) return Mismatch("a row that changed is not there");
    rows.push_back(row);
  }
  return rows;
}

template <typename From, typename To>
void Widen(const From& from, To* to) {
  to->Assign(from.begin(), from.end());
}

void WidenContacts(const v1::FloatContactColumns& from, v1::ContactColumns& to) {
  Widen(from.body_a_rows(), to.mutable_body_a_rows());
  Widen(from.body_b_rows(), to.mutable_body_b_rows());
  Widen(from.shape_a(), to.mutable_shape_a());
  Widen(from.shape_b(), to.mutable_shape_b());
  Widen(from.features(), to.mutable_features());
  Widen(from.modes(), to.mutable_modes());
  Widen(from.points_world_m(), to.mutable_points_world_m());
  Widen(from.normals_world(), to.mutable_normals_world());
  Widen(from.gaps_m(), to.mutable_gaps_m());
  Widen(from.forces_world_n(), to.mutable_forces_world_n());
  Widen(from.torques_world_n_m(), to.mutable_torques_world_n_m());
  Widen(from.wrenches_contact(), to.mutable_wrenches_contact());
}

}  // namespace

Result<Done> FrameDecoder::Decode(v1::Frame& frame) {
  if (frame.has_quantized_bodies()) {
    const v1::QuantizedBodies& quantized = frame.quantized_bodies();
    auto poses = quantized.key_frame() ? DecodeKey(quantized) : DecodeChanges(quantized);
    if (!poses) return poses.error();
    Widen(poses->positions, frame.mutable_bodies()->mutable_positions_world_m());
    Widen(poses->orientations, frame.mutable_bodies()->mutable_orientations_wxyz());
    if (quantized.key_frame()) key_ = *std::move(poses);
    frame.clear_quantized_bodies();
  }
  if (frame.has_float_bodies()) {
    const v1::FloatBodyColumns& from = frame.float_bodies();
    v1::BodyColumns& to = *frame.mutable_bodies();
    if (to.positions_world_m().empty()) {
      Widen(from.positions_world_m(), to.mutable_positions_world_m());
    }
    if (to.orientations_wxyz().empty()) {
      Widen(from.orientations_wxyz(), to.mutable_orientations_wxyz());
    }
    Widen(from.linear_velocities_world_m_s(), to.mutable_linear_velocities_world_m_s());
    Widen(from.angular_velocities_world_rad_s(), to.mutable_angular_velocities_world_rad_s());
    frame.clear_float_bodies();
  }
  if (frame.has_float_contacts()) {
    WidenContacts(frame.float_contacts(), *frame.mutable_contacts());
    frame.clear_float_contacts();
  }
  return Done{};
}

Result<FrameDecoder::Key> FrameDecoder::DecodeKey(const v1::QuantizedBodies& bodies) {
  const size_t row_count =
      std::max(bodies.key_positions().size() / 12, bodies.orientations().size() / 6);
  if (bodies.key_positions().size() % 12 != 0 || bodies.orientations().size() % 6 != 0 ||
      (!bodies.key_positions().empty() && !bodies.orientations().empty() &&
       2 * bodies.orientations().size() != bodies.key_positions().size())) {
    return Mismatch("the columns of a key frame differ in their rows");
  }
  Key key;
  key.moment = bodies.key_moment();
  for (size_t i = 0; i < bodies.key_positions().size() / 4; ++i) {
    key.grid.push_back(IntegerAt(bodies.key_positions(), i));
    key.positions.push_back(static_cast<double>(key.grid.back()) * bodies.position_step_m());
  }
  if (!bodies.orientations().empty()) key.orientations.resize(4 * row_count);
  for (size_t row = 0; 4 * row < key.orientations.size(); ++row) {
    DecodeOrientation(bodies.orientations(), row, &key.orientations[4 * row]);
  }
  if (auto placed = PlaceWideRows(bodies, key.positions); !placed) return placed.error();
  return key;
}

Result<FrameDecoder::Key> FrameDecoder::DecodeChanges(const v1::QuantizedBodies& bodies) const {
  if (bodies.key_moment() != key_.moment) {
    return Mismatch("the frame refers to key frame " + std::to_string(bodies.key_moment()) +
                    ", the last was " + std::to_string(key_.moment));
  }
  const bool placed = !key_.positions.empty();
  const bool turned = !key_.orientations.empty();
  const auto rows = FindChangedRows(
      bodies.changed_rows(), turned ? key_.orientations.size() / 4 : key_.positions.size() / 3);
  if (!rows) return rows.error();
  if (bodies.position_deltas().size() != (placed ? 6 * rows->size() : 0) ||
      bodies.orientations().size() != (turned ? 6 * rows->size() : 0)) {
    return Mismatch("the frame tells more rows or fewer than it says");
  }
  Key poses;
  poses.positions = key_.positions;
  poses.orientations = key_.orientations;
  for (size_t i = 0; i < rows->size(); ++i) {
    const size_t row = (*rows)[i];
    for (size_t at = 3 * row; placed && at < 3 * row + 3; ++at) {
      const auto delta =
          static_cast<int16_t>(WordAt(bodies.position_deltas(), 3 * i + at - 3 * row));
      poses.positions[at] = static_cast<double>(key_.grid[at] + delta) * bodies.position_step_m();
    }
    if (turned) DecodeOrientation(bodies.orientations(), i, &poses.orientations[4 * row]);
  }
  if (auto wide = PlaceWideRows(bodies, poses.positions); !wide) return wide.error();
  return poses;
}

}  // namespace talus::client
