// What a body that rolls on two contact points does next: roll on at both, slip at one or slip at
// both [AS].
//
// While both contacts roll, their forces are not determined: any force along the line through the
// contact points may be added at one and taken off at the other. So friction cones alone do not say
// whether rolling goes on. [AS] asks instead whether slipping can grow out of zero: in a direction
// of slipping the friction forces are known, and with them the acceleration. A direction in which
// slip velocity and its rate are parallel is a limit direction; slipping starts along one that is
// repelling. Slipping at one point only is the same question with the other point held by
// rolling. Rolling at both goes on where nothing leaves it.
//
// The result depends on the input alone; the work is bounded (51 200 cells of directions and 224
// places beside their corners, at most forty Newton steps each). Friction is Coulomb's, without
// rolling or spinning resistance. Not covered: contacts that open, and more than two of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"

namespace talus {

// Rolling or slipping at contacts[0], then at contacts[1]; [AS] writes + and − for the two.
enum class ContactPairState : uint8_t {
  kRollRoll = 0,
  kRollSlip = 1,
  kSlipRoll = 2,
  kSlipSlip = 3
};
inline constexpr size_t kContactPairStates = 4;

// How the body goes on in one state.
struct PairMotion {
  ContactPairState state = ContactPairState::kRollRoll;
  Vec3 acceleration_world_m_s2 = Vec3::Zero();  // of the centre of mass
  Vec3 angular_acceleration_world_rad_s2 = Vec3::Zero();
  // On the body. Of rolling at both: the smallest ones (least sum of squares) within both cones.
  std::array<Vec3, 2> contact_forces_world_n = {Vec3::Zero(), Vec3::Zero()};
  // Rates of the slip velocities; zero where the body rolls.
  std::array<Vec3, 2> slip_accelerations_world_m_s2 = {Vec3::Zero(), Vec3::Zero()};
  // R: the rate of √(|u₀|² + |u₁|²), u the slip velocities, over the larger acceleration that the
  // contact points would have without contact forces. No unit; 0 for rolling at both.
  double growth = 0.0;
};

// A direction in which slipping at both points, u̇ = R u/|u|, keeps itself.
struct LimitDirection {
  // Of the slip velocities in the tangent planes, from t₁ = l × n / |l × n| towards t₂ = n × t₁, l
  // from contacts[1] to contacts[0]; in (−π, π]. Rigidity gives both the same sign.
  std::array<double, 2> angles_rad = {0.0, 0.0};
  PairMotion motion;  // with R in `growth`
  // With S the largest slip acceleration that load and friction can make, over the acceleration
  // that R is over; of the order of μ where μ and the load along the surfaces are small.
  bool repelling = false;   // R > 10⁻⁹ S: slipping may start this way
  bool attracting = false;  // R < −10⁻⁹ S: slipping may end this way
};

struct RollingTransition {
  // By ContactPairState. More than one may hold, where the theory itself leaves a choice; none
  // holds where no motion keeps both contacts closed. Rolling at both holds where slipping grows by
  // no more than 10⁻⁹ S and forces within both cones exist; where they do not, it is the fastest
  // slipping that holds.
  std::array<bool, kContactPairStates> realizable = {false, false, false, false};
  std::vector<PairMotion> motions;  // one a realizable state and direction, in the order of states
  std::vector<LimitDirection> limit_directions;  // fastest growth first

  // Whether some forces within both cones let both points roll, but for 10⁻¹² of the friction that
  // rolling asks for: necessary for rolling, and not sufficient. A point without friction rolls
  // where it needs none. Where slipping is realizable all the same, a body at rest may roll on
  // until a disturbance lets it slip, and a time step may keep it rolling.
  bool rolling_statically_possible = false;
  // The pairs of forces along the line through the contacts, pressing the body where positive, that
  // may be added to the smallest forces that hold both points; infinite where the line lies in both
  // cones and wedges the body; both 0 where rolling is not statically possible.
  double least_line_force_n = 0.0;
  double largest_line_force_n = 0.0;

  // Whether friction leaves exactly one pair of normal forces for every direction of slipping.
  // False where it does not (Painlevé's paradox); the answer then counts the motions with both
  // forces > 0.
  bool normal_forces_unique = true;

  bool IsRealizable(ContactPairState state) const { return realizable[static_cast<size_t>(state)]; }
};

// INVALID_ARGUMENT: as ValidateTwoPointBody; or the surfaces move such that their contact points,
// were the body to roll on, would have to change their distance.
absl::StatusOr<RollingTransition> AnalyzeRollingTransition(const TwoPointBody& body);

}  // namespace talus
