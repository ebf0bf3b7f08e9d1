// What any manifold has to be, and what a moved, exchanged or rounded pair must have in common with
// the original.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "solver/collision/narrow_phase.h"

namespace talus::testing {

inline ContactManifold FindContactsOf(const ShapeProxy& a, const ShapeProxy& b, double margin_m) {
  ContactManifold manifold;
  FindContacts(a, b, margin_m, manifold);
  return manifold;
}

inline std::span<const ContactPoint> PointsOf(const ContactManifold& manifold) {
  return {manifold.points.data(), static_cast<size_t>(manifold.count)};
}

inline double LeastGap(const ContactManifold& manifold) {
  double gap = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : PointsOf(manifold)) gap = std::min(gap, point.gap);
  return gap;
}

// Unit normals, finite numbers, gaps within the margin, features that differ.
inline void ExpectSound(const ContactManifold& manifold, double margin_m) {
  std::set<uint32_t> features;
  for (const ContactPoint& point : PointsOf(manifold)) {
    EXPECT_TRUE(IsFinite(point.point));
    EXPECT_NEAR(point.normal.norm(), 1.0, 1e-12);
    EXPECT_LE(point.gap, margin_m);
    EXPECT_TRUE(features.insert(point.feature).second) << "feature " << point.feature << " twice";
    EXPECT_EQ(point.normal, manifold.points[0].normal);
  }
}

// The same contacts, point by point, after `move` was applied to both shapes.
inline void ExpectMoved(const ContactManifold& original, const ContactManifold& moved,
                        const Pose& move, double tolerance) {
  ASSERT_EQ(moved.count, original.count);
  for (size_t i = 0; i < static_cast<size_t>(original.count); ++i) {
    const ContactPoint& expected = original.points[i];
    const ContactPoint& actual = moved.points[i];
    EXPECT_EQ(actual.feature, expected.feature);
    EXPECT_NEAR(actual.gap, expected.gap, tolerance);
    EXPECT_LT((actual.point - move * expected.point).norm(), tolerance);
    EXPECT_LT((actual.normal - move.orientation * expected.normal).norm(), tolerance);
  }
}

}  // namespace talus::testing
