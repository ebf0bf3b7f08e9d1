#include "solver/solvers/friction_gauge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solver/base/random.h"

namespace talus {
namespace {

TEST(GaugeFriction, IsTheFartherAxisOfABox) {
  EXPECT_EQ(GaugeFriction(ContactLaw::kBox, 8, -3.0, 2.0), 3.0);
  EXPECT_EQ(GaugeFriction(ContactLaw::kBox, 8, 1.0, -4.0), 4.0);
}

TEST(GaugeFriction, IsTheLengthUnderCoulomb) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp, ContactLaw::kBristle}) {
    EXPECT_EQ(GaugeFriction(law, 8, -3.0, 4.0), 5.0);
  }
}

// Between two directions of the law, d_j and d_j+1, the side of the polygon is their chord.
TEST(GaugeFriction, IsOneOnTheSidesOfThePolygon) {
  constexpr uint64_t kSeed = 3;
  Random random(kSeed);
  for (const int32_t facets : {4, 6, 8, 32}) {
    const double turn = 2.0 * std::numbers::pi / facets;
    for (int32_t j = 0; j < facets; ++j) {
      const double share = random.Uniform(0.0, 1.0);
      const double x = share * std::cos(turn * j) + (1.0 - share) * std::cos(turn * (j + 1));
      const double y = share * std::sin(turn * j) + (1.0 - share) * std::sin(turn * (j + 1));
      EXPECT_NEAR(GaugeFriction(ContactLaw::kPolygonal, facets, x, y), 1.0, 1e-14)
          << "seed " << kSeed;
      EXPECT_NEAR(GaugeFriction(ContactLaw::kPolygonal, facets, 0.3 * x, 0.3 * y), 0.3, 1e-14);
    }
  }
  EXPECT_EQ(GaugeFriction(ContactLaw::kPolygonal, 8, 0.0, 0.0), 0.0);
}

}  // namespace
}  // namespace talus
