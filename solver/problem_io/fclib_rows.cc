#include "solver/problem_io/fclib_rows.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/problem_io/row_map.h"

namespace talus {
namespace {

SparseMatrix Spread(Eigen::Index row_count, const std::vector<int>& rows) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    triplets.emplace_back(rows[i], static_cast<int>(i), 1.0);
  }
  SparseMatrix spread(row_count, static_cast<Eigen::Index>(rows.size()));
  spread.setFromTriplets(triplets.begin(), triplets.end());
  return spread;
}

void AddContact(size_t block, int dimension, FclibRows& rows) {
  for (const int row : RowsOfDimension(dimension)) {
    rows.contacts.push_back(6 * static_cast<int>(block) + row);
  }
}

absl::Status AddBounds(size_t block, const BlockLaw& law, FclibRows& rows) {
  for (int row = 0; row < 6; ++row) {
    const double lower = law.lower[row];
    const double upper = law.upper[row];
    if (lower == 0.0 && upper == 0.0) continue;
    if (lower != -kNoBound || upper != kNoBound) {
      return FieldError(absl::StrCat("blocks[", block, "].lower[", row, "]"), FormatValue(lower),
                        absl::StrCat("(upper ", FormatValue(upper),
                                     ") must be -inf with upper inf, or 0 with upper 0: FCLIB has "
                                     "bounds only as equalities"));
    }
    rows.equalities.push_back(6 * static_cast<int>(block) + row);
  }
  return absl::OkStatus();
}

}  // namespace

SparseMatrix FclibRows::SpreadContacts() const { return Spread(row_count, contacts); }

SparseMatrix FclibRows::SpreadEqualities() const { return Spread(row_count, equalities); }

FclibRows RowsOfFclibFile(int dimension, Eigen::Index contact_count, Eigen::Index equality_count) {
  const Eigen::Index bounds_count = (equality_count + 5) / 6;
  FclibRows rows{.dimension = dimension, .row_count = 6 * (contact_count + bounds_count)};
  for (Eigen::Index i = 0; i < contact_count; ++i) {
    AddContact(static_cast<size_t>(i), dimension, rows);
  }
  for (Eigen::Index i = 0; i < equality_count; ++i) {
    rows.equalities.push_back(static_cast<int>(6 * contact_count + i));
  }
  return rows;
}

absl::StatusOr<FclibRows> RowsOfProblem(const MatrixProblem& problem) {
  FclibRows rows{.dimension = 3, .row_count = problem.row_count()};
  for (const BlockLaw& law : problem.laws) {
    if (law.kind == BlockLawKind::kContact && law.cone.rolling > 0.0) rows.dimension = 5;
  }
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const BlockLaw& law = problem.laws[i];
    if (law.kind == BlockLawKind::kBounds) {
      TALUS_RETURN_IF_ERROR(AddBounds(i, law, rows));
      continue;
    }
    if (law.cone.spinning > 0.0) {
      return FieldError(absl::StrCat("blocks[", i, "].sigma"), FormatValue(law.cone.spinning),
                        "must be 0: FCLIB has no spinning friction, JSON does");
    }
    AddContact(i, rows.dimension, rows);
  }
  if (rows.contacts.empty()) return FieldError("blocks", "none", "must have a contact in FCLIB");
  return rows;
}

std::vector<BlockLaw> LawsOfEqualities(Eigen::Index equality_count) {
  std::vector<BlockLaw> laws(static_cast<size_t>((equality_count + 5) / 6));
  for (Eigen::Index i = 0; i < 6 * std::ssize(laws); ++i) {
    BlockLaw& law = laws[static_cast<size_t>(i / 6)];
    law.kind = BlockLawKind::kBounds;
    law.lower[i % 6] = i < equality_count ? -kNoBound : 0.0;
    law.upper[i % 6] = i < equality_count ? kNoBound : 0.0;
  }
  return laws;
}

}  // namespace talus
