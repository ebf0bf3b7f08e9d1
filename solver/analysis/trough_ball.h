// A ball in a right-angled trough, in closed form [AS §6]: which torques it rolls under, and where
// slipping starts.
//
// The walls are the planes x = 0 and y = 0, the ball lies in x, y > 0, and gravity is along
// −(1, 1, 0)/√2; z is the trough's axis. contacts[0] ([AS]: +) is on the wall y = 0, contacts[1]
// ([AS]: −) on the wall x = 0. Loads are torques m = M √2 / (m g r), no unit. While the ball rolls
// it asks for friction along z of f₀ = A at contacts[0] and −B at contacts[1], in units of m g /
// √2,
//   A = ((1 + j) m_x + j m_y) / (1 + 2j),   B = ((1 + j) m_y + j m_x) / (1 + 2j),
// j = J / (m r²). Slipping starts at three kinds of faces:
//   RS, slipping at contacts[1]:  |B| = μ (1 + m_z), [AS]: (1+j) m_y + j m_x = ± k (1 + m_z),
//   SR, slipping at contacts[0]:  |A| = μ (1 − m_z), k = μ (1 + 2j),
//   SS: A² + q² = μ² (1 − q − m_z)² and B² + (q + m_z)² = μ² (1 − q)², q m g / √2 the friction
//   across z at contacts[0]; q between −m_z and 0, as the points slip opposite ways across z.
// Every body of loads here is symmetric in m_z → −m_z with A and B exchanged, and in the signs of A
// and B.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"

namespace talus {

// μ of the closed form: less has no square that is a number; closer to 1 marks that are (1 − μ)²
// apart are one number.
inline constexpr double kMinTroughFriction = 1e-100;
inline constexpr double kMaxTroughFriction = 1.0 - 1e-8;

struct TroughBall {
  double mass_kg = 1.0;        // > 0
  double radius_m = 1.0;       // > 0
  double gravity_m_s2 = 9.81;  // > 0
  // μ in [kMinTroughFriction, kMaxTroughFriction]; from 1 on the walls wedge the ball under any
  // torque.
  double sliding_friction = 0.3;
  double inertia_ratio = 0.4;  // j in (0, 2/3]; solid 2/5
};

// INVALID_ARGUMENT names the field, its value and its range.
absl::Status ValidateTroughBall(const TroughBall& ball);

// The ball under `load`, at rest, as the general analysis takes it.
TwoPointBody MakeTroughBody(const TroughBall& ball, const Vec3& load);

// A and B of a load, and back.
struct TroughDemand {
  double first = 0.0;   // A
  double second = 0.0;  // B
};
TroughDemand FindTroughDemand(double inertia_ratio, const Vec3& load);
Vec3 FindTroughLoad(double inertia_ratio, const TroughDemand& demand, double m_z);

// v̇ = g (m_x − m_y) / (√2 (1 + 2j)) = (M_x − M_y) / (m r (1 + 2j)): along z, while the ball rolls.
double FindRollingAcceleration(const TroughBall& ball, const Vec3& load);

// A² + q² − μ² (1 − q − m_z)² with q = (A² − B² + 2μ² m_z − (1 + μ²) m_z²) / (2 (1 + μ²) m_z), the
// difference of the two equations of SS: zero on the surface of which the SS face is a part. m_z
// must not be 0.
double SlipSlipSurface(double sliding_friction, const TroughDemand& demand, double m_z);

// Two bodies of loads. The limit directions are what AnalyzeRollingTransition and a friction law
// with a small slope go by: an RS or SR face ends where the point that rolls comes to its own cone,
// |m_z| ≤ μ and A² + m_z² ≤ μ² or B² + m_z² ≤ μ², and the SS face goes on from there. The other
// body is cut by all three faces wherever they are. It is the one [AS] gives m_z1, m_z2 and the
// largest acceleration of; the first holds it and a thin bulge beyond one pair of planes.
enum class TroughBody : uint8_t { kLimitDirections = 0, kAllFaces = 1 };

// The outline of a body at one height 0 ≤ m_z ≤ m_z3, in A, B ≥ 0: along B = top.second from A = 0
// to top.first (RS), along the SS curve from q_start to q_end, and along A = side.first from
// B = side.second down to 0 (SR). Any of the three may be a point.
struct TroughOutline {
  TroughDemand top;
  TroughDemand side;
  double q_start = 0.0;
  double q_end = 0.0;
};
TroughOutline FindTroughOutline(double sliding_friction, double m_z, TroughBody body);
// The point of the SS curve at q.
TroughDemand FindSlipSlipPoint(double sliding_friction, double m_z, double q);

// The q at which the curve crosses the SR plane beyond the bulge; it also meets it at q = 0.
double FindPlaneCrossing(double sliding_friction, double m_z);

// Heights and accelerations of note.
struct TroughMarks {
  double m_z1 = 0.0;  // 2μ²/(1+μ²): there the SS face reaches the edge between RS and SR
  double m_z2 = 0.0;  // (μ²+μ)/(2μ²−μ+1): there it has taken all of SR
  double m_z3 = 0.0;  // 2μ/(1+μ²): the tip
  // √2 μ g, on the edge m_x = k − μ m_z, m_y = −k − μ m_z, |m_z| ≤ m_z1.
  double edge_acceleration_m_s2 = 0.0;
  // μ (1 + √(1 + μ²)) g/√2, in the bulge: at m_z = ± μ²/√(1 + μ²).
  double largest_acceleration_m_s2 = 0.0;
};
TroughMarks FindTroughMarks(double sliding_friction, double gravity_m_s2);

// What the ball does under `load`, by the limit directions. |m_z| < 1, else a contact opens.
ContactPairState ClassifyTroughLoad(const TroughBall& ball, const Vec3& load);

}  // namespace talus
