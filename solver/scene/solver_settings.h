// Which contact law is solved, by which algorithm, and when it stops. Plain vocabulary, also known
// to solver/solvers.
#pragma once

#include <cstdint>

namespace talus {

enum class ContactLaw : uint8_t {
  kNcp = 0,  // exact Coulomb with rolling and spinning friction
  kCcp = 1,  // its convex relaxation
};

enum class SolverKind : uint8_t {
  kLawDefault = 0,       // Alart-Curnier for NCP, accelerated PSOR for CCP
  kAlartCurnier = 1,     // NCP only
  kAcceleratedPsor = 2,  // CCP only
  kPsor = 3,             // CCP only
  kApgd = 4,             // CCP only
  kNewton = 5,           // either law: for small tolerances
};

struct SolverSettings {
  ContactLaw law = ContactLaw::kNcp;
  SolverKind solver = SolverKind::kLawDefault;
  double tolerance = 1e-4;    // residual to stop at, in [1e-14, 1]
  int32_t max_sweeps = 1000;  // in [1, 1000000]
  bool warm_start = true;
};

}  // namespace talus
