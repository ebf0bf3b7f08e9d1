#include "solver/matrix/delassus.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/velocity_form.h"

namespace talus {
namespace {

// Rows of M that hang together, and the blocks whose H has something in them.
struct MassPart {
  std::vector<int> rows;         // ascending
  std::vector<uint32_t> blocks;  // ascending
};

// The number of the part that each row is in; parts are numbered by their first rows.
std::pair<std::vector<size_t>, size_t> NumberParts(const SparseMatrix& mass) {
  std::vector<int> root(static_cast<size_t>(mass.rows()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&root](int row) {
    while (root[static_cast<size_t>(row)] != row) {
      int& up = root[static_cast<size_t>(row)];
      up = root[static_cast<size_t>(up)];
      row = up;
    }
    return row;
  };
  for (Eigen::Index column = 0; column < mass.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(mass, column); entry; ++entry) {
      const int a = find(static_cast<int>(entry.row()));
      const int b = find(static_cast<int>(column));
      root[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<size_t> part_of_row(root.size());
  size_t count = 0;
  for (size_t row = 0; row < root.size(); ++row) {
    const auto first = static_cast<size_t>(find(static_cast<int>(row)));
    part_of_row[row] = first == row ? count++ : part_of_row[first];
  }
  return {std::move(part_of_row), count};
}

std::vector<MassPart> FindParts(const VelocityForm& form, std::span<const size_t> part_of_row,
                                size_t count) {
  std::vector<MassPart> parts(count);
  for (size_t row = 0; row < part_of_row.size(); ++row) {
    parts[part_of_row[row]].rows.push_back(static_cast<int>(row));
  }
  for (Eigen::Index column = 0; column < form.directions.outerSize(); ++column) {
    const auto block = static_cast<uint32_t>(column / 6);
    for (SparseMatrix::InnerIterator entry(form.directions, column); entry; ++entry) {
      std::vector<uint32_t>& blocks = parts[part_of_row[static_cast<size_t>(entry.row())]].blocks;
      if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    }
  }
  return parts;
}

// In multiplications: M of it is factorised densely, solved for each column of H, and these are
// multiplied with each other.
double WorkOf(const MassPart& part) {
  const auto rows = static_cast<double>(part.rows.size());
  const double columns = 6.0 * static_cast<double>(part.blocks.size());
  return rows * (rows * rows / 6.0 + rows * columns / 2.0 + columns * columns);
}

absl::Status CheckParts(std::span<const MassPart> parts) {
  size_t blocks = 0;
  double work = 0.0;
  for (const MassPart& part : parts) {
    if (part.rows.size() > kMaxMassPart) {
      return FieldError("M", absl::StrCat(part.rows.size(), " rows that hang together"),
                        absl::StrCat("must be at most ", kMaxMassPart),
                        absl::StatusCode::kResourceExhausted);
    }
    work += WorkOf(part);
    if (work > kMaxFormingWork) {
      return FieldError("M", "parts that hang together",
                        absl::StrCat("must take at most ", kMaxFormingWork,
                                     " multiplications to make W, n³/6 + n² m/2 + n m² for n rows "
                                     "that m columns of H touch"),
                        absl::StatusCode::kResourceExhausted);
    }
    blocks += part.blocks.size() * part.blocks.size();
    if (blocks > kMaxDelassusBlocks) {
      return FieldError("W", "its blocks", absl::StrCat("must be at most ", kMaxDelassusBlocks),
                        absl::StatusCode::kResourceExhausted);
    }
  }
  return absl::OkStatus();
}

// Adds what one part gives to W and to q; false where its M is not positive definite.
bool AddPart(const VelocityForm& form, const MassPart& part, std::span<int> place_in_part,
             std::vector<BlockMatrix::Entry>& entries, Eigen::VectorXd& free_rows) {
  const auto size = static_cast<Eigen::Index>(part.rows.size());
  for (size_t i = 0; i < part.rows.size(); ++i) {
    place_in_part[static_cast<size_t>(part.rows[i])] = static_cast<int>(i);
  }
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd free_impulse(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const int column = part.rows[static_cast<size_t>(i)];
    free_impulse[i] = form.free_impulse[column];
    for (SparseMatrix::InnerIterator entry(form.mass, column); entry; ++entry) {
      mass(place_in_part[static_cast<size_t>(entry.row())], i) = entry.value();
    }
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(mass);
  if (factor.info() != Eigen::Success) return false;
  if (part.blocks.empty()) return true;

  const auto columns = 6 * static_cast<Eigen::Index>(part.blocks.size());
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(size, columns);
  // The rows of a part and of what else the block touches stand in one column.
  const auto is_of_part = [&](Eigen::Index row) {
    const auto place = static_cast<size_t>(place_in_part[static_cast<size_t>(row)]);
    return place < part.rows.size() && part.rows[place] == row;
  };
  for (Eigen::Index k = 0; k < columns; ++k) {
    const Eigen::Index column = 6 * Eigen::Index{part.blocks[static_cast<size_t>(k / 6)]} + k % 6;
    for (SparseMatrix::InnerIterator entry(form.directions, column); entry; ++entry) {
      if (!is_of_part(entry.row())) continue;
      directions(place_in_part[static_cast<size_t>(entry.row())], k) = entry.value();
    }
  }
  factor.matrixL().solveInPlace(directions);
  factor.matrixL().solveInPlace(free_impulse);
  const Eigen::VectorXd velocity = directions.transpose() * free_impulse;
  const Eigen::MatrixXd response = directions.transpose() * directions;
  for (size_t i = 0; i < part.blocks.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    free_rows.segment<6>(6 * Eigen::Index{part.blocks[i]}) += velocity.segment<6>(at);
    for (size_t j = 0; j < part.blocks.size(); ++j) {
      entries.push_back({part.blocks[i], part.blocks[j],
                         response.block<6, 6>(at, 6 * static_cast<Eigen::Index>(j))});
    }
  }
  return true;
}

}  // namespace

absl::Status FormDelassus(MatrixProblem& problem) {
  const VelocityForm& form = *problem.velocities;
  TALUS_RETURN_IF_ERROR(CheckVelocities(form, problem.row_count()));
  const auto [part_of_row, count] = NumberParts(form.mass);
  const std::vector<MassPart> parts = FindParts(form, part_of_row, count);
  TALUS_RETURN_IF_ERROR(CheckParts(parts));
  std::vector<BlockMatrix::Entry> entries;
  std::vector<int> place_in_part(part_of_row.size(), 0);
  problem.free_rows = form.offset;
  for (const MassPart& part : parts) {
    if (AddPart(form, part, place_in_part, entries, problem.free_rows)) continue;
    return FieldError("M", absl::StrCat("the part of row ", part.rows.front()),
                      "must be positive definite");
  }
  problem.delassus = BlockMatrix(problem.block_count(), std::move(entries));
  return absl::OkStatus();
}

}  // namespace talus
