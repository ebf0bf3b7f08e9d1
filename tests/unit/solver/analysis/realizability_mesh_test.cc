// The mesh is closed and turned outwards, lies on the surface, and says what happens across it: a
// step inwards of any triangle rolls, a step outwards does not.
#include "solver/analysis/realizability_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace talus {
namespace {

TroughBall BallOf(double mu) {
  TroughBall ball;
  ball.sliding_friction = mu;
  return ball;
}

// Every edge belongs to two triangles, which go along it opposite ways, and the whole is a sphere.
void ExpectSphere(const RealizabilityMesh& mesh) {
  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  for (const auto& triangle : mesh.triangles) {
    for (int side = 0; side < 3; ++side) {
      ++edges[{triangle.vertices[side], triangle.vertices[(side + 1) % 3]}];
    }
  }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1) << edge.first << " " << edge.second;
    ASSERT_EQ(edges.count({edge.second, edge.first}), 1u) << edge.first << " " << edge.second;
  }
  // Euler.
  const auto vertices = static_cast<int64_t>(mesh.vertices.size());
  const auto triangles = static_cast<int64_t>(mesh.triangles.size());
  EXPECT_EQ(vertices - static_cast<int64_t>(edges.size() / 2) + triangles, 2);
}

class RealizabilityMeshTest : public ::testing::TestWithParam<std::pair<double, TroughBody>> {
 protected:
  TroughBall ball_ = BallOf(GetParam().first);
  RealizabilityMesh mesh_ = *MeshRealizability(ball_, GetParam().second, 12);
};

TEST_P(RealizabilityMeshTest, IsClosedAndTurnedOutwards) {
  ExpectSphere(mesh_);
  double volume = 0.0;
  for (const auto& triangle : mesh_.triangles) {
    const Vec3& a = mesh_.vertices[triangle.vertices[0]];
    const Vec3& b = mesh_.vertices[triangle.vertices[1]];
    const Vec3& c = mesh_.vertices[triangle.vertices[2]];
    volume += a.dot(b.cross(c)) / 6.0;
  }
  EXPECT_GT(volume, 0.0);
}

TEST_P(RealizabilityMeshTest, LiesOnTheFacesItNames) {
  const double mu = ball_.sliding_friction;
  for (const auto& triangle : mesh_.triangles) {
    for (const uint32_t vertex : triangle.vertices) {
      const Vec3& load = mesh_.vertices[vertex];
      const TroughDemand demand = FindTroughDemand(ball_.inertia_ratio, load);
      // Sums of a few numbers of size 1: 10⁻¹⁴ of rounding, a hundredfold for the differences of
      // squares over m_z, which is 10⁻³ at the lowest slice; there the curve's q is m_z / 2.
      if (triangle.exit == RollingExit::kRollSlip) {
        EXPECT_NEAR(std::abs(demand.second), mu * (1.0 + load.z()), 1e-14);
      } else if (triangle.exit == RollingExit::kSlipRoll) {
        EXPECT_NEAR(std::abs(demand.first), mu * (1.0 - load.z()), 1e-14);
      } else if (load.z() != 0.0) {
        EXPECT_NEAR(SlipSlipSurface(mu, demand, load.z()), 0.0, 1e-12);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, RealizabilityMeshTest,
                         ::testing::Values(std::pair{0.1, TroughBody::kLimitDirections},
                                           std::pair{0.3, TroughBody::kLimitDirections},
                                           std::pair{0.6, TroughBody::kLimitDirections},
                                           std::pair{0.95, TroughBody::kLimitDirections},
                                           std::pair{0.1, TroughBody::kAllFaces},
                                           std::pair{0.3, TroughBody::kAllFaces},
                                           std::pair{0.6, TroughBody::kAllFaces}));

// From the least μ to the largest: towards 1 the last faces are (1 − μ)² high, less than rounding
// of their loads.
TEST(RealizabilityMesh, IsClosedAndOnItsFacesForAnyFriction) {
  for (const double mu : {kMinTroughFriction, 1e-50, 1e-9, 1e-6, 1e-3, 0.01, 0.2, 0.4, 0.5, 0.8,
                          0.99, 0.999, 0.9999, 0.99999, 0.999999, 0.9999999, kMaxTroughFriction}) {
    const TroughBall ball = BallOf(mu);
    for (const TroughBody body : {TroughBody::kLimitDirections, TroughBody::kAllFaces}) {
      for (const int cells : {1, 2, 7, 16}) {
        SCOPED_TRACE(::testing::Message() << mu << " " << static_cast<int>(body) << " " << cells);
        const RealizabilityMesh mesh = *MeshRealizability(ball, body, cells);
        ExpectSphere(mesh);
        double off = 0.0;
        for (const auto& triangle : mesh.triangles) {
          for (const uint32_t vertex : triangle.vertices) {
            const Vec3& load = mesh.vertices[vertex];
            const TroughDemand demand = FindTroughDemand(ball.inertia_ratio, load);
            if (triangle.exit == RollingExit::kRollSlip) {
              off = std::max(off, std::abs(std::abs(demand.second) / mu - 1.0 - load.z()));
            } else if (triangle.exit == RollingExit::kSlipRoll) {
              off = std::max(off, std::abs(std::abs(demand.first) / mu - 1.0 + load.z()));
            }
          }
        }
        // Near 1 the body of all faces ends at loads that 1 − μ is divided out of.
        EXPECT_LT(off, 1e-11);
      }
    }
  }
}

// Seen from a triangle's middle, a fiftieth of the load further in or out. A triangle's plane is
// off the curved surface by the square of its size, 0.002, which is less.
TEST(RealizabilityMesh, TrianglesSeparateRollingFromWhatTheyName) {
  const TroughBall ball = BallOf(0.3);
  const RealizabilityMesh mesh = *MeshRealizability(ball, TroughBody::kLimitDirections, 16);
  std::map<RollingExit, int> counts;
  for (const auto& triangle : mesh.triangles) {
    const Vec3 middle = (mesh.vertices[triangle.vertices[0]] + mesh.vertices[triangle.vertices[1]] +
                         mesh.vertices[triangle.vertices[2]]) /
                        3.0;
    EXPECT_EQ(ClassifyTroughLoad(ball, 0.98 * middle), ContactPairState::kRollRoll)
        << middle.transpose();
    const ContactPairState beyond = ClassifyTroughLoad(ball, 1.02 * middle);
    EXPECT_NE(beyond, ContactPairState::kRollRoll) << middle.transpose();
    ++counts[triangle.exit];
  }
  EXPECT_EQ(counts.size(), 3u);
  EXPECT_GT(counts[RollingExit::kRollSlip], 0);
  EXPECT_EQ(counts[RollingExit::kRollSlip], counts[RollingExit::kSlipRoll]);  // mirror images
  EXPECT_GT(counts[RollingExit::kSlipSlip], 0);
}

TEST(RealizabilityMesh, EncodesEachFaceInItsGroup) {
  const RealizabilityMesh mesh = *MeshRealizability(BallOf(0.3), TroughBody::kAllFaces, 2);
  std::istringstream text(EncodeObj(mesh));
  size_t vertices = 0;
  size_t faces = 0;
  std::string groups;
  for (std::string kind; text >> kind;) {
    if (kind == "v") {
      Vec3 v;
      text >> v.x() >> v.y() >> v.z();
      EXPECT_EQ(v, mesh.vertices[vertices++]);
    } else if (kind == "f") {
      uint32_t corner = 0;
      for (int i = 0; i < 3; ++i) {
        text >> corner;
        EXPECT_LE(corner, mesh.vertices.size());
        EXPECT_GE(corner, 1u);
      }
      ++faces;
    } else {
      ASSERT_EQ(kind, "g");
      text >> kind;
      groups += kind;
    }
  }
  EXPECT_EQ(vertices, mesh.vertices.size());
  EXPECT_EQ(faces, mesh.triangles.size());
  EXPECT_EQ(groups, "RSSRSS");
}

TEST(RealizabilityMesh, RefusesWhatHasNoBody) {
  EXPECT_THAT(MeshRealizability(BallOf(1.0), TroughBody::kAllFaces, 4).status().message(),
              ::testing::HasSubstr("sliding_friction = 1 must lie within 1e-100 to"));
  EXPECT_THAT(MeshRealizability(BallOf(0.3), TroughBody::kAllFaces, 0).status().message(),
              ::testing::HasSubstr("cells = 0 must lie within 1 to 256"));
  EXPECT_FALSE(MeshRealizability(BallOf(0.3), TroughBody::kAllFaces, 257).ok());
}

}  // namespace
}  // namespace talus
