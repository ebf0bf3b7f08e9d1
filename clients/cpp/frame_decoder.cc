#include "clients/cpp/frame_decoder.h"

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

// The quaternion of a row, from its three smallest components.
void AppendOrientation(const std::string& bytes, size_t row,
                       google::protobuf::RepeatedField<double>& column) {
  const uint16_t words[3] = {WordAt(bytes, 3 * row), WordAt(bytes, 3 * row + 1),
                             WordAt(bytes, 3 * row + 2)};
  const size_t largest = static_cast<size_t>(words[0] >> 15 | (words[1] >> 15) << 1);
  double components[3];
  double rest = 1.0;
  for (size_t k = 0; k < 3; ++k) {
    components[k] = ((words[k] & 0x7fff) / 32767.0 * 2.0 - 1.0) / std::sqrt(2.0);
    rest -= components[k] * components[k];
  }
  for (size_t i = 0, k = 0; i < 4; ++i) {
    column.Add(i == largest ? std::sqrt(std::fmax(0.0, rest)) : components[k++]);
  }
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
    auto positions = DecodePositions(quantized);
    if (!positions) return positions.error();
    Widen(*positions, frame.mutable_bodies()->mutable_positions_world_m());
    auto& orientations = *frame.mutable_bodies()->mutable_orientations_wxyz();
    const size_t rows = quantized.orientations().size() / 6;
    orientations.Reserve(static_cast<int>(4 * rows));
    for (size_t row = 0; row < rows; ++row) {
      AppendOrientation(quantized.orientations(), row, orientations);
    }
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

Result<std::vector<double>> FrameDecoder::DecodePositions(const v1::QuantizedBodies& bodies) {
  std::vector<int64_t> grid;
  if (bodies.key_frame()) {
    for (size_t i = 0; i < bodies.key_positions().size() / 4; ++i) {
      grid.push_back(IntegerAt(bodies.key_positions(), i));
    }
    key_ = grid;
    key_moment_ = bodies.key_moment();
  } else {
    if (bodies.key_moment() != key_moment_) {
      return Mismatch("the frame refers to key frame " + std::to_string(bodies.key_moment()) +
                      ", the last was " + std::to_string(key_moment_));
    }
    if (bodies.position_deltas().size() != 2 * key_.size()) {
      return Mismatch("the frame and its key frame differ in their rows");
    }
    for (size_t i = 0; i < key_.size(); ++i) {
      grid.push_back(key_[i] + static_cast<int16_t>(WordAt(bodies.position_deltas(), i)));
    }
  }
  std::vector<double> positions;
  positions.reserve(grid.size());
  for (const int64_t number : grid) {
    positions.push_back(static_cast<double>(number) * bodies.position_step_m());
  }
  for (int i = 0; i < bodies.wide_rows_size(); ++i) {
    const size_t begin = size_t{3} * bodies.wide_rows(i);
    if (begin + 3 > positions.size() || 3 * i + 3 > bodies.wide_positions_world_m_size()) {
      return Mismatch("a row told in full is not there");
    }
    for (int axis = 0; axis < 3; ++axis) {
      positions[begin + static_cast<size_t>(axis)] = bodies.wide_positions_world_m(3 * i + axis);
    }
  }
  return positions;
}

}  // namespace talus::client
