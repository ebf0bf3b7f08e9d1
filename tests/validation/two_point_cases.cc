// [AS] §5, §6 and beyond: rolling on two contact points at random.
//
// The general analysis, which knows no trough, is compared with the closed form of [AS]; then with
// smooth friction integrated in time, which knows no limit directions; then with scenes that step.
// "Clear" cases are those whose answer is the same for 5 % less and more of the load
// (tests/support/two_point_bodies.h).
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

// Clear cases beside smooth friction.
struct SmoothComparison {
  int states[kContactPairStates] = {};
  int agreed = 0;
  int retried = 0;  // rested under a load that may hold, and were kicked
  // A normal force became negative on the way: the smooth motion is another problem's.
  int skipped = 0;
  // Loads that were drawn and not compared: less than 5 % away from a face, with several states
  // that may be, or with normal forces that are not unique.
  int unclear = 0;

  int compared() const { return states[0] + states[1] + states[2] + states[3]; }

  // Whether the case was compared.
  bool Note(const TwoPointBody& body, ContactPairState state) {
    const auto answer = testing::CompareWithSmoothFriction(body, state);
    skipped += !answer.has_value();
    if (!answer.has_value()) return false;
    ++states[static_cast<size_t>(state)];
    agreed += answer->agrees;
    retried += answer->retried;
    return true;
  }

  // A hundredth may need kicks and a twentieth open; no state may be left to chance, with a
  // twentieth of the cases at least. As many loads as are compared may be unclear.
  void Report(ResultSheet& sheet, const std::string& name, const char* source) const {
    constexpr double kShare = 0.5 * kCases;
    sheet.Add({name, source, double(agreed), kCases, 0.0, "of 300"});
    const char* suffixes[kContactPairStates] = {"-rr", "-rs", "-sr", "-ss"};
    for (size_t i = 0; i < kContactPairStates; ++i) {
      sheet.Add({name + suffixes[i], source, double(states[i]), kShare, 0.9 * kShare, "cases"});
    }
    sheet.Add({name + "-retried", source, double(retried), 0.0, 0.01 * kCases, "cases"});
    sheet.Add({name + "-skipped", source, double(skipped), 0.0, 0.05 * kCases, "cases"});
    sheet.Add({name + "-unclear", source, double(unclear), 0.0, kCases, "loads"});
  }
};

void AddSmoothFriction(ResultSheet& sheet) {
  Random random(20240801);
  int closed_form = 0;
  SmoothComparison trough;
  while (trough.compared() < kCases) {
    const testing::LoadedBall loaded = testing::RandomBallInTrough(random);
    const auto state = testing::FindClearState(loaded);
    trough.unclear += !state.has_value();
    if (!state.has_value() || !trough.Note(loaded.Loaded(1.0), *state)) continue;
    closed_form += ClassifyTroughLoad(loaded.ball, loaded.load) == *state;
  }
  sheet.Add({"AS-trough-closed-form", "AS §6", double(closed_form), kCases, 0.0, "of 300"});
  trough.Report(sheet, "AS-trough-smooth-friction", "AS §6");

  SmoothComparison any;
  while (any.compared() < kCases) {
    const auto loaded = testing::RandomTwoPointBody(random);
    if (!loaded.has_value()) continue;
    const auto state = testing::FindClearState(*loaded);
    any.unclear += !state.has_value();
    if (state.has_value()) any.Note(loaded->Loaded(1.0), *state);
  }
  any.Report(sheet, "AS-body-smooth-friction", "AS §5");
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
  AddSmoothFriction(sheet);
  AddBulge(sheet);
  AddScenes(sheet);
  AddWedgedScenes(sheet);
}

}  // namespace talus::validation
