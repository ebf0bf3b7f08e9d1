#include "solver/contact/contact_frame.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solver/base/random.h"

namespace talus {
namespace {

void ExpectRightHanded(const ContactFrame& f) {
  EXPECT_NEAR(f.u.norm(), 1.0, 1e-14);
  EXPECT_NEAR(f.w.norm(), 1.0, 1e-14);
  EXPECT_NEAR(f.n.dot(f.u), 0.0, 1e-14);
  EXPECT_LE((f.n.cross(f.u) - f.w).norm(), 1e-14);
}

TEST(ContactFrame, IsRightHandedForEveryNormal) {
  for (const Vec3& n : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(0, -1, 0),
                        Vec3(0, 0, -1)}) {
    ExpectRightHanded(MakeContactFrame(n));
  }
  Random random(3);
  for (int sample = 0; sample < 10000; ++sample) {
    const Vec3 n(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1));
    ExpectRightHanded(MakeContactFrame(n.normalized()));
  }
  ExpectRightHanded(MakeContactFrame(Vec3(1e-9, -1e-9, -1.0).normalized()));
}

// NOTATION §2: u is x, turned by the shortest way that leads z (or −z, where n_z has a minus sign)
// to n. By Rodrigues' formula about that way's axis.
Vec3 FirstTangent(const Vec3& n) {
  const Vec3 from = std::signbit(n.z()) ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
  const Vec3 x = Vec3::UnitX();
  const Vec3 axis = from.cross(n);  // of length sin
  const double sine = axis.norm();
  if (sine == 0.0) return x;
  const Vec3 k = axis / sine;
  const double cosine = from.dot(n);
  return cosine * x + sine * k.cross(x) + (1.0 - cosine) * k.dot(x) * k;
}

TEST(ContactFrame, HasTheFirstTangentThatIsWrittenDown) {
  for (const double sign : {1.0, -1.0}) {
    for (const Vec3& normal :
         {Vec3(0.0, 0.0, sign), Vec3(0.6, 0.0, 0.8 * sign), Vec3(0.0, 0.6, 0.8 * sign),
          Vec3(-0.48, 0.6, 0.64 * sign), Vec3(0.8, -0.6, 0.0 * sign), Vec3(1.0, 0.0, 0.0 * sign),
          Vec3(0.0, 1.0, 0.0 * sign), Vec3(-0.6, -0.8, 0.0 * sign)}) {
      const ContactFrame frame = MakeContactFrame(normal);
      EXPECT_LE((frame.u - FirstTangent(normal)).norm(), 1e-14) << normal.transpose();
      EXPECT_LE((frame.w - normal.cross(FirstTangent(normal))).norm(), 1e-14);
    }
  }
  // Of a normal along z, up or down.
  EXPECT_EQ(MakeContactFrame(-Vec3::UnitZ()).u, Vec3::UnitX());
  EXPECT_EQ(MakeContactFrame(-Vec3::UnitZ()).w, -Vec3::UnitY());
  EXPECT_EQ(MakeContactFrame(Vec3::UnitZ()).w, Vec3::UnitY());
}

// Where n_z changes its sign, at (cos φ, sin φ, ±0), u turns by 2φ − π about n: not at all at ±y,
// by half a turn at ±x.
TEST(ContactFrame, JumpsWhereTheNormalIsLevel) {
  for (const double azimuth : {0.0, 0.3, 1.0, 0.5 * std::numbers::pi, 2.0, 4.0, 6.0}) {
    const Vec3 above(std::cos(azimuth), std::sin(azimuth), 0.0);
    const Vec3 below(std::cos(azimuth), std::sin(azimuth), -0.0);
    const Eigen::AngleAxisd jump(2.0 * azimuth - std::numbers::pi, above);
    EXPECT_LE((MakeContactFrame(below).u - jump * MakeContactFrame(above).u).norm(), 1e-14)
        << azimuth;
  }
}

}  // namespace
}  // namespace talus
