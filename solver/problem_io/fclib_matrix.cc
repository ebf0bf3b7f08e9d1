#include "solver/problem_io/fclib_matrix.h"

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr int64_t kCompressedColumns = -1;
constexpr int64_t kCompressedRows = -2;

using Triplets = std::vector<Eigen::Triplet<double>>;

// The datasets of one matrix, sizes checked.
struct StoredMatrix {
  std::string group;
  int64_t row_count = 0;
  int64_t column_count = 0;
  std::vector<int64_t> p;
  std::vector<int64_t> i;
  Eigen::VectorXd x;
};

absl::Status CheckIndex(const std::string& path, size_t at, int64_t index, int64_t count) {
  if (index >= 0 && index < count) return absl::OkStatus();
  return FieldError(absl::StrCat(path, "[", at, "]"), FormatValue(index),
                    absl::StrCat("must be from 0 to ", count - 1));
}

absl::Status CheckSize(const std::string& path, int64_t size, int64_t low, int64_t high) {
  if (size >= low && size <= high) return absl::OkStatus();
  return FieldError(absl::StrCat(path, ".size"), FormatValue(size),
                    low == high ? absl::StrCat("must be ", low)
                                : absl::StrCat("must be from ", low, " to ", high));
}

absl::StatusOr<Triplets> ExpandTriplets(const StoredMatrix& stored, int64_t count,
                                        int64_t most_count) {
  const std::string columns = stored.group + "/p";
  const std::string rows = stored.group + "/i";
  TALUS_RETURN_IF_ERROR(CheckSize(columns, std::ssize(stored.p), count, most_count));
  TALUS_RETURN_IF_ERROR(CheckSize(rows, std::ssize(stored.i), count, most_count));
  TALUS_RETURN_IF_ERROR(CheckSize(stored.group + "/x", stored.x.size(), count, most_count));
  Triplets triplets;
  triplets.reserve(static_cast<size_t>(count));
  for (size_t k = 0; k < static_cast<size_t>(count); ++k) {
    TALUS_RETURN_IF_ERROR(CheckIndex(rows, k, stored.i[k], stored.row_count));
    TALUS_RETURN_IF_ERROR(CheckIndex(columns, k, stored.p[k], stored.column_count));
    triplets.emplace_back(static_cast<int>(stored.i[k]), static_cast<int>(stored.p[k]),
                          stored.x[static_cast<Eigen::Index>(k)]);
  }
  return triplets;
}

absl::StatusOr<Triplets> ExpandCompressed(const StoredMatrix& stored, bool by_columns,
                                          int64_t most_count) {
  const std::string begins = stored.group + "/p";
  const std::string inner = stored.group + "/i";
  const int64_t outer_count = by_columns ? stored.column_count : stored.row_count;
  const int64_t inner_count = by_columns ? stored.row_count : stored.column_count;
  TALUS_RETURN_IF_ERROR(CheckSize(begins, std::ssize(stored.p), outer_count + 1, outer_count + 1));
  TALUS_RETURN_IF_ERROR(CheckSize(inner, std::ssize(stored.i), most_count, most_count));
  TALUS_RETURN_IF_ERROR(CheckSize(stored.group + "/x", stored.x.size(), most_count, most_count));
  int64_t begin = 0;
  for (size_t outer = 0; outer < stored.p.size(); ++outer) {
    const bool fits =
        outer == 0 ? stored.p[0] == 0 : stored.p[outer] >= begin && stored.p[outer] <= most_count;
    if (!fits) {
      return FieldError(absl::StrCat(begins, "[", outer, "]"), FormatValue(stored.p[outer]),
                        outer == 0 ? std::string("must be 0")
                                   : absl::StrCat("must be from ", begin, " to ", most_count));
    }
    begin = stored.p[outer];
  }
  Triplets triplets;
  triplets.reserve(static_cast<size_t>(begin));
  for (size_t outer = 0; outer + 1 < stored.p.size(); ++outer) {
    for (auto k = static_cast<size_t>(stored.p[outer]);
         k < static_cast<size_t>(stored.p[outer + 1]); ++k) {
      TALUS_RETURN_IF_ERROR(CheckIndex(inner, k, stored.i[k], inner_count));
      const auto other = static_cast<int>(stored.i[k]);
      const auto value = stored.x[static_cast<Eigen::Index>(k)];
      triplets.emplace_back(by_columns ? other : static_cast<int>(outer),
                            by_columns ? static_cast<int>(outer) : other, value);
    }
  }
  return triplets;
}

}  // namespace

absl::StatusOr<SparseMatrix> ReadFclibMatrix(const Hdf5Reader& reader, const std::string& group,
                                             Eigen::Index row_count, Eigen::Index column_count) {
  constexpr int64_t kMostEntries = std::numeric_limits<int>::max();
  StoredMatrix stored;
  stored.group = group;
  stored.row_count = row_count;
  stored.column_count = column_count;
  TALUS_RETURN_IF_ERROR(reader.Integer(group + "/m", row_count, row_count).status());
  TALUS_RETURN_IF_ERROR(reader.Integer(group + "/n", column_count, column_count).status());
  TALUS_ASSIGN_OR_RETURN(const int64_t most_count,
                         reader.Integer(group + "/nzmax", 0, kMostEntries));
  TALUS_ASSIGN_OR_RETURN(const int64_t count,
                         reader.Integer(group + "/nz", kCompressedRows, most_count));
  TALUS_ASSIGN_OR_RETURN(stored.p, reader.Integers(group + "/p"));
  TALUS_ASSIGN_OR_RETURN(stored.i, reader.Integers(group + "/i"));
  TALUS_ASSIGN_OR_RETURN(stored.x, reader.Numbers(group + "/x"));
  TALUS_ASSIGN_OR_RETURN(const Triplets triplets,
                         count >= 0
                             ? ExpandTriplets(stored, count, most_count)
                             : ExpandCompressed(stored, count == kCompressedColumns, most_count));
  SparseMatrix matrix(row_count, column_count);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

void WriteFclibMatrix(const SparseMatrix& matrix, FclibStorage storage, const std::string& group,
                      Hdf5Writer& writer) {
  const bool by_columns = storage == FclibStorage::kColumns;
  std::vector<int> p;
  std::vector<int> i;
  std::vector<double> values;
  if (by_columns) p.push_back(0);
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      i.push_back(static_cast<int>(entry.row()));
      values.push_back(entry.value());
      if (!by_columns) p.push_back(static_cast<int>(column));
    }
    if (by_columns) p.push_back(static_cast<int>(i.size()));
  }
  const auto count = static_cast<int>(i.size());
  writer.AddGroup(group);
  writer.AddInteger(group + "/nzmax", count);
  writer.AddInteger(group + "/m", static_cast<int>(matrix.rows()));
  writer.AddInteger(group + "/n", static_cast<int>(matrix.cols()));
  writer.AddInteger(group + "/nz", by_columns ? static_cast<int>(kCompressedColumns) : count);
  writer.AddIntegers(group + "/p", p);
  writer.AddIntegers(group + "/i", i);
  writer.AddNumbers(group + "/x", Eigen::Map<const Eigen::VectorXd>(values.data(), count));
}

}  // namespace talus
