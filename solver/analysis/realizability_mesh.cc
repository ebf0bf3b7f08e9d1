#include "solver/analysis/realizability_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr int kMaxCells = 256;
constexpr double kLeastPart = 1e-9;  // of the SS curve
// Along a quarter of a slice.
constexpr RollingExit kExits[] = {RollingExit::kRollSlip, RollingExit::kSlipSlip,
                                  RollingExit::kSlipRoll};
// By RollingExit.
constexpr const char* kExitNames[] = {"none", "RS", "SR", "SS", "opening"};

// Step i of `cells` along the SS curve. Where the curve crosses the SR plane there is a point, so
// that the bulge beyond the plane has an edge; each part is denser at its ends, where A or B may
// begin like a root.
double SlipSlipStep(double mu, double m_z, const TroughOutline& outline, int i, int cells) {
  const double width = outline.q_end - outline.q_start;
  double crossing = std::clamp(FindPlaneCrossing(mu, m_z), outline.q_start, outline.q_end);
  // At m_z2 and beside it rounding must not leave two points where there is one.
  if (crossing - outline.q_start < kLeastPart * width) crossing = outline.q_start;
  if (outline.q_end - crossing < kLeastPart * width) crossing = outline.q_end;
  const int before = cells / 2;
  const bool first = i <= before;
  const double from = first ? outline.q_start : crossing;
  const double to = first ? crossing : outline.q_end;
  const double along = first ? double(i) / before : double(i - before) / (cells - before);
  if (along == 1.0) return to;
  return from + 0.5 * (1.0 - std::cos(std::numbers::pi * along)) * (to - from);
}

// Points of a slice where A, B ≥ 0, from A = 0 to B = 0: `cells` steps each along RS, SS and SR.
std::vector<TroughDemand> TraceQuarter(double mu, double m_z, TroughBody body, int cells) {
  const double height = std::abs(m_z);
  const TroughOutline outline = FindTroughOutline(mu, height, body);
  const double step = 1.0 / cells;
  std::vector<TroughDemand> points;
  for (int i = 0; i < cells; ++i) {
    points.push_back({outline.top.first * (i * step), outline.top.second});
  }
  points.push_back(outline.top);
  for (int i = 1; i < cells; ++i) {
    const double q = SlipSlipStep(mu, height, outline, i, cells);
    if (q == outline.q_start) {
      points.push_back(outline.top);
    } else if (q == outline.q_end) {
      points.push_back(outline.side);
    } else {
      points.push_back(FindSlipSlipPoint(mu, height, q));
    }
  }
  points.push_back(outline.side);
  for (int i = cells - 1; i >= 0; --i) {
    points.push_back({outline.side.first, outline.side.second * (i * step)});
  }
  if (m_z < 0.0) {
    std::reverse(points.begin(), points.end());
    for (TroughDemand& point : points) std::swap(point.first, point.second);
  }
  return points;
}

// The whole slice, counter-clockwise seen along −z: four quarters of 3 `cells` steps.
std::vector<Vec3> TraceSlice(const TroughBall& ball, double m_z, TroughBody body, int cells) {
  const std::vector<TroughDemand> quarter = TraceQuarter(ball.sliding_friction, m_z, body, cells);
  const int steps = 3 * cells;
  std::vector<Vec3> slice;
  for (int turn = 0; turn < 4; ++turn) {
    const bool from_first_axis = turn % 2 == 0;  // from B = 0
    const double first_sign = turn == 1 || turn == 2 ? -1.0 : 1.0;
    const double second_sign = turn >= 2 ? -1.0 : 1.0;
    for (int i = 0; i < steps; ++i) {
      const TroughDemand& point = quarter[from_first_axis ? steps - i : i];
      const Vec3 load = FindTroughLoad(ball.inertia_ratio,
                                       {first_sign * point.first, second_sign * point.second}, m_z);
      slice.push_back(load + Vec3::Zero());  // a zero has one sign
    }
  }
  return slice;
}

// The kind of face between point i of a slice and the next.
RollingExit FaceAfter(int i, int cells) {
  const int within = i % (3 * cells);
  const bool from_first_axis = i / (3 * cells) % 2 == 0;
  return kExits[(from_first_axis ? 3 * cells - 1 - within : within) / cells];
}

// From tip to tip, each above the one before; denser at either end of each face.
std::vector<double> SliceHeights(double mu, int cells) {
  const TroughMarks marks = FindTroughMarks(mu, 1.0);
  const double edges[] = {0.0, marks.m_z1, mu, marks.m_z2, marks.m_z3};
  std::vector<double> upper;
  for (size_t edge = 0; edge + 1 < std::size(edges); ++edge) {
    for (int i = 1; i < cells; ++i) {
      const double part = 0.5 * (1.0 - std::cos(std::numbers::pi * i / cells));
      upper.push_back(edges[edge] + part * (edges[edge + 1] - edges[edge]));
    }
    upper.push_back(edges[edge + 1]);
  }
  // Near μ = 0 and 1 edges are as close as numbers are.
  std::erase_if(upper, [last = 0.0](double height) mutable {
    if (height <= last) return true;
    last = height;
    return false;
  });
  std::vector<double> heights;
  for (size_t i = upper.size(); i-- > 0;) heights.push_back(-upper[i]);
  heights.push_back(0.0);
  heights.insert(heights.end(), upper.begin(), upper.end());
  return heights;
}

class MeshBuilder {
 public:
  // The slice's points as vertices. Neighbours in one place are one vertex, others are not: where
  // faces shrink to less than rounding their edges may meet, and the mesh stays closed.
  std::vector<uint32_t> AddSlice(const std::vector<Vec3>& points) {
    size_t last = points.size() - 1;
    while (last > 0 && points[last] == points[0]) --last;
    std::vector<uint32_t> indices;
    for (size_t i = 0; i < points.size(); ++i) {
      if (i > last) {
        indices.push_back(indices.front());
      } else if (i > 0 && points[i] == points[i - 1]) {
        indices.push_back(indices.back());
      } else {
        indices.push_back(static_cast<uint32_t>(mesh_.vertices.size()));
        mesh_.vertices.push_back(points[i]);
      }
    }
    return indices;
  }

  // Nothing where two corners are one.
  void AddTriangle(uint32_t a, uint32_t b, uint32_t c, RollingExit exit) {
    if (a != b && b != c && c != a) mesh_.triangles.push_back({{a, b, c}, exit});
  }

  RealizabilityMesh Take() { return std::move(mesh_); }

 private:
  RealizabilityMesh mesh_;
};

// Whether a slice between the tips has an inside.
bool IsRing(const std::vector<Vec3>& points) {
  size_t count = 0;
  for (size_t i = 0; i < points.size(); ++i) count += points[i] != points[(i + 1) % points.size()];
  return count >= 3;
}

}  // namespace

absl::StatusOr<RealizabilityMesh> MeshRealizability(const TroughBall& ball, TroughBody body,
                                                    int cells) {
  TALUS_RETURN_IF_ERROR(ValidateTroughBall(ball));
  if (cells < 1 || cells > kMaxCells) {
    return FieldError("cells", FormatValue(static_cast<int64_t>(cells)),
                      absl::StrCat("must lie within 1 to ", kMaxCells));
  }
  MeshBuilder builder;
  std::vector<uint32_t> lower;
  const std::vector<double> heights = SliceHeights(ball.sliding_friction, cells);
  for (const double m_z : heights) {
    const std::vector<Vec3> slice = TraceSlice(ball, m_z, body, cells);
    const bool is_tip = m_z == heights.front() || m_z == heights.back();
    if (!is_tip && !IsRing(slice)) continue;
    const std::vector<uint32_t> upper = builder.AddSlice(slice);
    for (size_t i = 0; i < lower.size(); ++i) {
      const size_t next = (i + 1) % lower.size();
      const RollingExit exit = FaceAfter(static_cast<int>(i), cells);
      builder.AddTriangle(lower[i], lower[next], upper[next], exit);
      builder.AddTriangle(lower[i], upper[next], upper[i], exit);
    }
    lower = upper;
  }
  return builder.Take();
}

std::string EncodeObj(const RealizabilityMesh& mesh) {
  std::string text;
  for (const Vec3& v : mesh.vertices) {
    absl::StrAppend(&text, "v ", FormatValue(v.x()), " ", FormatValue(v.y()), " ",
                    FormatValue(v.z()), "\n");
  }
  for (size_t kind = 0; kind < std::size(kExitNames); ++kind) {
    bool named = false;
    for (const RealizabilityMesh::Triangle& triangle : mesh.triangles) {
      if (static_cast<size_t>(triangle.exit) != kind) continue;
      if (!named) absl::StrAppend(&text, "g ", kExitNames[kind], "\n");
      named = true;
      absl::StrAppend(&text, "f ", triangle.vertices[0] + 1, " ", triangle.vertices[1] + 1, " ",
                      triangle.vertices[2] + 1, "\n");
    }
  }
  return text;
}

}  // namespace talus
