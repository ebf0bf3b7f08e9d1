// What the diagonal of W must be: how each row moves under its own impulse. W = Hᵀ M⁻¹ H is
// positive semidefinite, and a problem whose W is not may have no solution, or answers that mean
// nothing.
//
// Looked at is each block of the diagonal by itself; that all of them together are the diagonal of
// a semidefinite matrix is not checked. Rows that no impulse moves have zero on the diagonal, and
// then nothing else in their row.
#pragma once

#include "absl/status/status.h"
#include "solver/matrix/block_matrix.h"

namespace talus {

// The least eigenvalue of a block whose rows are scaled to a diagonal of one may be this far below
// zero: numbers that came in four bytes pass.
inline constexpr double kIndefinite = 1e-6;

// Of one block row, where finding it takes little: whether CheckMobility has nothing against it.
bool HasSureMobility(const BlockMatrix& w, size_t row);

// INVALID_ARGUMENT naming the block, as `blocks[3].W[0][0]`: a diagonal that is neither 0 nor in
// [kMinDiagonal, kMaxMobility], a row beside a diagonal of 0 that is not zero.
absl::Status CheckMobility(const BlockMatrix& w);

// Likewise: a block that is not positive semidefinite. CheckMobility must have found nothing.
absl::Status CheckSemidefinite(const BlockMatrix& w);

}  // namespace talus
