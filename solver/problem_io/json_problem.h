// Contact problems as JSON. Numbers are written so that they read back to the same double.
//
// contact-problem/1, written and read:
//   { "format": "contact-problem/1", "name": "…",
//     "blocks": [ {"mu", "sigma", "rho"}  or  {"lower": [6], "upper": [6]} ],   null: no bound
//     "q": [6 a block], "compliance": [6 a block],                              may be missing: 0
//     "W": {"storage": "bsr", "block": 6, "brow", "bcol", "row_major_blocks"},
//     "M", "H": {"storage": "coo", "shape", "i", "j", "v"}, "f", "w",           all four or none
//     "old_impulse": [6 a block],       what bristles remember, N s, N m s;     may be missing:
//     none "reference": {"p": [6 a block], "y": [6 a block]} }                       may be missing
// rows of a block as in contact/wrench.h. W and q are formed from M, H, f and w where these are
// there, and may be left out; given, they must agree with them (matrix/velocity_form.h). They are
// written only without them: those of a step grow with every two contacts of a body.
//
// rolling-ccp/1, read: nc contacts of d = 5 rows r_N, r_T1, r_T2, m_R1, m_R2 (no spinning) or d = 3
// (sliding alone), in this "order", which may say so; "name"; "mu", "mu_r": [nc]; "q";
// "compliance"; "W" dense (row_major) or bsr; "M", "H", "f", "w"; "old_impulse"; "reference".
//
// "source" and "stats" may be there and are not read, nor what else "reference" holds. Any other
// field is refused. Ranges of the numbers: base/limits.h.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "solver/problem_io/problem_file.h"

namespace talus {

// INVALID_ARGUMENT naming the field, what it holds and what it must, or line and column of what is
// no JSON; RESOURCE_EXHAUSTED: more blocks, or blocks of W, than base/limits.h has. The problem is
// valid (matrix/matrix_problem.h).
absl::StatusOr<ProblemFile> ReadJsonProblem(std::string_view text);

std::string WriteJsonProblem(const ProblemFile& file);

}  // namespace talus
