// [AS] §6 and beyond: rolling on two contact points, for μ = 0.1, 0.3, 0.6 and at random.
//
// Everything is found from the general analysis, which knows no trough, and compared with the
// closed form of [AS]; then with smooth friction integrated in time, which knows no limit
// directions; then with scenes that step. The ball is solid, j = 2/5. "Clear" cases are those whose
// answer is the same for 5 % less and more of the load (tests/support/two_point_bodies.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/trough_ball.h"
#include "solver/base/random.h"
#include "tests/scenes/trough.h"
#include "tests/support/two_point_bodies.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {
namespace {

constexpr int kCases = 300;
constexpr auto kRollRoll = ContactPairState::kRollRoll;

RollingTransition Analyze(const TwoPointBody& body) {
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
    return Analyze(MakeTroughBody(ball, load)).rolling_statically_possible;
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
  // Rolling accelerations are linear in the load: twice that of half the load on the edge, which
  // rolls.
  const double k = mu * (1.0 + 2.0 * ball.inertia_ratio);
  const double m_z = 0.5 * marks.m_z1;
  const Vec3 half = 0.5 * Vec3(k - mu * m_z, -k - mu * m_z, m_z);
  const RollingTransition rolling = Analyze(MakeTroughBody(ball, half));
  const double acceleration = rolling.IsRealizable(kRollRoll)
                                  ? 2.0 * rolling.motions[0].acceleration_world_m_s2.z()
                                  : std::nan("");
  sheet.Add({"AS-edge-acceleration-" + suffix, "AS §6", acceleration, std::sqrt(2.0) * mu * 9.81,
             1e-9, "m/s2"});
}

// Where the rate of slipping of one state comes to zero, as a part of a load: linear in the load,
// as the direction is one of two.
double FindFace(const TroughBall& ball, ContactPairState state, const Vec3& load) {
  double rates[2];
  const double factors[2] = {1.02, 1.04};
  for (int i = 0; i < 2; ++i) {
    const RollingTransition transition = Analyze(MakeTroughBody(ball, factors[i] * load));
    if (!transition.IsRealizable(state)) return std::nan("");
    const PairMotion& motion = transition.motions[0];
    rates[i] =
        (motion.slip_accelerations_world_m_s2[0] + motion.slip_accelerations_world_m_s2[1]).norm();
  }
  return factors[0] - rates[0] * (factors[1] - factors[0]) / (rates[1] - rates[0]);
}

// Where the growth of a limit direction comes to zero, as a part of a load near 1, by the secant
// method: growth is smooth in the load, and 10⁻¹² is reached in a few steps.
double FindSlipSlipFace(const TroughBall& ball, const Vec3& load) {
  const auto growth = [&](double factor) {
    return Analyze(MakeTroughBody(ball, factor * load)).limit_directions.front().motion.growth;
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

void AddFaces(ResultSheet& sheet, const TroughBall& ball, const std::string& suffix) {
  const double mu = ball.sliding_friction;
  const TroughMarks marks = FindTroughMarks(mu, ball.gravity_m_s2);
  const double j = ball.inertia_ratio;
  const double low = 0.5 * marks.m_z1;
  const Vec3 top = FindTroughLoad(j, {0.2 * mu, -mu * (1.0 + low)}, low);
  const Vec3 side = FindTroughLoad(j, {mu * (1.0 - low), 0.2 * mu}, low);
  sheet.Add({"AS-face-rs-" + suffix, "AS eq. 80", FindFace(ball, ContactPairState::kRollSlip, top),
             1.0, 1e-9, "-"});
  sheet.Add({"AS-face-sr-" + suffix, "AS eq. 80", FindFace(ball, ContactPairState::kSlipRoll, side),
             1.0, 1e-9, "-"});
  const double heights[3] = {0.5 * (marks.m_z1 + mu), 0.5 * (mu + marks.m_z2),
                             0.5 * (marks.m_z2 + marks.m_z3)};
  double worst = 0.0;
  for (const double m_z : heights) {
    const TroughOutline outline = FindTroughOutline(mu, m_z, TroughBody::kLimitDirections);
    for (const double part : {0.2, 0.5, 0.8}) {
      const TroughDemand point =
          FindSlipSlipPoint(mu, m_z, outline.q_start + part * (outline.q_end - outline.q_start));
      const Vec3 load = FindTroughLoad(j, point, m_z);
      const Vec3 met = FindSlipSlipFace(ball, load) * load;
      worst = std::max(worst, std::abs(SlipSlipSurface(mu, FindTroughDemand(j, met), met.z())));
    }
  }
  sheet.Add({"AS-face-ss-" + suffix, "AS eq. 88", worst, 0.0, 1e-9, "-"});
}

// Counts of clear cases in which closed form, general analysis and smooth friction say the same.
void AddSmoothFriction(ResultSheet& sheet) {
  Random random(20240801);
  int closed_form = 0;
  int smooth = 0;
  for (int found = 0; found < kCases;) {
    const testing::LoadedBall loaded = testing::RandomBallInTrough(random);
    const auto state = testing::FindClearState(loaded);
    if (!state.has_value()) continue;
    ++found;
    closed_form += ClassifyTroughLoad(loaded.ball, loaded.load) == *state;
    smooth += testing::AgreesWithSmoothFriction(loaded.Loaded(1.0), *state).value_or(false);
  }
  sheet.Add({"AS-trough-closed-form", "AS §6", double(closed_form), kCases, 0.0, "of 300"});
  sheet.Add({"AS-trough-smooth-friction", "AS §6", double(smooth), kCases, 0.0, "of 300"});

  // A body that no normal force leaves on the way: else the smooth motion is another problem's.
  int general = 0;
  for (int found = 0; found < kCases;) {
    const auto loaded = testing::RandomTwoPointBody(random);
    if (!loaded.has_value()) continue;
    const auto state = testing::FindClearState(*loaded);
    if (!state.has_value()) continue;
    const auto agrees = testing::AgreesWithSmoothFriction(loaded->Loaded(1.0), *state);
    if (!agrees.has_value()) continue;
    ++found;
    general += *agrees;
  }
  sheet.Add({"AS-body-smooth-friction", "AS §5", double(general), kCases, 0.0, "of 300"});
}

// Loads in the bulge, between the SR plane and the SS surface: rolling, by both.
void AddBulge(ResultSheet& sheet) {
  constexpr int kLoads = 20;
  TroughBall ball;
  ball.sliding_friction = 0.6;
  const double mu = ball.sliding_friction;
  const TroughMarks marks = FindTroughMarks(mu, ball.gravity_m_s2);
  int rolling = 0;
  for (int i = 0; i < kLoads; ++i) {
    const double m_z = marks.m_z1 + (mu - marks.m_z1) * (i + 0.5) / kLoads;
    const double q_end = FindTroughOutline(mu, m_z, TroughBody::kAllFaces).q_end;
    TroughDemand demand = FindSlipSlipPoint(mu, m_z, 0.5 * q_end);
    demand.first = 0.5 * (demand.first + mu * (1.0 - m_z));
    const TwoPointBody body = MakeTroughBody(ball, FindTroughLoad(ball.inertia_ratio, demand, m_z));
    // As in the unit test of the bulge: rates of slip die out.
    const auto outcome = testing::RegularizedPair(body).Run(20000.0);
    rolling += Analyze(body).IsRealizable(kRollRoll) && std::abs(outcome.rates[0]) < 1e-6 &&
               std::abs(outcome.rates[1]) < 1e-6;
  }
  sheet.Add({"AS-bulge-rolls", "AS §6", double(rolling), kLoads, 0.0, "of 20"});
}

scenes::BallInTrough RandomScene(Random& random, double factor) {
  scenes::BallInTrough scene;
  const double r = scene.radius_m;
  const Mat3 turn = ExpRotation(3.0 * testing::RandomVector(random)).toRotationMatrix();
  const Vec3 squares =
      (r * (Vec3::Constant(0.8) + 0.3 * testing::RandomVector(random))).cwiseAbs2();
  const Vec3 principal = scene.mass_kg / 5.0 * (squares.sum() * Vec3::Ones() - squares);
  const Mat3 inertia = turn * principal.asDiagonal() * turn.transpose();
  scene.inertia_kg_m2 = 0.5 * (inertia + inertia.transpose());
  scene.sliding_friction = random.Uniform(0.1, 0.6);
  scene.center_m = factor * 0.5 * r * testing::RandomVector(random);
  scene.gravity_m_s2 += factor * 3.0 * testing::RandomVector(random);
  scene.solver.tolerance = 1e-13;
  scene.solver.max_sweeps = 100000;
  return scene;
}

// A scene and its two neighbours, drawn with the same numbers.
struct SceneFamily {
  uint64_t seed;
  TwoPointBody Loaded(double factor) const {
    Random random(seed);
    return RandomScene(random, factor).Describe();
  }
};

// One step from rest: slip velocities over h, at the walls.
std::array<Vec3, 2> StepSlips(const scenes::BallInTrough& scene) {
  World world = MakeWorld(scene.Build());
  StepWorld(world);
  const Moment moment = BodyMoment(world, 2);
  const TwoPointBody body = scene.Describe();
  std::array<Vec3, 2> slips;
  for (size_t i = 0; i < 2; ++i) {
    slips[i] =
        (moment.velocity + moment.spin.cross(body.contacts[i].arm_world_m)) / scene.time_step_s;
  }
  return slips;
}

// How far the scene's slip accelerations are from those of the analysis, and how large they are, in
// g. Rates 5 % from a face are 10⁻³ and more; the solver's tolerance leaves 10⁻⁹.
struct SceneSlip {
  double error = 0.0;
  double size = 0.0;

  bool Agrees() const { return error < 1e-6; }
  bool Rolls() const { return size < 1e-6; }
};

SceneSlip CompareSlips(const scenes::BallInTrough& scene, const PairMotion& motion) {
  const std::array<Vec3, 2> slips = StepSlips(scene);
  SceneSlip slip;
  for (size_t i = 0; i < 2; ++i) {
    const Vec3 difference = slips[i] - motion.slip_accelerations_world_m_s2[i];
    slip.error = std::max(slip.error, difference.norm() / 9.81);
    slip.size = std::max(slip.size, slips[i].norm() / 9.81);
  }
  return slip;
}

// A step from rest that solves NCP has slip velocities opposite to friction, u⁺ = h u̇: just what a
// repelling limit direction is, so that the scene must slip with the very accelerations of the
// analysis. Left out is slipping where rolling is statically possible too: there a step may roll.
void AddScenes(ResultSheet& sheet) {
  int same = 0;
  double worst = 0.0;
  uint64_t seed = 0;
  for (int found = 0; found < kCases; ++seed) {
    const SceneFamily family{seed};
    const auto state = testing::FindClearState(family);
    if (!state.has_value()) continue;
    Random random(seed);
    const scenes::BallInTrough scene = RandomScene(random, 1.0);
    const RollingTransition transition = Analyze(scene.Describe());
    if (*state != kRollRoll && transition.rolling_statically_possible) continue;
    ++found;
    const SceneSlip slip = CompareSlips(scene, transition.motions[0]);
    same += slip.Agrees();
    worst = std::max(worst, slip.error);
  }
  sheet.Add({"AS-scenes-as-analysed", "AS, NCP", double(same), kCases, 0.0, "of 300"});
  sheet.Add({"AS-scenes-slip-error", "AS, NCP", worst, 0.0, 1e-9, "g"});
}

// The band around m_z = 0: the centre of mass off along the axis, so that A = −B and m_z = 0, by
// more than what slips and less than what statics holds. A step rolls, or slips as analysed.
void AddWedgedScenes(ResultSheet& sheet) {
  constexpr int kScenes = 20;
  int explained = 0;
  for (int i = 0; i < kScenes; ++i) {
    scenes::BallInTrough scene;
    scene.solver.tolerance = 1e-13;
    scene.solver.max_sweeps = 100000;
    // m_x = −m_y = −z / r: slipping starts at k = μ (1 + 2j), statics ends at k / √(1 − μ²) = 1.25
    // k.
    scene.sliding_friction = 0.6;
    scene.inertia_kg_m2 = 0.002 * Mat3::Identity();  // j = 1/5
    const double k = scene.sliding_friction * (1.0 + 2.0 * 0.2);
    scene.center_m.z() = (1.05 + 0.007 * i) * k * scene.radius_m;
    const RollingTransition transition = Analyze(scene.Describe());
    if (!transition.IsRealizable(ContactPairState::kSlipSlip)) continue;
    if (!transition.rolling_statically_possible) continue;
    const SceneSlip slip = CompareSlips(scene, transition.motions[0]);
    explained += slip.Rolls() || slip.Agrees();
  }
  sheet.Add({"AS-scenes-wedged", "AS, NCP", double(explained), kScenes, 0.0, "of 20"});
}

}  // namespace

void AddTwoPointContacts(ResultSheet& sheet) {
  for (const char* friction : {"0.1", "0.3", "0.6"}) {
    TroughBall ball;
    ball.sliding_friction = std::strtod(friction, nullptr);
    const std::string suffix = std::string("mu") + friction;
    AddMarks(sheet, ball, suffix);
    AddFaces(sheet, ball, suffix);
  }
  AddSmoothFriction(sheet);
  AddBulge(sheet);
  AddScenes(sheet);
  AddWedgedScenes(sheet);
}

}  // namespace talus::validation
