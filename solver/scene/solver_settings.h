// Which contact law is solved, by which algorithm, and when it stops. Plain vocabulary, also known
// to solver/solvers.
#pragma once

#include <cstdint>

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
  // Alart-Curnier for NCP, accelerated PSOR for CCP, block pivoting for laws with flat sides
  kLawDefault = 0,
  kAlartCurnier = 1,     // NCP only
  kAcceleratedPsor = 2,  // CCP only
  kPsor = 3,             // CCP only
  kApgd = 4,             // CCP only
  kNewton = 5,           // NCP and CCP: for small tolerances
  kBlockPivoting = 6,    // laws with flat sides only, like the next
  kLemke = 7,            // Lemke's method alone, which stands behind block pivoting too
};

struct SolverSettings {
  ContactLaw law = ContactLaw::kNcp;
  SolverKind solver = SolverKind::kLawDefault;
  double tolerance = 1e-4;    // residual to stop at, in [1e-14, 1]
  int32_t max_sweeps = 1000;  // in [1, 1000000]; a pivot counts as a sweep
  bool warm_start = true;     // bristles need it: it is their memory
  // Polygonal: k, even, in [4, 32]. The first direction is the first tangent of the contact frame.
  int32_t facet_count = 8;
  double bristle_stiffness_n_m = 1e10;  // bristles: k_t, in [1e-3, 1e15]
  double slip_threshold_m_s = 0.01;     // bristles: v_th, in (0, 1e6]
};

}  // namespace talus
