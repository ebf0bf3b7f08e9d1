// Which rows of a problem the rows of an FCLIB file are. A file has contacts of two, three or five
// rows (row_map.h) and beside them equalities, u = 0 with impulses of any sign; a problem has
// blocks of six rows, contacts or bounds.
//
// Read: the contacts in their order, then blocks of bounds with six equalities each, the last one
// filled up with rows of no meaning. Written: the contacts in their order and the bilateral rows of
// the blocks of bounds in theirs.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

struct FclibRows {
  int dimension = 0;                 // rows a contact
  Eigen::Index row_count = 0;        // of the problem
  std::vector<int> contacts = {};    // of each row of the file's contacts, the row of the problem
  std::vector<int> equalities = {};  // of each of its equalities

  Eigen::Index contact_row_count() const { return static_cast<Eigen::Index>(contacts.size()); }
  Eigen::Index equality_count() const { return static_cast<Eigen::Index>(equalities.size()); }

  // P, a column for each row of the file: P x spreads its values over those of the problem, Pᵀ x
  // takes them out.
  SparseMatrix SpreadContacts() const;
  SparseMatrix SpreadEqualities() const;
};

// Of a file. `dimension` must be one of row_map.h.
FclibRows RowsOfFclibFile(int dimension, Eigen::Index contact_count, Eigen::Index equality_count);

// Of a problem, with as few rows a contact as its friction needs: rows without friction have no
// impulse. INVALID_ARGUMENT naming the block that the format has no words for: a contact with
// spinning friction, a row of bounds that is neither bilateral nor without meaning; or no contact.
absl::StatusOr<FclibRows> RowsOfProblem(const MatrixProblem& problem);

// What the equalities of a file obey, block by block.
std::vector<BlockLaw> LawsOfEqualities(Eigen::Index equality_count);

}  // namespace talus
