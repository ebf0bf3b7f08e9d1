#include "server/wire/quantized_codec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace talus::wire {
namespace {

using GridPoint = std::array<int64_t, 3>;
using Words = std::array<uint16_t, 3>;

// The grid numbers of a position. False, and zeros: one does not fit into `Integer`.
template <typename Integer>
bool FindGridPoint(const double* position, double step, const GridPoint& base, GridPoint& point) {
  constexpr double kMost = 4e15;  // exact in double, so that the conversion cannot overflow
  for (size_t axis = 0; axis < 3; ++axis) {
    const double number = std::nearbyint(position[axis] / step);
    if (!(std::abs(number) < kMost)) break;
    point[axis] = static_cast<int64_t>(number) - base[axis];
    if (point[axis] < std::numeric_limits<Integer>::min() ||
        point[axis] > std::numeric_limits<Integer>::max()) {
      break;
    }
    if (axis == 2) return true;
  }
  point = {};
  return false;
}

Words FindWords(const double* q) {
  size_t largest = 0;
  for (size_t i = 1; i < 4; ++i) {
    if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
  }
  const double sign = q[largest] < 0.0 ? -1.0 : 1.0;
  Words words{};
  for (size_t i = 0, word = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double scaled = (sign * q[i] * M_SQRT2 + 1.0) / 2.0 * 32767.0;
    // Rounding may carry a component of 1/sqrt(2) beyond its range.
    words[word++] = static_cast<uint16_t>(std::clamp(std::nearbyint(scaled), 0.0, 32767.0));
  }
  words[0] = static_cast<uint16_t>(words[0] | (largest & 1) << 15);
  words[1] = static_cast<uint16_t>(words[1] | (largest >> 1) << 15);
  return words;
}

// A column of little-endian integers with room for so many bytes.
class IntegerColumn {
 public:
  IntegerColumn(size_t most_bytes, std::string& bytes) : bytes_(bytes) { bytes.resize(most_bytes); }
  ~IntegerColumn() { bytes_.resize(size_); }
  IntegerColumn(const IntegerColumn&) = delete;
  IntegerColumn& operator=(const IntegerColumn&) = delete;

  void Append(uint64_t bits, size_t byte_count) {
    for (size_t i = 0; i < byte_count; ++i) {
      bytes_[size_++] = static_cast<char>(bits >> 8 * i & 0xff);
    }
  }
  template <typename Numbers>
  void AppendAll(const Numbers& numbers, size_t byte_count) {
    for (const auto number : numbers) Append(static_cast<uint64_t>(number), byte_count);
  }

 private:
  std::string& bytes_;
  size_t size_ = 0;
};

void AddWideRow(size_t row, const double* position, v1::QuantizedBodies& message) {
  message.add_wide_rows(static_cast<uint32_t>(row));
  for (int axis = 0; axis < 3; ++axis) message.add_wide_positions_world_m(position[axis]);
}

// The rows of a frame, or those of them that are told.
struct Source {
  const FrameData& frame;
  const std::vector<uint32_t>* rows;
  const FrameParts& parts;

  size_t CountRows() const {
    if (rows != nullptr) return rows->size();
    return parts.positions ? frame.positions_world_m.size() / 3
                           : frame.orientations_wxyz.size() / 4;
  }
  size_t RowAt(size_t i) const { return rows != nullptr ? (*rows)[i] : i; }
};

void EncodeKey(const Source& source, double step, v1::QuantizedBodies& message) {
  const size_t count = source.CountRows();
  if (source.parts.positions) {
    IntegerColumn column(12 * count, *message.mutable_key_positions());
    for (size_t i = 0; i < count; ++i) {
      const double* position = &source.frame.positions_world_m[3 * source.RowAt(i)];
      GridPoint point;
      if (!FindGridPoint<int32_t>(position, step, {}, point)) AddWideRow(i, position, message);
      column.AppendAll(point, 4);
    }
  }
  if (source.parts.orientations) {
    IntegerColumn column(6 * count, *message.mutable_orientations());
    for (size_t i = 0; i < count; ++i) {
      column.AppendAll(FindWords(&source.frame.orientations_wxyz[4 * source.RowAt(i)]), 2);
    }
  }
}

// How far a row is from where its key frame has it.
struct Move {
  bool wide = false;  // too far for the integers
  GridPoint delta{};
};

// False: it is told as where the key frame has it.
bool FindMove(const double* position, const double* key, double step, Move& move) {
  if (std::memcmp(position, key, 3 * sizeof(double)) == 0) return false;
  GridPoint from;
  const bool key_wide = !FindGridPoint<int32_t>(key, step, {}, from);
  move.wide = !FindGridPoint<int16_t>(position, step, from, move.delta);
  return key_wide || move.wide || move.delta != GridPoint{};
}

bool HasTurned(const double* orientation, const double* key) {
  return std::memcmp(orientation, key, 4 * sizeof(double)) != 0 &&
         FindWords(orientation) != FindWords(key);
}

void EncodeChanges(const Source& source, const FrameData& base, double step,
                   v1::QuantizedBodies& message) {
  const FrameData& frame = source.frame;
  const auto [positions, orientations] =
      std::pair(source.parts.positions, source.parts.orientations);
  const size_t count = source.CountRows();
  std::string& changed = *message.mutable_changed_rows();
  changed.assign((count + 7) / 8, '\0');
  IntegerColumn deltas(positions ? 6 * count : 0, *message.mutable_position_deltas());
  IntegerColumn turns(orientations ? 6 * count : 0, *message.mutable_orientations());
  for (size_t i = 0; i < count; ++i) {
    const size_t at = 3 * source.RowAt(i);
    const size_t turn_at = 4 * source.RowAt(i);
    Move move;
    bool told = positions &&
                FindMove(&frame.positions_world_m[at], &base.positions_world_m[at], step, move);
    told = told || (orientations &&
                    HasTurned(&frame.orientations_wxyz[turn_at], &base.orientations_wxyz[turn_at]));
    if (!told) continue;
    changed[i / 8] = static_cast<char>(changed[i / 8] | 1 << i % 8);
    if (move.wide) AddWideRow(i, &frame.positions_world_m[at], message);
    if (positions) deltas.AppendAll(move.delta, 2);
    if (orientations) turns.AppendAll(FindWords(&frame.orientations_wxyz[turn_at]), 2);
  }
}

}  // namespace

void EncodeQuantized(const FrameData& frame, const FrameData* base, const FrameParts& parts,
                     const std::vector<uint32_t>* rows, double position_step_m,
                     v1::QuantizedBodies& message) {
  message.set_key_frame(base == nullptr);
  message.set_key_moment(base == nullptr ? frame.moment : base->moment);
  message.set_position_step_m(position_step_m);
  const Source source{frame, rows, parts};
  if (base == nullptr) {
    EncodeKey(source, position_step_m, message);
  } else {
    EncodeChanges(source, *base, position_step_m, message);
  }
}

}  // namespace talus::wire
