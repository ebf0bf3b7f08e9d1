// Which contact law is solved, by which algorithm, and when it stops. Plain vocabulary, also known
// to solver/solvers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "solver/scene/psor_settings.h"

namespace talus {

enum class ContactLaw : uint8_t {
  kNcp = 0,  // exact Coulomb with rolling and spinning friction
  kCcp = 1,  // its convex relaxation
  // With flat sides (solver/lcp), for some dozens of contacts.
  kBox = 2,        // each friction row bounded by itself, along the axes of the contact frame
  kPolygonal = 3,  // a polygon within Coulomb's disc
  kBristle = 4,    // springs between the surfaces, cut where they carry more than Coulomb allows
};

constexpr bool HasFlatSides(ContactLaw law) {
  return law != ContactLaw::kNcp && law != ContactLaw::kCcp;
}

enum class SolverKind : uint8_t {
  // Alart-Curnier for NCP, accelerated PSOR for CCP, block pivoting for laws with flat sides. With
  // joints Newton for NCP and CCP; it and what solves matrices take them, other solvers of these
  // laws do not.
  kLawDefault = 0,
  kAlartCurnier = 1,     // NCP only
  kAcceleratedPsor = 2,  // CCP only
  kPsor = 3,             // CCP only
  kApgd = 4,             // CCP only
  kNewton = 5,           // NCP and CCP: for small tolerances
  kBlockPivoting = 6,    // laws with flat sides only, like the next
  kLemke = 7,            // Lemke's method alone, which stands behind block pivoting too
  // On the step's problem as matrices (solver/matrix_solvers), for up to 50 000 contacts.
  kFixedPoint = 8,  // NCP and CCP, like the next two
  kExtragradient = 9,
  kNsgs = 10,
  kBarzilaiBorwein = 11,  // CCP only, like the next
  kAdmm = 12,
};
inline constexpr size_t kSolverKindCount = 13;

// One that solves matrices alone. NEWTON comes to them by way of sweeps.
constexpr bool IsMatrixSolver(SolverKind solver) {
  using enum SolverKind;
  return solver == kFixedPoint || solver == kExtragradient || solver == kNsgs ||
         solver == kBarzilaiBorwein || solver == kAdmm;
}

struct SolverSettings {
  ContactLaw law = ContactLaw::kNcp;
  SolverKind solver = SolverKind::kLawDefault;
  double tolerance = 1e-4;    // residual to stop at, in [1e-14, 1]
  int32_t max_sweeps = 1000;  // in [1, 1000000]; a pivot counts as a sweep
  bool warm_start = true;     // bristles need it: it is their memory
  // PSOR: what is not the default has it solved as matrices, for up to 50 000 contacts. Of any
  // other solver it must be the default.
  PsorSettings psor = {};
  // Polygonal: k, even, in [4, 32]. The first direction is the first tangent of the contact frame.
  int32_t facet_count = 8;
  double bristle_stiffness_n_m = 1e10;  // bristles: k_t, in [1e-3, 1e15]
  double slip_threshold_m_s = 0.01;     // bristles: v_th, in (0, 1e6]
};

// As the wire schema names it; the number of one that it has none for.
std::string NameOf(SolverKind solver);

// The solver that runs: where the settings leave it open the law's own, or what holds joints.
SolverKind ResolveSolver(const SolverSettings& settings, bool has_joints = false);

}  // namespace talus
