#include "solver/problem_io/json_problem.h"

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/delassus.h"
#include "solver/matrix/range_check.h"
#include "solver/matrix/velocity_form.h"
#include "solver/problem_io/json_fields.h"
#include "solver/problem_io/json_syntax.h"
#include "solver/problem_io/row_map.h"

namespace talus {
namespace {

constexpr char kOwnFormat[] = "contact-problem/1";
constexpr char kRollingFormat[] = "rolling-ccp/1";
constexpr double kAnyNumber = std::numeric_limits<double>::max();
// Of the rows of a contact, as RowsOfDimension has them.
constexpr char kRollingOrder[] = "r_N,r_T1,r_T2,m_R1,m_R2";
constexpr char kSlidingOrder[] = "r_N,r_T1,r_T2";

// The rows of a file among the six of each block.
class FileRows {
 public:
  FileRows(size_t block_count, std::span<const int> rows)
      : block_count_(block_count), rows_(rows) {}

  size_t block_count() const { return block_count_; }
  Eigen::Index per_block() const { return static_cast<Eigen::Index>(rows_.size()); }
  Eigen::Index count() const { return per_block() * static_cast<Eigen::Index>(block_count_); }
  Eigen::Index Of(Eigen::Index file_row) const {
    return 6 * (file_row / per_block()) + rows_[static_cast<size_t>(file_row % per_block())];
  }

  Eigen::VectorXd Spread(const Eigen::VectorXd& values) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(block_count_));
    for (Eigen::Index i = 0; i < values.size(); ++i) result[Of(i)] = values[i];
    return result;
  }
  // A block whose entries stand row by row in `values`.
  Matrix6 Spread(const Json& values) const {
    Matrix6 block = Matrix6::Zero();
    for (size_t i = 0; i < rows_.size(); ++i) {
      for (size_t j = 0; j < rows_.size(); ++j) {
        block(rows_[i], rows_[j]) = values[i * rows_.size() + j].get<double>();
      }
    }
    return block;
  }

 private:
  size_t block_count_;
  std::span<const int> rows_;
};

absl::StatusOr<BlockMatrix> ReadDense(const JsonFields& fields, const FileRows& rows) {
  TALUS_RETURN_IF_ERROR(fields.CheckNames({"storage", "n", "row_major"}));
  TALUS_RETURN_IF_ERROR(CheckDelassusCount(rows.block_count() * rows.block_count()));
  TALUS_RETURN_IF_ERROR(fields.Integer("n", rows.count(), rows.count()).status());
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd values,
                         fields.Numbers("row_major", rows.count() * rows.count(), kMaxMobility));
  const Eigen::Index per_block = rows.per_block();
  std::vector<BlockMatrix::Entry> entries;
  for (size_t i = 0; i < rows.block_count(); ++i) {
    for (size_t j = 0; j < rows.block_count(); ++j) {
      entries.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(j), Matrix6::Zero()});
      Matrix6& block = entries.back().block;
      for (Eigen::Index k = 0; k < per_block * per_block; ++k) {
        const Eigen::Index row = per_block * static_cast<Eigen::Index>(i) + k / per_block;
        const Eigen::Index column = per_block * static_cast<Eigen::Index>(j) + k % per_block;
        block(rows.Of(row) % 6, rows.Of(column) % 6) = values[row * rows.count() + column];
      }
      if (block.isZero(0.0)) entries.pop_back();
    }
  }
  return BlockMatrix(rows.block_count(), std::move(entries));
}

absl::Status CheckBlock(const Json& block, size_t count, const std::string& path) {
  bool fits = block.is_array() && block.size() == count;
  for (size_t k = 0; fits && k < count; ++k) fits = block[k].is_number();
  if (!fits) return FieldError(path, "something", absl::StrCat("must be ", count, " numbers"));
  for (size_t k = 0; k < count; ++k) {
    const auto value = block[k].get<double>();
    if (std::abs(value) <= kMaxMobility) continue;
    return CheckRange(absl::StrCat(path, "[", k, "]"), value, kMaxMobility);
  }
  return absl::OkStatus();
}

absl::StatusOr<BlockMatrix> ReadBlocks(const JsonFields& fields, const FileRows& rows) {
  const auto count = static_cast<int64_t>(rows.block_count());
  TALUS_RETURN_IF_ERROR(
      fields.CheckNames({"storage", "block", "brow", "bcol", "row_major_blocks"}));
  TALUS_RETURN_IF_ERROR(fields.Integer("block", rows.per_block(), rows.per_block()).status());
  TALUS_ASSIGN_OR_RETURN(const Json* const block_rows, fields.Array("brow"));
  TALUS_RETURN_IF_ERROR(CheckDelassusCount(block_rows->size()));
  TALUS_ASSIGN_OR_RETURN(const std::vector<uint32_t> at, fields.Indices("brow", count));
  TALUS_ASSIGN_OR_RETURN(const std::vector<uint32_t> columns, fields.Indices("bcol", count));
  TALUS_ASSIGN_OR_RETURN(const Json* const blocks, fields.Array("row_major_blocks"));
  if (columns.size() != at.size() || blocks->size() != at.size()) {
    return FieldError(fields.Path("row_major_blocks.size"), FormatValue(uint64_t{blocks->size()}),
                      absl::StrCat("must be that of brow and bcol, ", at.size()));
  }
  const auto numbers = static_cast<size_t>(rows.per_block() * rows.per_block());
  std::vector<BlockMatrix::Entry> entries;
  entries.reserve(at.size() + rows.block_count());  // where the diagonal is not given, it is added
  for (size_t i = 0; i < at.size(); ++i) {
    TALUS_RETURN_IF_ERROR(CheckBlock((*blocks)[i], numbers,
                                     absl::StrCat(fields.Path("row_major_blocks"), "[", i, "]")));
    entries.push_back({at[i], columns[i], rows.Spread((*blocks)[i])});
  }
  return BlockMatrix(rows.block_count(), std::move(entries));
}

absl::StatusOr<BlockMatrix> ReadDelassus(const JsonFields& fields, const FileRows& rows) {
  TALUS_ASSIGN_OR_RETURN(const std::string storage, fields.Text("storage"));
  if (storage == "bsr") return ReadBlocks(fields, rows);
  if (storage == "dense") return ReadDense(fields, rows);
  return FieldError(fields.Path("storage"), FormatValue(storage), "must be \"bsr\" or \"dense\"");
}

absl::StatusOr<VelocityForm> ReadVelocities(const JsonFields& fields, const FileRows& rows) {
  VelocityForm form;
  TALUS_ASSIGN_OR_RETURN(form.free_impulse, fields.AllNumbers("f", kMaxProblemImpulse));
  const Eigen::Index size = form.free_impulse.size();
  TALUS_ASSIGN_OR_RETURN(form.mass, fields.Matrix("M", size, size, kMaxProblemMass));
  TALUS_ASSIGN_OR_RETURN(const SparseMatrix directions,
                         fields.Matrix("H", size, rows.count(), kMaxDirection));
  std::vector<Eigen::Triplet<double>> triplets;
  for (Eigen::Index column = 0; column < directions.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(directions, column); entry; ++entry) {
      triplets.emplace_back(static_cast<int>(entry.row()), static_cast<int>(rows.Of(column)),
                            entry.value());
    }
  }
  form.directions.resize(size, 6 * static_cast<Eigen::Index>(rows.block_count()));
  form.directions.setFromTriplets(triplets.begin(), triplets.end());
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd offset,
                         fields.Numbers("w", rows.count(), kMaxProblemSpeed));
  form.offset = rows.Spread(offset);
  return form;
}

// What both formats share, the laws being known.
absl::Status ReadMatrices(const JsonFields& fields, const FileRows& rows, ProblemFile& file) {
  MatrixProblem& problem = file.problem;
  if (fields.Has("M") || fields.Has("H") || fields.Has("f") || fields.Has("w")) {
    TALUS_ASSIGN_OR_RETURN(problem.velocities, ReadVelocities(fields, rows));
  }
  problem.compliance = Eigen::VectorXd::Zero(problem.row_count());
  if (fields.Has("compliance")) {
    TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd values,
                           fields.Numbers("compliance", rows.count(), kMaxRowCompliance));
    problem.compliance = rows.Spread(values);
  }
  const bool given = !problem.velocities || fields.Has("W") || fields.Has("q");
  if (given) {
    TALUS_ASSIGN_OR_RETURN(const JsonFields matrix, fields.Object("W"));
    TALUS_ASSIGN_OR_RETURN(problem.delassus, ReadDelassus(matrix, rows));
    TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd free_rows,
                           fields.Numbers("q", rows.count(), kMaxProblemSpeed));
    problem.free_rows = rows.Spread(free_rows);
  } else {
    TALUS_RETURN_IF_ERROR(FormDelassus(problem));
  }
  TALUS_RETURN_IF_ERROR(Validate(problem));
  if (given && problem.velocities) TALUS_RETURN_IF_ERROR(UnifyForms(problem));
  if (fields.Has("old_impulse")) {
    TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd values,
                           fields.Numbers("old_impulse", rows.count(), kMaxProblemImpulse));
    file.old_impulse = rows.Spread(values);
  }
  if (!fields.Has("reference")) return absl::OkStatus();
  TALUS_ASSIGN_OR_RETURN(const JsonFields reference, fields.Object("reference"));
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd impulse,
                         reference.Numbers("p", rows.count(), kAnyNumber));
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd velocity,
                         reference.Numbers("y", rows.count(), kAnyNumber));
  file.reference_impulse = rows.Spread(impulse);
  file.reference_velocity = rows.Spread(velocity);
  return absl::OkStatus();
}

absl::Status CheckOrder(const JsonFields& fields, const char* order) {
  if (!fields.Has("order")) return absl::OkStatus();
  TALUS_ASSIGN_OR_RETURN(const std::string given, fields.Text("order"));
  if (given == order) return absl::OkStatus();
  return FieldError("order", FormatValue(given), absl::StrCat("must be \"", order, "\""));
}

absl::StatusOr<ProblemFile> ReadRolling(const JsonFields& fields) {
  ProblemFile file;
  TALUS_RETURN_IF_ERROR(
      fields.CheckNames({"format", "name", "nc", "d", "order", "mu", "mu_r", "q", "compliance", "W",
                         "M", "H", "f", "w", "old_impulse", "reference", "source", "stats"}));
  TALUS_ASSIGN_OR_RETURN(file.name, fields.Text("name"));
  TALUS_ASSIGN_OR_RETURN(const int64_t dimension, fields.Integer("d", 3, 5));
  const std::span<const int> rows = RowsOfDimension(static_cast<int>(dimension));
  if (rows.empty()) return FieldError("d", FormatValue(dimension), "must be 3 or 5");
  TALUS_RETURN_IF_ERROR(CheckOrder(fields, dimension == 5 ? kRollingOrder : kSlidingOrder));
  TALUS_ASSIGN_OR_RETURN(const Json* const contacts, fields.Array("mu"));
  TALUS_RETURN_IF_ERROR(CheckBlockCount(contacts->size()));
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd sliding, fields.Coefficients("mu"));
  TALUS_RETURN_IF_ERROR(fields.Integer("nc", sliding.size(), sliding.size()).status());
  Eigen::VectorXd rolling = Eigen::VectorXd::Zero(sliding.size());
  if (dimension == 5) {
    TALUS_ASSIGN_OR_RETURN(rolling, fields.Coefficients("mu_r"));
    if (rolling.size() != sliding.size()) {
      return FieldError("mu_r.size", FormatValue(int64_t{rolling.size()}),
                        absl::StrCat("must be ", sliding.size()));
    }
  } else if (fields.Has("mu_r")) {
    return FieldError("mu_r", "given", "must be left out where d is 3");
  }
  for (Eigen::Index i = 0; i < sliding.size(); ++i) {
    file.problem.laws.push_back({.cone = {.sliding = sliding[i], .rolling = rolling[i]}});
  }
  TALUS_RETURN_IF_ERROR(
      ReadMatrices(fields, FileRows(static_cast<size_t>(sliding.size()), rows), file));
  return file;
}

absl::StatusOr<Wrench> ReadBounds(const JsonFields& block, const char* name, double missing) {
  TALUS_ASSIGN_OR_RETURN(const Json* const values, block.Array(name));
  Wrench bounds;
  for (size_t row = 0; row < 6; ++row) {
    const bool there = values->size() == 6;
    if (!there || !((*values)[row].is_number() || (*values)[row].is_null())) {
      return FieldError(block.Path(name), FormatValue(values->dump()),
                        "must be 6 numbers, or null where there is no bound");
    }
    const Json& value = (*values)[row];
    bounds[static_cast<Eigen::Index>(row)] = value.is_null() ? missing : value.get<double>();
  }
  return bounds;
}

absl::StatusOr<BlockLaw> ReadLaw(const JsonFields& block) {
  BlockLaw law;
  if (block.Has("lower") || block.Has("upper")) {
    TALUS_RETURN_IF_ERROR(block.CheckNames({"lower", "upper"}));
    law.kind = BlockLawKind::kBounds;
    TALUS_ASSIGN_OR_RETURN(law.lower, ReadBounds(block, "lower", -kNoBound));
    TALUS_ASSIGN_OR_RETURN(law.upper, ReadBounds(block, "upper", kNoBound));
    return law;
  }
  TALUS_RETURN_IF_ERROR(block.CheckNames({"mu", "sigma", "rho"}));
  TALUS_ASSIGN_OR_RETURN(law.cone.sliding, block.Coefficient("mu"));
  TALUS_ASSIGN_OR_RETURN(law.cone.spinning, block.Coefficient("sigma"));
  TALUS_ASSIGN_OR_RETURN(law.cone.rolling, block.Coefficient("rho"));
  return law;
}

absl::StatusOr<ProblemFile> ReadOwn(const JsonFields& fields) {
  ProblemFile file;
  TALUS_RETURN_IF_ERROR(
      fields.CheckNames({"format", "name", "blocks", "q", "compliance", "W", "M", "H", "f", "w",
                         "old_impulse", "reference", "source", "stats"}));
  TALUS_ASSIGN_OR_RETURN(file.name, fields.Text("name"));
  TALUS_ASSIGN_OR_RETURN(const Json* const blocks, fields.Array("blocks"));
  TALUS_RETURN_IF_ERROR(CheckBlockCount(blocks->size()));
  for (size_t i = 0; i < blocks->size(); ++i) {
    const std::string path = absl::StrCat("blocks[", i, "]");
    if (!(*blocks)[i].is_object()) return FieldError(path, "something", "must be an object");
    TALUS_ASSIGN_OR_RETURN(BlockLaw law, ReadLaw(JsonFields((*blocks)[i], path)));
    file.problem.laws.push_back(law);
  }
  const FileRows rows(blocks->size(), RowsOfDimension(6));
  TALUS_RETURN_IF_ERROR(ReadMatrices(fields, rows, file));
  return file;
}

Json BoundsToJson(const Wrench& bounds) {
  Json values = Json::array();
  for (const double bound : bounds) {
    values.push_back(std::isfinite(bound) ? Json(bound) : Json(nullptr));
  }
  return values;
}

Json DelassusToJson(const BlockMatrix& matrix) {
  Json rows = Json::array();
  Json columns = Json::array();
  Json blocks = Json::array();
  for (size_t row = 0; row < matrix.block_count(); ++row) {
    for (size_t k = 0; k < matrix.Columns(row).size(); ++k) {
      rows.push_back(row);
      columns.push_back(matrix.Columns(row)[k]);
      const Matrix6 transposed = matrix.Blocks(row)[k].transpose();
      blocks.push_back(std::vector<double>(transposed.data(), transposed.data() + 36));
    }
  }
  return {{"storage", "bsr"},
          {"block", 6},
          {"brow", std::move(rows)},
          {"bcol", std::move(columns)},
          {"row_major_blocks", std::move(blocks)}};
}

}  // namespace

absl::StatusOr<ProblemFile> ReadJsonProblem(std::string_view text) {
  const Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return JsonSyntaxError(text);
  if (!document.is_object()) return absl::InvalidArgumentError("the file must hold one object");
  const JsonFields fields(document, "");
  TALUS_ASSIGN_OR_RETURN(const std::string format, fields.Text("format"));
  if (format == kOwnFormat) return ReadOwn(fields);
  if (format == kRollingFormat) return ReadRolling(fields);
  return FieldError("format", FormatValue(format),
                    absl::StrCat("must be ", kOwnFormat, " or ", kRollingFormat));
}

std::string WriteJsonProblem(const ProblemFile& file) {
  const MatrixProblem& problem = file.problem;
  Json blocks = Json::array();
  for (const BlockLaw& law : problem.laws) {
    if (law.kind == BlockLawKind::kBounds) {
      blocks.push_back({{"lower", BoundsToJson(law.lower)}, {"upper", BoundsToJson(law.upper)}});
    } else {
      blocks.push_back(
          {{"mu", law.cone.sliding}, {"sigma", law.cone.spinning}, {"rho", law.cone.rolling}});
    }
  }
  Json document = {{"format", kOwnFormat},
                   {"name", file.name},
                   {"blocks", std::move(blocks)},
                   {"compliance", ToJson(problem.compliance)}};
  if (problem.velocities) {
    document["M"] = ToJson(problem.velocities->mass);
    document["H"] = ToJson(problem.velocities->directions);
    document["f"] = ToJson(problem.velocities->free_impulse);
    document["w"] = ToJson(problem.velocities->offset);
  } else {
    document["q"] = ToJson(problem.free_rows);
    document["W"] = DelassusToJson(problem.delassus);
  }
  if (file.old_impulse) document["old_impulse"] = ToJson(*file.old_impulse);
  if (file.reference_impulse && file.reference_velocity) {
    document["reference"] = {{"p", ToJson(*file.reference_impulse)},
                             {"y", ToJson(*file.reference_velocity)}};
  }
  return document.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace talus
