#include "solver/contact/contact_frame.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace talus
