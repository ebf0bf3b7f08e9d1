// Fields of a JSON object with the error that names them: numbers, lists of them, matrices.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

using Json = nlohmann::json;

// An object of a file and where it stands in it; borrows both.
class JsonFields {
 public:
  JsonFields(const Json& object, std::string path) : object_(object), path_(std::move(path)) {}

  bool Has(const char* name) const { return object_.contains(name); }
  std::string Path(const char* name) const { return path_.empty() ? name : path_ + "." + name; }

  // Each is INVALID_ARGUMENT where the field is missing, of another kind or out of its range.
  absl::StatusOr<JsonFields> Object(const char* name) const;
  absl::StatusOr<const Json*> Array(const char* name) const;
  absl::StatusOr<std::string> Text(const char* name) const;
  absl::StatusOr<int64_t> Integer(const char* name, int64_t low, int64_t high) const;
  // From 0 to kMaxFriction.
  absl::StatusOr<double> Coefficient(const char* name) const;
  absl::StatusOr<Eigen::VectorXd> Coefficients(const char* name) const;
  // Each magnitude at most `most`.
  absl::StatusOr<Eigen::VectorXd> Numbers(const char* name, Eigen::Index count, double most) const;
  // As many numbers as there are.
  absl::StatusOr<Eigen::VectorXd> AllNumbers(const char* name, double most) const;
  // Of [0, count).
  absl::StatusOr<std::vector<uint32_t>> Indices(const char* name, int64_t count) const;
  // {"storage": "coo", "shape", "i", "j", "v"}
  absl::StatusOr<SparseMatrix> Matrix(const char* name, Eigen::Index rows, Eigen::Index columns,
                                      double most) const;
  // Refuses any other field than these, which a reader would overlook.
  absl::Status CheckNames(std::initializer_list<std::string_view> known) const;

 private:
  absl::StatusOr<const Json*> Find(const char* name) const;

  const Json& object_;
  std::string path_;
};

// The same, as the file has it.
Json ToJson(const Eigen::VectorXd& values);
Json ToJson(const SparseMatrix& matrix);

}  // namespace talus
