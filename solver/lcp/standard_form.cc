#include "solver/lcp/standard_form.h"

#include <Eigen/LU>
#include <cmath>
#include <utility>
#include <vector>

namespace talus::lcp {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// What each row of the MLCP is to the standard problem.
struct Columns {
  std::vector<std::pair<Index, double>> variables;  // row of the MLCP, sign
  std::vector<Index> variable_of;                   // the first variable of a row, −1: none
  std::vector<Index> limited;                       // rows that have a multiplier
  std::vector<Index> equations;
  VectorXd shift;  // what rows are where all variables are zero
};

Columns SortRows(const Mlcp& problem) {
  Columns columns;
  const Index rows = problem.row_count();
  columns.shift = VectorXd::Zero(rows);
  columns.variable_of.assign(static_cast<size_t>(rows), -1);
  for (Index i = 0; i < rows; ++i) {
    const double lower = problem.lower[i];
    const double upper = problem.upper[i];
    if (std::isinf(lower) && std::isinf(upper)) {
      columns.equations.push_back(i);
      continue;
    }
    columns.shift[i] = problem.IsCoupled(i) ? 0.0 : std::isinf(lower) ? upper : lower;
    if (lower == upper) continue;
    columns.variable_of[static_cast<size_t>(i)] = static_cast<Index>(columns.variables.size());
    columns.variables.emplace_back(i, std::isinf(lower) ? -1.0 : 1.0);
    if (problem.IsCoupled(i)) columns.variables.emplace_back(i, -1.0);
    if (std::isfinite(lower) && std::isfinite(upper)) columns.limited.push_back(i);
  }
  return columns;
}

// The rows of λ, and λ in the rows that it limits.
void AddMultipliers(const Mlcp& problem, const Columns& columns, StandardForm& form) {
  auto multiplier = static_cast<Index>(columns.variables.size());
  for (const Index row : columns.limited) {
    const Index first = columns.variable_of[static_cast<size_t>(row)];
    const Index count = problem.IsCoupled(row) ? 2 : 1;
    for (Index variable = first; variable < first + count; ++variable) {
      form.matrix(variable, multiplier) += 1.0;
      form.matrix(multiplier, variable) -= 1.0;
    }
    if (problem.IsCoupled(row)) {
      const auto to = static_cast<size_t>(problem.coupled_to[static_cast<size_t>(row)]);
      form.matrix(multiplier, columns.variable_of[to]) += problem.upper[row];
    } else {
      form.offset[multiplier] += problem.upper[row] - problem.lower[row];
    }
    ++multiplier;
  }
}

}  // namespace

std::optional<StandardForm> FormStandard(const Mlcp& problem) {
  const Columns columns = SortRows(problem);
  const Index rows = problem.row_count();
  const auto variables = static_cast<Index>(columns.variables.size());
  const Index size = variables + static_cast<Index>(columns.limited.size());
  const MatrixXd a(problem.matrix);
  StandardForm form{MatrixXd::Zero(size, size), VectorXd::Zero(size), MatrixXd::Zero(rows, size),
                    columns.shift};
  for (Index j = 0; j < variables; ++j) {
    const auto& [row, sign] = columns.variables[static_cast<size_t>(j)];
    form.columns(row, j) = sign;
  }
  const MatrixXd left = form.columns.transpose();
  if (!columns.equations.empty()) {
    const MatrixXd equations = a(columns.equations, Eigen::all);
    const Eigen::FullPivLU<MatrixXd> factor(MatrixXd(equations(Eigen::all, columns.equations)));
    if (!factor.isInvertible()) return std::nullopt;
    const VectorXd right = problem.offset(columns.equations) + VectorXd(equations * form.shift);
    const MatrixXd response = -factor.solve(MatrixXd(equations * form.columns));
    const VectorXd constant = -factor.solve(right);
    form.columns(columns.equations, Eigen::all) = response;
    form.shift(columns.equations) = constant;
  }
  form.matrix = left * a * form.columns;
  form.offset = left * (a * form.shift + problem.offset);
  AddMultipliers(problem, columns, form);
  return form;
}

}  // namespace talus::lcp
