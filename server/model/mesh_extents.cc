#include "server/model/mesh_extents.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "server/model/number_text.h"
#include "solver/base/field_error.h"

namespace talus::model {
namespace {

// Binary STL: 80 bytes of anything, the number of triangles, then of each a normal, three corners
// and two bytes more; numbers are little-endian floats.
constexpr size_t kHeaderBytes = 80;
constexpr size_t kTriangleBytes = 50;
constexpr size_t kNormalBytes = 12;

class ExtentsFinder {
 public:
  absl::Status Add(const Vec3& vertex) {
    if (!IsFinite(vertex)) return absl::InvalidArgumentError("a vertex is not finite");
    if (empty_) extents_ = {vertex, vertex};
    empty_ = false;
    extents_.low = extents_.low.cwiseMin(vertex);
    extents_.high = extents_.high.cwiseMax(vertex);
    return absl::OkStatus();
  }
  absl::StatusOr<Extents> result() const {
    if (empty_) return absl::InvalidArgumentError("there is no vertex in it");
    return extents_;
  }

 private:
  bool empty_ = true;
  Extents extents_;
};

uint32_t ReadWord(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t index = 0; index < 4; ++index) {
    value |= uint32_t{static_cast<unsigned char>(bytes[index])} << (8 * index);
  }
  return value;
}

Vec3 ReadFloats(std::string_view bytes) {
  Vec3 vertex;
  for (size_t axis = 0; axis < 3; ++axis) {
    vertex[static_cast<Eigen::Index>(axis)] =
        std::bit_cast<float>(ReadWord(bytes.substr(4 * axis, 4)));
  }
  return vertex;
}

// Lines that begin with `keyword` have three coordinates.
absl::StatusOr<Extents> FindInText(std::string_view text, std::string_view keyword) {
  ExtentsFinder finder;
  for (int64_t line_number = 1; !text.empty(); ++line_number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!EqualsInAnyCase(TakeWord(line), keyword)) continue;
    Vec3 vertex;
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const std::string_view word = TakeWord(line);
      const std::optional<double> number = ReadFinite(word);
      if (!number.has_value()) {
        return absl::InvalidArgumentError("line " + std::to_string(line_number) + ": " +
                                          FormatValue(word) + " is no coordinate");
      }
      vertex[axis] = *number;
    }
    if (absl::Status status = finder.Add(vertex); !status.ok()) return status;
  }
  return finder.result();
}

absl::StatusOr<Extents> FindInBinaryStl(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes + 4) return absl::InvalidArgumentError("it is cut short");
  const uint64_t count = ReadWord(bytes.substr(kHeaderBytes, 4));
  bytes.remove_prefix(kHeaderBytes + 4);
  if (bytes.size() < count * kTriangleBytes) {
    return absl::InvalidArgumentError("it is cut short: " + std::to_string(count) +
                                      " triangles are announced, " +
                                      std::to_string(bytes.size() / kTriangleBytes) + " are there");
  }
  ExtentsFinder finder;
  for (uint64_t triangle = 0; triangle < count; ++triangle) {
    const std::string_view corners = bytes.substr(triangle * kTriangleBytes + kNormalBytes, 36);
    for (size_t corner = 0; corner < 3; ++corner) {
      absl::Status status = finder.Add(ReadFloats(corners.substr(12 * corner, 12)));
      if (!status.ok()) return status;
    }
  }
  return finder.result();
}

// Binary files may begin with "solid" as well, so their announced size decides first.
bool IsBinaryStl(std::string_view bytes) {
  if (bytes.size() >= kHeaderBytes + 4) {
    const uint64_t count = ReadWord(bytes.substr(kHeaderBytes, 4));
    if (bytes.size() == kHeaderBytes + 4 + count * kTriangleBytes) return true;
  }
  return !EqualsInAnyCase(TakeWord(bytes), "solid");
}

}  // namespace

absl::StatusOr<Extents> FindExtents(std::string_view name, std::string_view bytes) {
  const std::string_view ending = name.substr(std::min(name.rfind('.'), name.size()));
  if (EqualsInAnyCase(ending, ".stl")) {
    return IsBinaryStl(bytes) ? FindInBinaryStl(bytes) : FindInText(bytes, "vertex");
  }
  if (EqualsInAnyCase(ending, ".obj")) return FindInText(bytes, "v");
  return absl::InvalidArgumentError("only .stl and .obj are read");
}

}  // namespace talus::model
