// Contacts in blocks of eight lanes, and the bodies they act on: the layout the sweeps stream
// through (docs/decisions/0008-contacts-in-blocks.md).
//
// Every field of a block is one cache line of eight doubles, one a contact, so that a kernel reads
// just the lines it needs, with vectors of any width up to eight. The Jacobian is not stored but
// made anew from normal, tangent and arms; nor is the local block W = D_iᵀ M⁻¹ D_i, which enters by
// its steps and weights. What only contacts that are not central need stands apart (WideBlock): the
// weights of a central contact are its inverse masses, which a kernel has anyway. What is here is
// constant while a problem is solved; impulses stand in arrays of their own (WrenchBlock).
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/base/math.h"
#include "solver/contact/wrench.h"

namespace talus {

inline constexpr size_t kLanes = 8;

// What a kernel computes in: double, or float for the sweeps that need no more (solvers/
// single_sweeps.h).
template <typename Real>
using LanesOf = Real[kLanes];
using Lanes = LanesOf<double>;

// Of what blocks of floats hold, in the units of their problem (problem_units.h): what is larger
// counts as this, what is smaller than the inverse as nothing. Squares stay in the range of floats.
inline constexpr double kLargestStored = 1e18;

// The rows of a contact's block fall in four parts that share a coefficient, a step and a weight.
enum Part : size_t { kNormal = 0, kSliding = 1, kSpinning = 2, kRolling = 3, kPartCount = 4 };

// The part each row of a Wrench belongs to.
inline constexpr Part kPartOfRow[6] = {kNormal, kSliding, kSliding, kSpinning, kRolling, kRolling};

// Bodies are lines of eight numbers: BodyMotion, InertiaLine.
inline constexpr uint32_t kLineReals = 8;

// What the contacts of a block have in common, and so which kernel they take.
enum class BlockGeometry : uint8_t {
  kCentral = 0,  // round bodies touched on the normal through their centres of mass: spheres
  kRound = 1,    // round: inverse inertias are multiples of the identity
  kFull = 2,     // anything
};

template <typename Real>
struct alignas(kLanes * sizeof(Real)) ContactBlockOf {
  using Lanes = LanesOf<Real>;

  // Where the bodies' lines begin, in numbers: rows times kLineReals. Empty lanes (BlockLayout) are
  // null contacts of a null body with itself.
  uint32_t line_a[kLanes];
  uint32_t line_b[kLanes];
  Lanes normal[3];         // n, world, from a to b
  Lanes tangent[3];        // u, world; w = n x u
  Lanes reach_a, reach_b;  // contact point minus centre of mass along n, m; for central blocks
  Lanes bias;              // b_n, m/s: u_n + b_n >= 0 is what the normal part asks for
  Lanes friction[3];       // μ, σ (m), ρ (m): of the parts from kSliding on
  // What a sweep multiplies the velocity with (contact_problem.h), of the parts kNormal, kSliding
  // and kRolling; in a central block kSpinning shares that of kRolling.
  Lanes step[3];

  Real Friction(Part part, size_t lane) const {
    return part == kNormal ? Real{1} : friction[part - kSliding][lane];
  }
};
using ContactBlock = ContactBlockOf<double>;
static_assert(sizeof(ContactBlock) == kLanes * 128);
static_assert(sizeof(ContactBlockOf<float>) == kLanes * 68);

// One number for each part of each contact of a block: its weights. The metric: the mean of W's
// diagonal, so that ‖γ'‖² = Σ weight γ². 1/kg, and 1/(kg m²) for the two torque parts.
template <typename Real>
struct alignas(64) PartBlockOf {
  LanesOf<Real> part[kPartCount];
};
using PartBlock = PartBlockOf<double>;

// What blocks that are not central have beside the rest.
template <typename Real>
struct alignas(64) WideBlockOf {
  using Lanes = LanesOf<Real>;

  Lanes arm_a[3], arm_b[3];  // contact point minus centre of mass, world, m
  PartBlockOf<Real> weight;
  Lanes spinning_step;
  Lanes worst_step;  // ρ_c of the residual η (contact/residual.h), kg
};
using WideBlock = WideBlockOf<double>;

// Six numbers for each contact of a block, in the order of Wrench.
template <typename Real>
struct alignas(64) WrenchBlockOf {
  LanesOf<Real> row[6];

  Wrench Get(size_t lane) const {
    Wrench wrench;
    for (int k = 0; k < 6; ++k) wrench[k] = row[k][lane];
    return wrench;
  }
  void Set(size_t lane, const Wrench& wrench) {
    for (int k = 0; k < 6; ++k) row[k][lane] = static_cast<Real>(wrench[k]);
  }
};
using WrenchBlock = WrenchBlockOf<double>;

// A body's velocity and, in the same cache line, how it answers impulses. Prescribed bodies have
// zeros there. A body whose inverse inertia is not a multiple of the identity has its tensor in
// InertiaLine.
template <typename Real>
struct alignas(kLineReals * sizeof(Real)) BodyMotionOf {
  Real linear[3] = {};       // m/s
  Real inverse_mass = 0;     // 1/kg
  Real angular[3] = {};      // rad/s
  Real inverse_inertia = 0;  // 1/(kg m²)

  // The line as the kernels read it, and with it those of the bodies after it.
  Real* line() { return reinterpret_cast<Real*>(this); }
  const Real* line() const { return reinterpret_cast<const Real*>(this); }

  bool dynamic() const { return inverse_mass > 0; }
  Vec3 Linear() const { return {linear[0], linear[1], linear[2]}; }
  Vec3 Angular() const { return {angular[0], angular[1], angular[2]}; }
  void Set(const Vec3& new_linear, const Vec3& new_angular) {
    for (int k = 0; k < 3; ++k) {
      linear[k] = new_linear[k];
      angular[k] = new_angular[k];
    }
  }
};
using BodyMotion = BodyMotionOf<double>;

// An inverse inertia tensor in world axes, 1/(kg m²), in halves of four as it is loaded.
template <typename Real>
struct alignas(kLineReals * sizeof(Real)) InertiaLineOf {
  Real xx = 0, yy = 0, zz = 0, xy = 0;
  Real xz = 0, yz = 0, unused[2] = {};

  const Real* line() const { return reinterpret_cast<const Real*>(this); }
};
using InertiaLine = InertiaLineOf<double>;

}  // namespace talus
