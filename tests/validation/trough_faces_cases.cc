// [AS] §6: the loads under which the ball in a trough rolls, for μ = 0.1, 0.3, 0.6: where their
// faces are, where they meet, and the largest acceleration.
//
// Everything is found from the general analysis, which knows no trough, and compared with the
// closed form. The ball is solid, j = 2/5.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <string>

#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/trough_ball.h"
#include "tests/validation/cases.h"

namespace talus::validation {
namespace {

RollingTransition AnalyzeLoad(const TwoPointBody& body) {
  auto transition = AnalyzeRollingTransition(body);
  if (transition.ok()) return *std::move(transition);
  std::fprintf(stderr, "validation: %s\n", std::string(transition.status().message()).c_str());
  std::exit(2);
}

// The last m_z in [low, high] that `holds`; 50 halvings leave 10⁻¹⁵.
double FindLast(double low, double high, const std::function<bool(double)>& holds) {
  for (int halving = 0; halving < 50; ++halving) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

// The marks are where statics gives up: on the edge of the planes at m_z1, at the middle of the SR
// plane at m_z2, under a torque about z alone at m_z3 (solver/analysis/trough_ball.h derives them
// as meetings of faces). Excess over the cones crosses zero at a slope of order μ there, so that
// rounding moves them by 10⁻¹⁵ / μ; 10⁻⁹ is asked.
void AddMarks(ResultSheet& sheet, const TroughBall& ball, const std::string& suffix) {
  const double mu = ball.sliding_friction;
  const TroughMarks marks = FindTroughMarks(mu, ball.gravity_m_s2);
  const auto holds = [&](const TroughDemand& demand, double m_z) {
    const Vec3 load = FindTroughLoad(ball.inertia_ratio, demand, m_z);
    return AnalyzeLoad(MakeTroughBody(ball, load)).rolling_statically_possible;
  };
  const double first = FindLast(0.0, mu, [&](double m_z) {
    return holds({mu * (1.0 - m_z), -mu * (1.0 + m_z)}, m_z);
  });
  const double second = FindLast(mu, marks.m_z3, [&](double m_z) {
    return holds({mu * (1.0 - m_z), 0.0}, m_z);
  });
  const double third = FindLast(mu, 1.0, [&](double m_z) { return holds({0.0, 0.0}, m_z); });
  sheet.Add({"AS-mz1-" + suffix, "AS §6", first, marks.m_z1, 1e-9, "-"});
  sheet.Add({"AS-mz2-" + suffix, "AS §6", second, marks.m_z2, 1e-9, "-"});
  sheet.Add({"AS-mz3-" + suffix, "AS §6", third, marks.m_z3, 1e-9, "-"});
}

double SlipRate(const PairMotion& motion) {
  return std::hypot(motion.slip_accelerations_world_m_s2[0].norm(),
                    motion.slip_accelerations_world_m_s2[1].norm());
}

// Whether `state` is what happens and nothing else may.
bool IsOnly(const RollingTransition& transition, ContactPairState state) {
  return std::ranges::count(transition.realizable, true) == 1 && transition.IsRealizable(state);
}

// Where a face of one state is, as a part of each load: where the rate of slipping comes to zero,
// linear in the load, as the direction is one of two. The one farthest from 1.
class FaceScan {
 public:
  FaceScan(const TroughBall& ball, ContactPairState state) : ball_(ball), state_(state) {}

  void Look(const TroughDemand& demand, double m_z) {
    const Vec3 load = FindTroughLoad(ball_.inertia_ratio, demand, m_z);
    double rates[2];
    const double factors[2] = {1.01, 1.02};
    for (int i = 0; i < 2; ++i) {
      const RollingTransition transition = AnalyzeLoad(MakeTroughBody(ball_, factors[i] * load));
      if (!IsOnly(transition, state_)) {
        ++others_;
        return;
      }
      rates[i] = SlipRate(transition.motions[0]);
    }
    const double place = factors[0] - rates[0] * (factors[1] - factors[0]) / (rates[1] - rates[0]);
    if (!(std::abs(place - 1.0) <= std::abs(farthest_ - 1.0))) farthest_ = place;
  }
  // No number where some load led to another state.
  double farthest() const { return others_ == 0 ? farthest_ : std::nan(""); }

 private:
  const TroughBall& ball_;
  ContactPairState state_;
  double farthest_ = 1.0;
  int others_ = 0;
};

// Where the growth of a limit direction comes to zero, as a part of a load near 1, by the secant
// method: growth is smooth in the load, and 10⁻¹² is reached in a few steps.
double FindSlipSlipFace(const TroughBall& ball, const Vec3& load) {
  const auto growth = [&](double factor) {
    return AnalyzeLoad(MakeTroughBody(ball, factor * load)).limit_directions.front().motion.growth;
  };
  double before = 1.05;
  double here = 1.02;
  double growth_before = growth(before);
  for (int step = 0; step < 20 && std::abs(here - before) > 1e-13; ++step) {
    const double growth_here = growth(here);
    const double next = here - growth_here * (here - before) / (growth_here - growth_before);
    before = here;
    growth_before = growth_here;
    here = next;
  }
  return here;
}

// RS and SR on a net over each of their four planes' parts that are faces, |A|, |B| ≤ √(μ² − m_z²)
// where the point rolls; SS at nine points of its curves in each of the eight mirror images.
void AddFaces(ResultSheet& sheet, const TroughBall& ball, const std::string& suffix) {
  const double mu = ball.sliding_friction;
  const TroughMarks marks = FindTroughMarks(mu, ball.gravity_m_s2);
  const double j = ball.inertia_ratio;
  FaceScan roll_slip(ball, ContactPairState::kRollSlip);
  FaceScan slip_roll(ball, ContactPairState::kSlipRoll);
  for (const double height : {-0.8, -0.4, 0.0, 0.4, 0.8}) {
    const double m_z = height * mu;
    const double reach = std::sqrt(mu * mu - m_z * m_z);
    for (const double part : {-0.9, -0.5, 0.0, 0.2, 0.7}) {
      for (const double sign : {1.0, -1.0}) {
        roll_slip.Look({part * reach, sign * mu * (1.0 + m_z)}, m_z);
        slip_roll.Look({sign * mu * (1.0 - m_z), part * reach}, m_z);
      }
    }
  }
  sheet.Add({"AS-face-rs-" + suffix, "AS eq. 80", roll_slip.farthest(), 1.0, 1e-9, "-"});
  sheet.Add({"AS-face-sr-" + suffix, "AS eq. 80", slip_roll.farthest(), 1.0, 1e-9, "-"});
  const double heights[3] = {0.5 * (marks.m_z1 + mu), 0.5 * (mu + marks.m_z2),
                             0.5 * (marks.m_z2 + marks.m_z3)};
  double worst = 0.0;
  const auto look = [&](const TroughDemand& demand, double m_z) {
    const Vec3 load = FindTroughLoad(j, demand, m_z);
    const Vec3 met = FindSlipSlipFace(ball, load) * load;
    const double off = std::abs(SlipSlipSurface(mu, FindTroughDemand(j, met), met.z()));
    if (!(off <= worst)) worst = off;
  };
  for (const double m_z : heights) {
    const TroughOutline outline = FindTroughOutline(mu, m_z, TroughBody::kLimitDirections);
    for (const double part : {0.2, 0.5, 0.8}) {
      const TroughDemand point =
          FindSlipSlipPoint(mu, m_z, outline.q_start + part * (outline.q_end - outline.q_start));
      for (const double first : {1.0, -1.0}) {
        for (const double second : {1.0, -1.0}) {
          look({first * point.first, second * point.second}, m_z);
          look({first * point.second, second * point.first}, -m_z);
        }
      }
    }
  }
  sheet.Add({"AS-face-ss-" + suffix, "AS eq. 88", worst, 0.0, 1e-9, "-"});
}

// The largest acceleration over the loads that [AS] bounds by all faces wherever they are. Beyond
// the plane of RS or SR the ball may roll as long as the other point's cone lets it; were that wall
// as rough as can be, it would not. So these are the loads under which it rolls in the trough and
// in both troughs with one rough wall, each as the general analysis says.
class AccelerationSearch {
 public:
  explicit AccelerationSearch(const TroughBall& ball) : ball_(ball) {
    // While the ball rolls its acceleration is linear in the load.
    const double small = 0.1 * ball.sliding_friction;
    for (int axis = 0; axis < 3; ++axis) {
      const RollingTransition rolling = AnalyzeLoad(MakeTroughBody(ball, small * Vec3::Unit(axis)));
      slope_[axis] = IsOnly(rolling, ContactPairState::kRollRoll)
                         ? rolling.motions[0].acceleration_world_m_s2.z() / small
                         : std::nan("");
    }
  }

  struct Place {
    Vec3 load;
    double acceleration = 0.0;
  };

  // At one m_z, over all directions of (m_x, m_y): the best of twelve, then golden sections around
  // it. At an edge acceleration falls to both sides, about as the angle. `near` is how closely ends
  // of rolling are enclosed.
  Place FindLargest(double m_z, int sections, double near) const {
    constexpr int kDirections = 12;
    constexpr double kStep = 2.0 * std::numbers::pi / kDirections;
    Place best;
    double angle = 0.0;
    for (int i = 0; i < kDirections; ++i) {
      const Place place = Look(m_z, i * kStep, 1e-3);
      if (!(place.acceleration > best.acceleration)) continue;
      best = place;
      angle = i * kStep;
    }
    const double section = 0.5 * (std::sqrt(5.0) - 1.0);
    double low = angle - kStep;
    double high = angle + kStep;
    Place left = Look(m_z, high - section * (high - low), near);
    Place right = Look(m_z, low + section * (high - low), near);
    for (int i = 0; i < sections; ++i) {
      if (left.acceleration > right.acceleration) {
        high = low + section * (high - low);
        right = left;
        left = Look(m_z, high - section * (high - low), near);
      } else {
        low = high - section * (high - low);
        left = right;
        right = Look(m_z, low + section * (high - low), near);
      }
    }
    return left.acceleration > right.acceleration ? left : right;
  }

 private:
  static constexpr double kRough = 3.0;

  TwoPointBody Body(const std::array<double, 2>& frictions, const Vec3& load) const {
    TwoPointBody body = MakeTroughBody(ball_, load);
    for (size_t i = 0; i < 2; ++i) body.contacts[i].sliding_friction = frictions[i];
    return body;
  }

  // The end of rolling along a direction at one height.
  Place Look(double m_z, double angle, double near) const {
    const double mu = ball_.sliding_friction;
    const Vec3 along(std::cos(angle), std::sin(angle), 0.0);
    double reach = 4.0;
    for (const std::array<double, 2>& frictions :
         {std::array{mu, mu}, std::array{kRough, mu}, std::array{mu, kRough}}) {
      reach = FindEnd(frictions, Vec3(0.0, 0.0, m_z), along, reach, near);
    }
    const Vec3 load = reach * along + Vec3(0.0, 0.0, m_z);
    return {load, slope_.dot(load)};
  }

  // At most `reach`. Rolling ends where the rate of slipping comes to zero: enclosed by halving,
  // then by the line through two points beyond.
  double FindEnd(const std::array<double, 2>& frictions, const Vec3& base, const Vec3& along,
                 double reach, double near) const {
    const auto analyze = [&](double distance) {
      return AnalyzeLoad(Body(frictions, base + distance * along));
    };
    const auto rolls = [&](double distance) {
      return analyze(distance).IsRealizable(ContactPairState::kRollRoll);
    };
    // States tell ends to 10⁻⁹ of the load only, where growth begins to count.
    double high = reach + 4.0 * near;
    if (rolls(high)) return reach;
    double low = rolls(reach - 4.0 * near) ? reach - 4.0 * near : 0.0;
    while (high - low > near) {
      const double middle = 0.5 * (low + high);
      (rolls(middle) ? low : high) = middle;
    }
    const double rates[2] = {SlipRate(analyze(high + near).motions[0]),
                             SlipRate(analyze(high + 2.0 * near).motions[0])};
    return std::min(reach, high + near - rates[0] * near / (rates[1] - rates[0]));
  }

  const TroughBall& ball_;
  Vec3 slope_;
};

// The largest acceleration is √2 μ g, all along the edge m_x = k − μ m_z, m_y = −k − μ m_z of RS
// and SR, |m_z| ≤ m_z1, and less at any other height. Angles are found to 10⁻¹¹.
void AddEdge(ResultSheet& sheet, const TroughBall& ball, const std::string& suffix) {
  const double mu = ball.sliding_friction;
  const double k = mu * (1.0 + 2.0 * ball.inertia_ratio);
  const double square = mu * mu;
  const double end = 2.0 * square / (1.0 + square);
  const double tip = 2.0 * mu / (1.0 + square);
  const double expected = std::numbers::sqrt2 * mu * ball.gravity_m_s2;
  const AccelerationSearch search(ball);
  double largest = 0.0;
  double off = 0.0;
  for (const double m_z : {-0.99 * end, -0.5 * end, 0.0, 0.5 * end, 0.99 * end}) {
    const AccelerationSearch::Place place = search.FindLargest(m_z, 50, 1e-6);
    if (!(place.acceleration <= largest)) largest = place.acceleration;
    const Vec3 edge(k - mu * m_z, -k - mu * m_z, m_z);
    off = std::max(off, (place.load - edge).norm());
  }
  int less = 0;
  constexpr int kHeights = 4;
  for (int i = 0; i < kHeights; ++i) {
    const double beyond = end + (i / 2 + 0.5) / (kHeights / 2) * (tip - end);
    const double m_z = i % 2 == 0 ? beyond : -beyond;
    const double acceleration = search.FindLargest(m_z, 15, 1e-4).acceleration;
    less += acceleration < expected * (1.0 - 1e-6);
    if (!(acceleration <= largest)) largest = acceleration;
  }
  sheet.Add({"AS-edge-acceleration-" + suffix, "AS §6", largest, expected, 1e-9, "m/s2"});
  sheet.Add({"AS-edge-place-" + suffix, "AS §6", off, 0.0, 1e-9, "-"});
  sheet.Add({"AS-edge-beyond-" + suffix, "AS §6", double(less), kHeights, 0.0, "of 4"});
}

}  // namespace

void AddTroughFaces(ResultSheet& sheet) {
  for (const char* friction : {"0.1", "0.3", "0.6"}) {
    TroughBall ball;
    ball.sliding_friction = std::strtod(friction, nullptr);
    const std::string suffix = std::string("mu") + friction;
    AddMarks(sheet, ball, suffix);
    AddEdge(sheet, ball, suffix);
    AddFaces(sheet, ball, suffix);
  }
}

}  // namespace talus::validation
