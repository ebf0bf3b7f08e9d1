#include "server/wire/quantized_codec.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace talus::wire {
namespace {

using GridPoint = std::array<int64_t, 3>;

void AppendWord(uint16_t word, std::string& out) {
  out.push_back(static_cast<char>(word & 0xff));
  out.push_back(static_cast<char>(word >> 8));
}

void AppendInt32(int64_t value, std::string& out) {
  const uint32_t bits = static_cast<uint32_t>(static_cast<int32_t>(value));
  AppendWord(static_cast<uint16_t>(bits & 0xffff), out);
  AppendWord(static_cast<uint16_t>(bits >> 16), out);
}

// The grid numbers of a position; nothing when one does not fit into `Integer`, counted from
// `base`.
template <typename Integer>
std::optional<GridPoint> FindGridPoint(const double* position, double step, const GridPoint& base) {
  GridPoint point;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double number = std::nearbyint(position[axis] / step);
    // Exact in double, so that the conversion below cannot overflow.
    constexpr double kMost = 4e15;
    if (!(std::abs(number) < kMost)) return std::nullopt;
    point[axis] = static_cast<int64_t>(number) - base[axis];
    if (point[axis] < std::numeric_limits<Integer>::min() ||
        point[axis] > std::numeric_limits<Integer>::max()) {
      return std::nullopt;
    }
  }
  return point;
}

void EncodePositions(const FrameData& frame, const FrameData* base,
                     const std::vector<uint32_t>* rows, double step, v1::QuantizedBodies& message) {
  const size_t count = rows != nullptr ? rows->size() : frame.positions_world_m.size() / 3;
  std::string& out =
      base == nullptr ? *message.mutable_key_positions() : *message.mutable_position_deltas();
  out.reserve(count * (base == nullptr ? 12 : 6));
  for (size_t i = 0; i < count; ++i) {
    const size_t row = rows != nullptr ? (*rows)[i] : i;
    const double* position = &frame.positions_world_m[3 * row];
    std::optional<GridPoint> point;
    if (base == nullptr) {
      point = FindGridPoint<int32_t>(position, step, {});
    } else {
      const GridPoint from =
          FindGridPoint<int32_t>(&base->positions_world_m[3 * row], step, {}).value_or(GridPoint{});
      point = FindGridPoint<int16_t>(position, step, from);
    }
    if (!point.has_value()) {
      message.add_wide_rows(static_cast<uint32_t>(i));
      for (int axis = 0; axis < 3; ++axis) message.add_wide_positions_world_m(position[axis]);
      point = GridPoint{};
    }
    for (const int64_t number : *point) {
      if (base == nullptr) {
        AppendInt32(number, out);
      } else {
        AppendWord(static_cast<uint16_t>(static_cast<int16_t>(number)), out);
      }
    }
  }
}

void AppendQuaternion(const double* q, std::string& out) {
  size_t largest = 0;
  for (size_t i = 1; i < 4; ++i) {
    if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
  }
  const double sign = q[largest] < 0.0 ? -1.0 : 1.0;
  std::array<uint16_t, 3> words{};
  for (size_t i = 0, word = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double scaled = (sign * q[i] * M_SQRT2 + 1.0) / 2.0 * 32767.0;
    // Rounding may carry a component of 1/sqrt(2) beyond its range.
    words[word++] =
        static_cast<uint16_t>(std::fmin(std::fmax(std::nearbyint(scaled), 0.0), 32767.0));
  }
  words[0] = static_cast<uint16_t>(words[0] | (largest & 1) << 15);
  words[1] = static_cast<uint16_t>(words[1] | (largest >> 1) << 15);
  for (const uint16_t word : words) AppendWord(word, out);
}

}  // namespace

void EncodeQuantized(const FrameData& frame, const FrameData* base, const FrameParts& parts,
                     const std::vector<uint32_t>* rows, double position_step_m,
                     v1::QuantizedBodies& message) {
  message.set_key_frame(base == nullptr);
  message.set_key_moment(base == nullptr ? frame.moment : base->moment);
  message.set_position_step_m(position_step_m);
  if (parts.positions) EncodePositions(frame, base, rows, position_step_m, message);
  if (!parts.orientations) return;
  const size_t count = rows != nullptr ? rows->size() : frame.orientations_wxyz.size() / 4;
  std::string& out = *message.mutable_orientations();
  out.reserve(6 * count);
  for (size_t i = 0; i < count; ++i) {
    AppendQuaternion(&frame.orientations_wxyz[4 * (rows != nullptr ? (*rows)[i] : i)], out);
  }
}

}  // namespace talus::wire
