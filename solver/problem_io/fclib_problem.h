// Contact problems in the HDF5 files of the Friction-Contact Library (Acary, Brémond, Koziara,
// Pérignon, "FCLIB: a collection of discrete 3D frictional contact problems", INRIA RT-444, 2014):
// what the nonsmooth-mechanics community exchanges its problems in.
//
//   /fclib_local    û = W r + V λ + q + μ‖u_T‖ n,  Vᵀ r + R λ + s = 0
//   /fclib_global   M v = H r + G λ + f,  Gᵀ v + b = 0,  û = Hᵀ v + w + μ‖u_T‖ n
//   both            K* ∋ û ⟂ r ∈ K;   spacedim rows a contact, vectors/mu [contacts]
//   /solution       u, r, with equalities l = λ, of a global problem v
//
// with V, R, s and G, b where there are equalities. Rows of a contact: r_N, r_T1, r_T2 of 3; r_N,
// r_T1 of 2; r_N, r_T1, r_T2, m_R1, m_R2 of 5 with rolling, whose coefficients are vectors/mu_r
// (m). Normal first, r_N ≥ 0 and u_N > 0 apart: r is γ, u is u, W is W + E of
// matrix/matrix_problem.h, and no sign differs. Rolling is not in the library's release 3.1, which
// reads such a file all the same and does not see mu_r; releases with rolling have it as mu_r.
//
// Equalities are bilateral rows of blocks of bounds (fclib_rows.h). Where a file holds a local and
// a global problem, the global one is read, as by the library. Guesses are not read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "solver/problem_io/problem_file.h"

namespace talus {

// Any bytes at all give a valid problem (matrix/matrix_problem.h), INVALID_ARGUMENT naming the
// dataset, what it holds and what it must, or RESOURCE_EXHAUSTED where it has more blocks, or
// blocks of W, than base/limits.h.
absl::StatusOr<ProblemFile> ReadFclibProblem(std::string_view bytes);

enum class FclibForm : uint8_t {
  kAuto,    // global where the problem has velocities and is rigid
  kLocal,   // W + E
  kGlobal,  // M and H
};

// The bytes of a file; the same for the same problem. INVALID_ARGUMENT where the problem is not
// valid, where FCLIB has no words for a block (fclib_rows.h), or where the global form is asked for
// and there are no velocities, or there is compliance, which that form cannot hold.
absl::StatusOr<std::string> WriteFclibProblem(const ProblemFile& file,
                                              FclibForm form = FclibForm::kAuto);

}  // namespace talus
