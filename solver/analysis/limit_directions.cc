#include "solver/analysis/limit_directions.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace talus {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kCells = 160;  // a side
constexpr double kCellSize = kPi / kCells;
constexpr int kMaxNewtonSteps = 40;
constexpr double kMaxNewtonStep = 0.1;  // rad
constexpr double kAnywhere = kMaxNewtonSteps * kMaxNewtonStep;
constexpr double kDifference = 1e-6;       // rad, of the central differences
constexpr double kRootTolerance = 1e-11;   // of the equations, each over its scale
constexpr double kCornerTolerance = 1e-9;  // rad: slip along the line is none
constexpr double kDistinctRoots = 1e-6;    // rad
constexpr int kCornerRings = 9;            // of starts around a corner, down to 10⁻⁸ of a cell
constexpr double kRingRatio = 0.1;
constexpr double kRingParts[] = {0.05, 0.5, 0.95};

using Angles = Eigen::Vector2d;

struct SlipRates {
  Eigen::Vector2d normal_forces;
  Eigen::Vector2d sideways;  // the two equations
  Eigen::Vector2d radial;    // rate of each slip speed, m/s²
  bool unique = false;       // normal forces: the matrix is a P-matrix
};

PairRows SlipColumn(const PairDynamics& pair, int contact, double angle) {
  return pair.mobility.middleCols<3>(3 * contact) * pair.SlipForce(contact, angle);
}

SlipRates FindSlipRates(const PairDynamics& pair, const PairRows& first, const PairRows& second,
                        const Angles& sine, const Angles& cosine) {
  SlipRates rates;
  const double determinant = first(0) * second(3) - second(0) * first(3);
  const PairRows& free = pair.free_rows;
  rates.normal_forces = Eigen::Vector2d(second(0) * free(3) - second(3) * free(0),
                                        first(3) * free(0) - first(0) * free(3)) /
                        determinant;
  rates.unique = determinant > 0.0 && first(0) > 0.0 && second(3) > 0.0;
  const PairRows rows = free + rates.normal_forces(0) * first + rates.normal_forces(1) * second;
  for (int i = 0; i < 2; ++i) {
    const double along = rows(3 * i + 1);
    const double across = rows(3 * i + 2);
    rates.sideways(i) = along * sine(i) - across * cosine(i);
    rates.radial(i) = along * cosine(i) + across * sine(i);
  }
  return rates;
}

SlipRates FindSlipRates(const PairDynamics& pair, const Angles& angles) {
  return FindSlipRates(pair, SlipColumn(pair, 0, angles(0)), SlipColumn(pair, 1, angles(1)),
                       angles.array().sin(), angles.array().cos());
}

// The angles of a root near `angles`, if Newton's method comes to one without going further away
// than `within`; which need not be in the square.
bool PolishRoot(const PairDynamics& pair, Angles& angles, double within) {
  const Angles start = angles;
  const Angles scales(pair.slip_scales[0], pair.slip_scales[1]);
  double before = kRootTolerance;
  for (int step = 0; step < kMaxNewtonSteps; ++step) {
    const SlipRates here = FindSlipRates(pair, angles);
    const double error = here.sideways.cwiseQuotient(scales).cwiseAbs().maxCoeff();
    if (!std::isfinite(error)) return false;
    // Once within, as long as steps help: two roots may be close to each other.
    if (error <= kRootTolerance && step > 0) {
      if (error > 0.5 * before || error == 0.0) return true;
      before = error;
    }
    Eigen::Matrix2d slope;
    for (int i = 0; i < 2; ++i) {
      const Angles shift = kDifference * Angles::Unit(i);
      slope.col(i) = (FindSlipRates(pair, angles + shift).sideways -
                      FindSlipRates(pair, angles - shift).sideways) /
                     (2.0 * kDifference);
    }
    const double determinant = slope.determinant();
    if (!(std::abs(determinant) > 0.0)) return false;
    Angles move = -(slope.inverse() * here.sideways);
    const double longest = move.cwiseAbs().maxCoeff();
    if (!std::isfinite(longest)) return false;
    if (longest > kMaxNewtonStep) move *= kMaxNewtonStep / longest;
    angles += move;
    if ((angles - start).cwiseAbs().maxCoeff() > within) return false;
  }
  return false;
}

// Both sines of the square's sign; or both zero, where neither point slips along the line.
bool IsInSquare(const Angles& angles, double sign) {
  const Angles sine = sign * angles.array().sin();
  if (sine.minCoeff() > 0.0) return true;
  return sine.cwiseAbs().maxCoeff() <= kCornerTolerance;
}

double Wrapped(double angle) {
  const double wrapped = std::remainder(angle, 2.0 * kPi);
  return wrapped <= -kPi + kCornerTolerance ? wrapped + 2.0 * kPi : wrapped;
}

bool AreNear(double angle, double other) {
  return std::abs(std::remainder(angle - other, 2.0 * kPi)) <= kDistinctRoots;
}

class DirectionList {
 public:
  explicit DirectionList(const PairDynamics& pair) : pair_(pair) {}

  void AddRoot(const Angles& angles, double sign) {
    if (!IsInSquare(angles, sign)) return;
    const SlipRates rates = FindSlipRates(pair_, angles);
    // Not both speeds grow, nor both fall: the slip velocity's rate is not along it.
    if (!(rates.normal_forces.minCoeff() > 0.0) || rates.radial(0) * rates.radial(1) < 0.0) return;
    const Angles place(Wrapped(angles(0)), Wrapped(angles(1)));
    LimitDirection direction;
    direction.angles_rad = {place(0), place(1)};
    PairRows forces;
    for (int i = 0; i < 2; ++i) {
      forces.segment<3>(3 * i) = rates.normal_forces(i) * pair_.SlipForce(i, angles(i));
    }
    direction.motion = pair_.Motion(ContactPairState::kSlipSlip, forces);
    direction.motion.growth = std::copysign(rates.radial.norm(), rates.radial.sum()) / pair_.scale;
    const double least = LeastGrowth(pair_);
    direction.repelling = direction.motion.growth > least;
    direction.attracting = direction.motion.growth < -least;
    if (IsNew(direction)) directions_.push_back(direction);
  }

  std::vector<LimitDirection> TakeByGrowth() {
    std::stable_sort(directions_.begin(), directions_.end(),
                     [](const LimitDirection& a, const LimitDirection& b) {
                       return a.motion.growth > b.motion.growth;
                     });
    return std::move(directions_);
  }

 private:
  // Neighbouring cells lead to the same root, and the corners of the two squares coincide. Close to
  // a corner a repelling one and another may be nearer to each other than that.
  bool IsNew(const LimitDirection& direction) const {
    return std::ranges::none_of(directions_, [&](const LimitDirection& other) {
      return other.repelling == direction.repelling &&
             AreNear(other.angles_rad[0], direction.angles_rad[0]) &&
             AreNear(other.angles_rad[1], direction.angles_rad[1]);
    });
  }

  const PairDynamics& pair_;
  std::vector<LimitDirection> directions_;
};

// Whether an equation may vanish in a cell with these values at its corners.
bool MayVanish(double a, double b, double c, double d) {
  const double low = std::min(std::min(a, b), std::min(c, d));
  const double high = std::max(std::max(a, b), std::max(c, d));
  const double slack = 0.5 * (high - low);
  return low <= slack && high >= -slack;
}

// The equations at the corners of a square's cells, row by row.
std::vector<Eigen::Vector2d> SampleSquare(const PairDynamics& pair, double start, bool& unique) {
  std::vector<PairRows> first(kCells + 1);
  std::vector<PairRows> second(kCells + 1);
  std::vector<Eigen::Vector2d> turn(kCells + 1);  // sine, cosine
  for (int i = 0; i <= kCells; ++i) {
    const double angle = start + kCellSize * i;
    first[i] = SlipColumn(pair, 0, angle);
    second[i] = SlipColumn(pair, 1, angle);
    turn[i] = Eigen::Vector2d(std::sin(angle), std::cos(angle));
  }
  std::vector<Eigen::Vector2d> samples;
  samples.reserve((kCells + 1) * (kCells + 1));
  for (int i = 0; i <= kCells; ++i) {
    for (int k = 0; k <= kCells; ++k) {
      const SlipRates rates =
          FindSlipRates(pair, first[i], second[k], Angles(turn[i](0), turn[k](0)),
                        Angles(turn[i](1), turn[k](1)));
      unique = unique && rates.unique;
      samples.push_back(rates.sideways);
    }
  }
  return samples;
}

// At a corner neither point slips along the line. Where a load makes both slip across it, there is
// a root; and beside it, as near as the load is to that one, where the load does so nearly. There
// may be two in one cell, one repelling and one attracting: from the middle of the cell Newton's
// method finds one of them or none.
struct CornerStart {
  Angles angles;
  double within = 0.0;
};
std::vector<CornerStart> CornerStarts(double start) {
  std::vector<CornerStart> starts;
  for (const double first : {0.0, kPi}) {
    for (const double second : {0.0, kPi}) {
      const Angles corner(start + first, start + second);
      const Angles inwards(first > 0.0 ? -1.0 : 1.0, second > 0.0 ? -1.0 : 1.0);
      starts.push_back({corner, kCellSize});
      double distance = kCellSize;
      for (int ring = 0; ring < kCornerRings; ++ring, distance *= kRingRatio) {
        for (const double part : kRingParts) {
          starts.push_back(
              {corner + distance * inwards.cwiseProduct(Angles(part, 1.0 - part)), 2.0 * distance});
        }
      }
    }
  }
  return starts;
}

}  // namespace

double LeastGrowth(const PairDynamics& pair) { return kMinGrowth * pair.slip_scale() / pair.scale; }

LimitDirectionSearch FindLimitDirections(const PairDynamics& pair) {
  LimitDirectionSearch search;
  DirectionList list(pair);
  // Without a load nothing slips, whatever the direction.
  if (!(pair.scale > 0.0)) return search;
  // Nor does a point that nothing makes slip: no friction and no load on it.
  const bool both_slip = std::min(pair.slip_scales[0], pair.slip_scales[1]) > 0.0;
  for (const double sign : {1.0, -1.0}) {
    const double start = sign > 0.0 ? 0.0 : -kPi;
    const std::vector<Eigen::Vector2d> samples =
        SampleSquare(pair, start, search.normal_forces_unique);
    if (!both_slip) continue;
    for (auto& [angles, within] : CornerStarts(start)) {
      if (PolishRoot(pair, angles, within)) list.AddRoot(angles, sign);
    }
    for (int i = 0; i < kCells; ++i) {
      for (int k = 0; k < kCells; ++k) {
        const Eigen::Vector2d* corner = &samples[i * (kCells + 1) + k];
        const Eigen::Vector2d* next = corner + kCells + 1;
        bool possible = true;
        for (int row = 0; row < 2; ++row) {
          possible =
              possible && MayVanish(corner[0](row), corner[1](row), next[0](row), next[1](row));
        }
        if (!possible) continue;
        Angles angles(start + kCellSize * (i + 0.5), start + kCellSize * (k + 0.5));
        if (PolishRoot(pair, angles, kAnywhere)) list.AddRoot(angles, sign);
      }
    }
  }
  search.directions = list.TakeByGrowth();
  return search;
}

}  // namespace talus
