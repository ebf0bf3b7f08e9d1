#include "solver/analysis/rolling_load_mesh.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "solver/analysis/rolling_transition.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr int kMostCells = 32;
constexpr double kTolerance = 1e-8;   // of a vertex's distance
constexpr double kFirstGuess = 0.25;  // of the reach
constexpr double kFirstGrowth = 1.1;  // of the distance, while no end is found; then its square
constexpr double kDependent = 1e-9;   // of the largest axis
// How far beyond the middle of a triangle it is looked what happens there, as a factor, and at
// most: a triangle is flat, the surface is not.
constexpr double kLeastBeyond = 1.02;
constexpr double kMostBeyond = 4.0;

using Axes = std::array<LoadAxis, 3>;

// A refusal of the body, whose fields stand beside others here.
absl::Status OfBody(const absl::Status& status) {
  const auto parts = GetFieldError(status);
  if (!parts) return status;
  return FieldError("body." + parts->field, parts->value, parts->allowed, status.code());
}

absl::Status ValidateAxes(const TwoPointBody& body, const Axes& axes) {
  const double arm =
      std::max(body.contacts[0].arm_world_m.norm(), body.contacts[1].arm_world_m.norm());
  Eigen::Matrix<double, 6, 3> loads;
  for (int i = 0; i < 3; ++i) {
    const LoadAxis& axis = axes[static_cast<size_t>(i)];
    const std::string field = absl::StrCat("axes[", i, "]");
    if (!axis.force_world_n.allFinite() || !axis.torque_world_n_m.allFinite()) {
      return FieldError(field, "not finite", "must be finite");
    }
    loads.col(i) << arm * axis.force_world_n, axis.torque_world_n_m;
    const double size = loads.col(i).stableNorm();
    if (!(size > 0.0)) return FieldError(field, "0", "must have a force or a torque");
    loads.col(i) /= size;
  }
  Eigen::ColPivHouseholderQR<Eigen::Matrix<double, 6, 3>> factor(loads);
  factor.setThreshold(kDependent);
  if (factor.rank() == 3) return absl::OkStatus();
  return FieldError("axes", absl::StrCat("rank ", factor.rank()),
                    "must not be combinations of each other");
}

absl::Status ValidateSettings(const LoadMeshSettings& settings) {
  if (!(settings.reach > 0.0) || !std::isfinite(settings.reach)) {
    return FieldError("reach", FormatValue(settings.reach), "must be > 0 and finite");
  }
  if (settings.cells >= 1 && settings.cells <= kMostCells) return absl::OkStatus();
  return FieldError("cells", FormatValue(int64_t{settings.cells}),
                    absl::StrCat("must lie within 1 to ", kMostCells));
}

// Every load that may be looked at must be one that a body may have.
absl::Status ValidateReach(const TwoPointBody& body, const Axes& axes, double reach) {
  double most = std::numeric_limits<double>::infinity();
  for (int row = 0; row < 3; ++row) {
    Vec3 force;
    Vec3 torque;
    for (int i = 0; i < 3; ++i) {
      force[i] = axes[static_cast<size_t>(i)].force_world_n[row];
      torque[i] = axes[static_cast<size_t>(i)].torque_world_n_m[row];
    }
    const double left[2] = {kMaxLoad - std::abs(body.force_world_n[row]),
                            kMaxLoad - std::abs(body.torque_world_n_m[row])};
    const double slopes[2] = {force.stableNorm(), torque.stableNorm()};  // the steepest ways
    for (int kind = 0; kind < 2; ++kind) {
      if (slopes[kind] > 0.0) most = std::min(most, left[kind] / slopes[kind] / kMostBeyond);
    }
  }
  if (reach <= most) return absl::OkStatus();
  return FieldError("reach", FormatValue(reach),
                    absl::StrCat("must be at most ", FormatValue(most),
                                 ": loads four times as far must lie within ",
                                 FormatValue(kMaxLoad), " N and N m"));
}

RollingExit ExitOf(ContactPairState state) {
  switch (state) {
    case ContactPairState::kRollSlip:
      return RollingExit::kRollSlip;
    case ContactPairState::kSlipRoll:
      return RollingExit::kSlipRoll;
    case ContactPairState::kSlipSlip:
      return RollingExit::kSlipSlip;
    case ContactPairState::kRollRoll:
      break;
  }
  return RollingExit::kNone;
}

// What the body does under a load: kNone while it rolls on, else what grows fastest, and how fast.
struct LoadAnswer {
  RollingExit exit = RollingExit::kOpening;
  double growth = 0.0;

  bool rolls() const { return exit == RollingExit::kNone; }
};

class BoundarySearch {
 public:
  BoundarySearch(const TwoPointBody& body, const Axes& axes, const LoadMeshSettings& settings)
      : body_(body), axes_(axes), settings_(settings) {}

  absl::StatusOr<LoadAnswer> Ask(const Vec3& place) const {
    if (settings_.stop && settings_.stop()) {
      return absl::CancelledError("the mesh was not finished");
    }
    TwoPointBody loaded = body_;
    for (int i = 0; i < 3; ++i) {
      const LoadAxis& axis = axes_[static_cast<size_t>(i)];
      loaded.force_world_n += place[i] * axis.force_world_n;
      loaded.torque_world_n_m += place[i] * axis.torque_world_n_m;
    }
    const absl::StatusOr<RollingTransition> transition = AnalyzeRollingTransition(loaded);
    if (!transition.ok()) return OfBody(transition.status());
    LoadAnswer answer;
    for (const PairMotion& motion : transition->motions) {
      if (motion.growth < answer.growth) continue;
      answer = {ExitOf(motion.state), motion.growth};
    }
    return answer;
  }

  // How far rolling goes along a unit vector, at most the reach; `guess` is where to look first.
  absl::StatusOr<double> FindDistance(const Vec3& along, double guess) const {
    Bracket bracket;
    double next = std::min(guess, settings_.reach);
    double growth = kFirstGrowth;
    while (!bracket.IsClosed()) {
      TALUS_ASSIGN_OR_RETURN(const LoadAnswer answer, Ask(next * along));
      if (answer.rolls() && next == settings_.reach) return next;
      bracket.Note(next, answer);
      if (bracket.outside) {
        next = bracket.Next();
      } else {
        next = std::min(growth * next, settings_.reach);
        growth *= growth;
      }
    }
    return bracket.Middle();
  }

  // What happens beyond a triangle with this middle.
  absl::StatusOr<RollingExit> FindExit(const Vec3& middle) const {
    for (double factor = kLeastBeyond; factor <= kMostBeyond; factor = 2.0 * factor - 1.0) {
      TALUS_ASSIGN_OR_RETURN(const LoadAnswer answer, Ask(factor * middle));
      if (!answer.rolls()) return answer.exit;
    }
    return RollingExit::kNone;
  }

 private:
  // Between a distance at which the body rolls and one at which it does not.
  struct Bracket {
    struct Point {
      double distance = 0.0;
      double growth = 0.0;
    };
    double inside = 0.0;
    std::optional<Point> outside;
    std::optional<Point> before;  // that was outside before it
    int count = 0;                // of points, since there is an outside

    double width() const { return outside->distance - inside; }
    double least() const { return kTolerance * outside->distance; }
    bool IsClosed() const { return outside && width() <= least(); }
    double Middle() const { return 0.5 * (inside + outside->distance); }

    void Note(double distance, const LoadAnswer& answer) {
      if (outside) ++count;
      if (answer.rolls()) {
        inside = distance;
        return;
      }
      before = outside;
      outside = Point{distance, answer.growth};
    }

    // Growth falls to nothing where rolling begins: where the line through the last two points
    // outside says it does, at first a little outside of that, then inside. Every third point
    // halves the bracket, whatever growth does.
    double Next() const {
      if (!before || count % 3 == 2 || !(before->growth > outside->growth)) return Middle();
      const double slope =
          (before->growth - outside->growth) / (before->distance - outside->distance);
      const double zero = outside->distance - outside->growth / slope;
      const double margin = 0.4 * least();
      const double next = outside->distance - zero > 2.0 * margin ? zero + margin : zero - margin;
      return next > inside && next < outside->distance ? next : Middle();
    }
  };

  const TwoPointBody& body_;
  const Axes& axes_;
  const LoadMeshSettings& settings_;
};

// An octahedron with its faces cut into cells² triangles: unit vectors, and their triangles, turned
// outwards.
struct Directions {
  std::vector<Vec3> along;
  std::vector<std::array<uint32_t, 3>> triangles;
};

Directions DivideOctahedron(int cells) {
  Directions directions;
  std::map<std::array<int, 3>, uint32_t> places;
  const auto place = [&](const std::array<int, 3>& steps) {
    const auto [entry, added] =
        places.emplace(steps, static_cast<uint32_t>(directions.along.size()));
    if (added) directions.along.push_back(Vec3(steps[0], steps[1], steps[2]).normalized());
    return entry->second;
  };
  for (int octant = 0; octant < 8; ++octant) {
    const std::array<int, 3> sign = {octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1};
    const bool mirrored = sign[0] * sign[1] * sign[2] < 0;
    const auto corner = [&](int i, int j) {
      return place({sign[0] * i, sign[1] * j, sign[2] * (cells - i - j)});
    };
    const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
      if (mirrored) std::swap(b, c);
      directions.triangles.push_back({a, b, c});
    };
    for (int i = 0; i < cells; ++i) {
      for (int j = 0; i + j < cells; ++j) {
        // Named, so that their order, and with it that of the vertices, is this one.
        const uint32_t here = corner(i, j);
        const uint32_t beside = corner(i + 1, j);
        const uint32_t above = corner(i, j + 1);
        add(here, beside, above);
        if (i + j + 2 <= cells) add(beside, corner(i + 1, j + 1), above);
      }
    }
  }
  return directions;
}

}  // namespace

absl::StatusOr<RealizabilityMesh> MeshRollingLoads(const TwoPointBody& body,
                                                   const std::array<LoadAxis, 3>& axes,
                                                   const LoadMeshSettings& settings) {
  TALUS_RETURN_IF_ERROR(OfBody(ValidateTwoPointBody(body)));
  TALUS_RETURN_IF_ERROR(ValidateAxes(body, axes));
  TALUS_RETURN_IF_ERROR(ValidateSettings(settings));
  TALUS_RETURN_IF_ERROR(ValidateReach(body, axes, settings.reach));
  const BoundarySearch search(body, axes, settings);
  TALUS_ASSIGN_OR_RETURN(const LoadAnswer unloaded, search.Ask(Vec3::Zero()));
  if (!unloaded.rolls()) {
    return FieldError("body", "a load under which it slips or lifts off",
                      "must roll on at both contacts");
  }
  const Directions directions = DivideOctahedron(settings.cells);
  RealizabilityMesh mesh;
  std::vector<double> distances;
  for (const Vec3& along : directions.along) {
    const double guess = distances.empty() ? kFirstGuess * settings.reach : distances.back();
    TALUS_ASSIGN_OR_RETURN(const double distance, search.FindDistance(along, guess));
    distances.push_back(distance);
    mesh.vertices.push_back(distance * along);
  }
  for (const std::array<uint32_t, 3>& corners : directions.triangles) {
    if (std::ranges::all_of(corners,
                            [&](uint32_t corner) { return distances[corner] == settings.reach; })) {
      mesh.triangles.push_back({corners, RollingExit::kNone});
      continue;
    }
    const Vec3 middle =
        (mesh.vertices[corners[0]] + mesh.vertices[corners[1]] + mesh.vertices[corners[2]]) / 3.0;
    TALUS_ASSIGN_OR_RETURN(const RollingExit exit, search.FindExit(middle));
    mesh.triangles.push_back({corners, exit});
  }
  return mesh;
}

}  // namespace talus
