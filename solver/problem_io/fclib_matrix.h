// A sparse matrix as a group of an FCLIB file holds it: its shape m × n, values x, and by nz where
// they stand:
//
//   nz = −1   compressed columns: p[n + 1] begins of columns, i rows
//   nz = −2   compressed rows:    p[m + 1] begins of rows, i columns
//   nz ≥ 0    nz triplets:        i rows, p columns
//
// Triplets are those of CSparse, whose structure the library casts its own to and which Siconos
// writes; the comment in the library's header has i and p the other way round. Values of one place
// are added up.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/problem_io/hdf5_reader.h"
#include "solver/problem_io/hdf5_writer.h"

namespace talus {

enum class FclibStorage : uint8_t { kColumns, kTriplets };

// INVALID_ARGUMENT naming the dataset, also where the shape is another one.
absl::StatusOr<SparseMatrix> ReadFclibMatrix(const Hdf5Reader& reader, const std::string& group,
                                             Eigen::Index row_count, Eigen::Index column_count);

// With the group.
void WriteFclibMatrix(const SparseMatrix& matrix, FclibStorage storage, const std::string& group,
                      Hdf5Writer& writer);

}  // namespace talus
