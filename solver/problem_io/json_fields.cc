#include "solver/problem_io/json_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/matrix/range_check.h"

namespace talus {
namespace {

// What a message shows of a value that is of the wrong kind.
std::string Shown(const Json& value) {
  return value.is_primitive() ? value.dump() : std::string(value.type_name());
}

// `check`(path, value) says what is wrong with a number.
template <typename Check>
absl::StatusOr<Eigen::VectorXd> ReadNumbers(const Json& array, const std::string& path,
                                            const Check& check) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(array.size()));
  for (size_t i = 0; i < array.size(); ++i) {
    const auto place = [&] { return absl::StrCat(path, "[", i, "]"); };
    if (!array[i].is_number()) return FieldError(place(), Shown(array[i]), "must be a number");
    const auto value = array[i].get<double>();
    values[static_cast<Eigen::Index>(i)] = value;
    TALUS_RETURN_IF_ERROR(check(place, value));
  }
  return values;
}

absl::StatusOr<Eigen::VectorXd> ReadWithin(const Json& array, const std::string& path,
                                           double most) {
  return ReadNumbers(array, path, [most](const auto& place, double value) {
    return std::abs(value) <= most ? absl::OkStatus() : CheckRange(place(), value, most);
  });
}

}  // namespace

absl::StatusOr<const Json*> JsonFields::Find(const char* name) const {
  const auto found = object_.find(name);
  if (found == object_.end()) return FieldError(Path(name), "nothing", "must be given");
  return &*found;
}

absl::StatusOr<JsonFields> JsonFields::Object(const char* name) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const value, Find(name));
  if (!value->is_object()) return FieldError(Path(name), Shown(*value), "must be an object");
  return JsonFields(*value, Path(name));
}

absl::StatusOr<const Json*> JsonFields::Array(const char* name) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const value, Find(name));
  if (!value->is_array()) return FieldError(Path(name), Shown(*value), "must be an array");
  return value;
}

absl::StatusOr<std::string> JsonFields::Text(const char* name) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const value, Find(name));
  if (!value->is_string()) return FieldError(Path(name), Shown(*value), "must be a text");
  return value->get<std::string>();
}

absl::StatusOr<int64_t> JsonFields::Integer(const char* name, int64_t low, int64_t high) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const value, Find(name));
  const bool fits =
      value->is_number_integer() &&
      (!value->is_number_unsigned() || value->get<uint64_t>() <= static_cast<uint64_t>(high)) &&
      value->get<int64_t>() >= low && value->get<int64_t>() <= high;
  if (!fits) {
    return FieldError(Path(name), Shown(*value),
                      absl::StrCat("must be an integer from ", low, " to ", high));
  }
  return value->get<int64_t>();
}

absl::StatusOr<double> JsonFields::Coefficient(const char* name) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const value, Find(name));
  if (!value->is_number()) return FieldError(Path(name), Shown(*value), "must be a number");
  TALUS_RETURN_IF_ERROR(CheckCoefficient(Path(name), value->get<double>()));
  return value->get<double>();
}

absl::StatusOr<Eigen::VectorXd> JsonFields::Coefficients(const char* name) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const array, Array(name));
  return ReadNumbers(*array, Path(name), [](const auto& place, double value) {
    return IsCoefficient(value) ? absl::OkStatus() : CheckCoefficient(place(), value);
  });
}

absl::StatusOr<Eigen::VectorXd> JsonFields::AllNumbers(const char* name, double most) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const array, Array(name));
  return ReadWithin(*array, Path(name), most);
}

absl::StatusOr<Eigen::VectorXd> JsonFields::Numbers(const char* name, Eigen::Index count,
                                                    double most) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const array, Array(name));
  if (array->size() != static_cast<size_t>(count)) {
    return FieldError(absl::StrCat(Path(name), ".size"), FormatValue(uint64_t{array->size()}),
                      absl::StrCat("must be ", count));
  }
  return ReadWithin(*array, Path(name), most);
}

absl::StatusOr<std::vector<uint32_t>> JsonFields::Indices(const char* name, int64_t count) const {
  TALUS_ASSIGN_OR_RETURN(const Json* const array, Array(name));
  std::vector<uint32_t> indices;
  indices.reserve(array->size());
  for (size_t i = 0; i < array->size(); ++i) {
    const Json& value = (*array)[i];
    if (!value.is_number_unsigned() || value.get<uint64_t>() >= static_cast<uint64_t>(count)) {
      return FieldError(absl::StrCat(Path(name), "[", i, "]"), Shown(value),
                        absl::StrCat("must be an integer from 0 to ", count - 1));
    }
    indices.push_back(value.get<uint32_t>());
  }
  return indices;
}

absl::StatusOr<SparseMatrix> JsonFields::Matrix(const char* name, Eigen::Index row_count,
                                                Eigen::Index column_count, double most) const {
  TALUS_ASSIGN_OR_RETURN(const JsonFields fields, Object(name));
  TALUS_RETURN_IF_ERROR(fields.CheckNames({"storage", "shape", "i", "j", "v"}));
  TALUS_ASSIGN_OR_RETURN(const std::string storage, fields.Text("storage"));
  if (storage != "coo") {
    return FieldError(fields.Path("storage"), FormatValue(storage), "must be \"coo\"");
  }
  TALUS_ASSIGN_OR_RETURN(const Json* const shape, fields.Array("shape"));
  if (*shape != Json{row_count, column_count}) {
    return FieldError(fields.Path("shape"), FormatValue(shape->dump()),
                      absl::StrCat("must be [", row_count, ",", column_count, "]"));
  }
  TALUS_ASSIGN_OR_RETURN(const std::vector<uint32_t> rows, fields.Indices("i", row_count));
  TALUS_ASSIGN_OR_RETURN(const std::vector<uint32_t> columns, fields.Indices("j", column_count));
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd values,
                         fields.Numbers("v", static_cast<Eigen::Index>(rows.size()), most));
  if (columns.size() != rows.size()) {
    return FieldError(absl::StrCat(fields.Path("j"), ".size"),
                      FormatValue(uint64_t{columns.size()}), absl::StrCat("must be ", rows.size()));
  }
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    triplets.emplace_back(static_cast<int>(rows[k]), static_cast<int>(columns[k]),
                          values[static_cast<Eigen::Index>(k)]);
  }
  SparseMatrix matrix(row_count, column_count);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

absl::Status JsonFields::CheckNames(std::initializer_list<std::string_view> known) const {
  for (const auto& [name, value] : object_.items()) {
    if (std::ranges::find(known, std::string_view(name)) != known.end()) continue;
    std::string allowed = "must be one of";
    const char* before = " ";
    for (const std::string_view one : known) {
      allowed.append(std::exchange(before, ", ")).append(one);
    }
    return FieldError(Path("field"), FormatValue(std::string_view(name)), allowed);
  }
  return absl::OkStatus();
}

Json ToJson(const Eigen::VectorXd& values) {
  return Json(std::vector<double>(values.data(), values.data() + values.size()));
}

Json ToJson(const SparseMatrix& matrix) {
  Json rows = Json::array();
  Json columns = Json::array();
  Json values = Json::array();
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      rows.push_back(static_cast<uint64_t>(entry.row()));
      columns.push_back(static_cast<uint64_t>(entry.col()));
      values.push_back(entry.value());
    }
  }
  return {{"storage", "coo"},
          {"shape", {matrix.rows(), matrix.cols()}},
          {"i", std::move(rows)},
          {"j", std::move(columns)},
          {"v", std::move(values)}};
}

}  // namespace talus
