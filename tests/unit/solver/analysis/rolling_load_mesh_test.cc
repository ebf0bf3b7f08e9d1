// Meshes found along rays: that of the ball in the trough beside its closed form, those of bodies
// of no symmetry beside the analysis of loads on either side.
#include "solver/analysis/rolling_load_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "solver/analysis/trough_ball.h"
#include "solver/base/random.h"
#include "tests/support/two_point_bodies.h"

namespace talus {
namespace {

using ::testing::HasSubstr;

using Axes = std::array<LoadAxis, 3>;

// What a load m of 1 along each axis adds to the ball's.
Axes AxesOf(const TroughBall& ball) {
  Axes axes;
  const TwoPointBody unloaded = MakeTroughBody(ball, Vec3::Zero());
  for (int i = 0; i < 3; ++i) {
    const TwoPointBody loaded = MakeTroughBody(ball, Vec3::Unit(i));
    axes[static_cast<size_t>(i)] = {loaded.force_world_n - unloaded.force_world_n,
                                    loaded.torque_world_n_m - unloaded.torque_world_n_m};
  }
  return axes;
}

void ExpectClosedAndTurnedOutwards(const RealizabilityMesh& mesh) {
  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  for (const auto& triangle : mesh.triangles) {
    for (size_t side = 0; side < 3; ++side) {
      ++edges[{triangle.vertices[side], triangle.vertices[(side + 1) % 3]}];
    }
    const Vec3& a = mesh.vertices[triangle.vertices[0]];
    const Vec3& b = mesh.vertices[triangle.vertices[1]];
    const Vec3& c = mesh.vertices[triangle.vertices[2]];
    EXPECT_GT(a.dot(b.cross(c)), 0.0);  // as seen from the origin, along whose rays it was found
  }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1) << edge.first << " " << edge.second;
    ASSERT_EQ(edges.count({edge.second, edge.first}), 1u) << edge.first << " " << edge.second;
  }
}

TEST(RollingLoadMesh, OfTheBallInTheTroughLiesOnItsClosedForm) {
  TroughBall ball;
  ball.sliding_friction = 0.3;
  const auto mesh = MeshRollingLoads(MakeTroughBody(ball, Vec3::Zero()), AxesOf(ball),
                                     {.reach = 2.0, .cells = 3});
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  ASSERT_EQ(mesh->vertices.size(), 38u);
  ASSERT_EQ(mesh->triangles.size(), 72u);
  ExpectClosedAndTurnedOutwards(*mesh);
  for (const Vec3& load : mesh->vertices) {
    EXPECT_EQ(ClassifyTroughLoad(ball, (1.0 - 1e-7) * load), ContactPairState::kRollRoll)
        << load.transpose();
    EXPECT_NE(ClassifyTroughLoad(ball, (1.0 + 1e-7) * load), ContactPairState::kRollRoll)
        << load.transpose();
  }
  std::map<RollingExit, int> counts;
  for (const auto& triangle : mesh->triangles) {
    const Vec3 middle =
        (mesh->vertices[triangle.vertices[0]] + mesh->vertices[triangle.vertices[1]] +
         mesh->vertices[triangle.vertices[2]]) /
        3.0;
    double factor = 1.02;
    while (ClassifyTroughLoad(ball, factor * middle) == ContactPairState::kRollRoll) factor += 0.02;
    ++counts[triangle.exit];
    // The faces' kinds by the closed form, where it does not change within the way that was looked.
    const auto near = ClassifyTroughLoad(ball, factor * middle);
    if (near != ClassifyTroughLoad(ball, (factor + 0.2) * middle)) continue;
    EXPECT_EQ(static_cast<int>(triangle.exit), static_cast<int>(near)) << middle.transpose();
  }
  EXPECT_EQ(counts.size(), 3u);
  for (const auto& [exit, count] : counts) EXPECT_GE(count, 8) << static_cast<int>(exit);
}

TEST(RollingLoadMesh, SeparatesRollingOfAnyBody) {
  const uint64_t seed = 31;
  SCOPED_TRACE(seed);
  Random random(seed);
  std::map<RollingExit, int> counts;
  for (int found = 0; found < 2;) {
    const auto loaded = testing::RandomTwoPointBody(random);
    if (!loaded.has_value()) continue;
    const TwoPointBody& body = loaded->body;
    const double weight = body.mass_kg * 9.81;
    const double arm = body.contacts[0].arm_world_m.norm();
    const Axes axes = {LoadAxis{weight * Vec3::UnitX(), Vec3::Zero()},
                       LoadAxis{weight * Vec3::UnitZ(), Vec3::Zero()},
                       LoadAxis{Vec3::Zero(), weight * arm * testing::RandomVector(random)}};
    const double reach = 3.0;
    const auto mesh = MeshRollingLoads(body, axes, {.reach = reach, .cells = 1});
    if (!mesh.ok()) continue;  // it does not roll where it is
    ++found;
    ExpectClosedAndTurnedOutwards(*mesh);
    const auto rolls = [&](const Vec3& place) {
      TwoPointBody there = body;
      for (int i = 0; i < 3; ++i) {
        there.force_world_n += place[i] * axes[static_cast<size_t>(i)].force_world_n;
        there.torque_world_n_m += place[i] * axes[static_cast<size_t>(i)].torque_world_n_m;
      }
      return AnalyzeRollingTransition(there)->IsRealizable(ContactPairState::kRollRoll);
    };
    for (const Vec3& place : mesh->vertices) {
      EXPECT_TRUE(rolls((1.0 - 1e-7) * place)) << place.transpose();
      if (place.norm() < reach * (1.0 - 1e-12)) {
        EXPECT_FALSE(rolls((1.0 + 1e-7) * place)) << place.transpose();
      } else {
        EXPECT_NEAR(place.norm(), reach, 1e-12);
      }
    }
    for (const auto& triangle : mesh->triangles) ++counts[triangle.exit];
  }
  EXPECT_GE(counts.size(), 3u);
}

TEST(RollingLoadMesh, RefusesWhatHasNone) {
  TroughBall ball;
  const TwoPointBody body = MakeTroughBody(ball, Vec3::Zero());
  const Axes axes = AxesOf(ball);
  const auto message = [&](const TwoPointBody& given, const Axes& along,
                           LoadMeshSettings settings) {
    return std::string(MeshRollingLoads(given, along, settings).status().message());
  };
  EXPECT_THAT(message(body, axes, {.reach = 0.0}), HasSubstr("reach = 0 must be > 0"));
  EXPECT_THAT(message(body, axes, {.reach = std::numeric_limits<double>::infinity()}),
              HasSubstr("reach"));
  // Axes of m g r / √2 = 6.94 N m.
  EXPECT_THAT(message(body, axes, {.reach = 1e300}),
              HasSubstr("reach = 1e+300 must be at most 3604"));
  EXPECT_THAT(message(body, axes, {.reach = 4e13}),
              HasSubstr(": loads four times as far must lie within 1e+15 N and N m"));
  TwoPointBody loaded = body;
  loaded.torque_world_n_m.z() = 1e15;
  EXPECT_THAT(message(loaded, axes, {}), HasSubstr("reach = 1 must be at most 0"));
  Axes huge = axes;
  huge[2].force_world_n.x() = 1e308;
  EXPECT_THAT(message(body, huge, {}), HasSubstr("reach = 1 must be at most 2.4"));
  EXPECT_THAT(message(body, axes, {.cells = 0}), HasSubstr("cells = 0 must lie within"));
  EXPECT_THAT(message(body, axes, {.cells = 33}), HasSubstr("cells = 33"));
  Axes dependent = axes;
  dependent[2] = {axes[0].force_world_n + axes[1].force_world_n,
                  axes[0].torque_world_n_m + axes[1].torque_world_n_m};
  EXPECT_THAT(message(body, dependent, {}), HasSubstr("axes = rank 2"));
  Axes empty = axes;
  empty[1] = {};
  EXPECT_THAT(message(body, empty, {}), HasSubstr("axes[1] = 0 must have"));
  empty[1].force_world_n.x() = std::nan("");
  EXPECT_THAT(message(body, empty, {}), HasSubstr("axes[1] = not finite"));
  const Vec3 slipping(2.0, -2.0, 0.0);
  EXPECT_THAT(message(MakeTroughBody(ball, slipping), axes, {}),
              HasSubstr("body = a load under which it slips"));
  TwoPointBody massless = body;
  massless.mass_kg = 0.0;
  EXPECT_THAT(message(massless, axes, {}), HasSubstr("body.mass_kg = 0"));
}

TEST(RollingLoadMesh, StopsWhenAsked) {
  TroughBall ball;
  int left = 20;
  const auto mesh = MeshRollingLoads(MakeTroughBody(ball, Vec3::Zero()), AxesOf(ball),
                                     {.stop = [&left] { return left-- == 0; }});
  EXPECT_EQ(mesh.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(left, -1);
}

}  // namespace
}  // namespace talus
