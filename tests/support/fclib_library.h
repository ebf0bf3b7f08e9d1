// The C library of the Friction-Contact Library as tests use it: files that it wrote and what it
// makes of ours. It ends the process where a file is not as it expects.
#pragma once

#include <Eigen/Core>
#include <cstdlib>
#include <vector>

extern "C" {
#include <fclib.h>
}

namespace talus::testing {

struct DeleteFclib {
  void operator()(fclib_local* problem) const {
    fclib_delete_local(problem);
    std::free(problem);
  }
  void operator()(fclib_global* problem) const {
    fclib_delete_global(problem);
    std::free(problem);
  }
  void operator()(fclib_solution* solution) const { fclib_delete_solutions(solution, 1); }
};

// A dense matrix in one of the library's storages: −1 columns, −2 rows, 0 triplets.
class StoredMatrix {
 public:
  StoredMatrix(const Eigen::MatrixXd& dense, int storage) {
    const bool by_rows = storage == -2;
    const Eigen::Index outer_count = by_rows ? dense.rows() : dense.cols();
    const Eigen::Index inner_count = by_rows ? dense.cols() : dense.rows();
    if (storage < 0) p_.push_back(0);
    for (Eigen::Index outer = 0; outer < outer_count; ++outer) {
      for (Eigen::Index inner = 0; inner < inner_count; ++inner) {
        const double value = by_rows ? dense(outer, inner) : dense(inner, outer);
        if (value == 0.0) continue;
        i_.push_back(static_cast<int>(inner));
        x_.push_back(value);
        if (storage == 0) p_.push_back(static_cast<int>(outer));
      }
      if (storage < 0) p_.push_back(static_cast<int>(i_.size()));
    }
    const int count = static_cast<int>(x_.size());
    matrix_ = {.nzmax = count,
               .m = static_cast<int>(dense.rows()),
               .n = static_cast<int>(dense.cols()),
               .p = p_.data(),
               .i = i_.data(),
               .x = x_.data(),
               .nz = storage < 0 ? storage : count,
               .info = nullptr};
  }
  StoredMatrix(const StoredMatrix&) = delete;
  StoredMatrix& operator=(const StoredMatrix&) = delete;

  fclib_matrix* get() { return &matrix_; }

 private:
  std::vector<int> p_;
  std::vector<int> i_;
  std::vector<double> x_;
  fclib_matrix matrix_ = {};
};

inline Eigen::MatrixXd ToDense(const fclib_matrix& matrix) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(matrix.m, matrix.n);
  if (matrix.nz >= 0) {
    for (int k = 0; k < matrix.nz; ++k) dense(matrix.i[k], matrix.p[k]) += matrix.x[k];
    return dense;
  }
  const int outer_count = matrix.nz == -1 ? matrix.n : matrix.m;
  for (int outer = 0; outer < outer_count; ++outer) {
    for (int k = matrix.p[outer]; k < matrix.p[outer + 1]; ++k) {
      (matrix.nz == -1 ? dense(matrix.i[k], outer) : dense(outer, matrix.i[k])) += matrix.x[k];
    }
  }
  return dense;
}

inline Eigen::VectorXd ToVector(const double* values, Eigen::Index count) {
  return Eigen::Map<const Eigen::VectorXd>(values, count);
}

}  // namespace talus::testing
