#include "solver/lcp/standard_form.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

namespace talus::lcp {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Columns of a dense product that are made between two looks at `stop`.
constexpr Index kPanel = 16;

// Where a row of the MLCP stands in the standard problem: among the variables, twice where it is
// split, or among the equations.
struct RowPlace {
  Index first = 0;
  Index count = 0;    // 0: it cannot change
  double sign = 1.0;  // of the first, the other one has the opposite
  bool is_equation = false;
};

struct RowPlaces {
  std::vector<RowPlace> rows;
  std::vector<Index> limited;  // rows that have a multiplier
  std::vector<Index> equations;
  Index variable_count = 0;
  VectorXd shift;  // what rows are where all variables are zero

  const RowPlace& of(Index row) const { return rows[static_cast<size_t>(row)]; }
  Index size() const { return variable_count + static_cast<Index>(limited.size()); }
};

RowPlaces PlaceRows(const Mlcp& problem) {
  RowPlaces places;
  const Index count = problem.row_count();
  places.shift = VectorXd::Zero(count);
  places.rows.resize(static_cast<size_t>(count));
  for (Index i = 0; i < count; ++i) {
    const double lower = problem.lower[i];
    const double upper = problem.upper[i];
    RowPlace& place = places.rows[static_cast<size_t>(i)];
    if (std::isinf(lower) && std::isinf(upper)) {
      place = {static_cast<Index>(places.equations.size()), 1, 1.0, true};
      places.equations.push_back(i);
      continue;
    }
    places.shift[i] = problem.IsCoupled(i) ? 0.0 : std::isinf(lower) ? upper : lower;
    if (lower == upper) continue;
    place.first = places.variable_count;
    place.count = problem.IsCoupled(i) ? 2 : 1;
    place.sign = std::isinf(lower) ? -1.0 : 1.0;
    places.variable_count += place.count;
    if (std::isfinite(lower) && std::isfinite(upper)) places.limited.push_back(i);
  }
  return places;
}

// The parts of A between variables and equations.
struct EquationParts {
  MatrixXd among;         // equations × equations
  MatrixXd of_variables;  // equations × variables
  MatrixXd to_variables;  // variables × equations
};

// A between variables is part of M at once: each place is one entry, or its negative.
EquationParts SortEntries(const Mlcp& problem, const RowPlaces& places, MatrixXd& matrix) {
  const auto equations = static_cast<Index>(places.equations.size());
  EquationParts parts{MatrixXd::Zero(equations, equations),
                      MatrixXd::Zero(equations, places.size()),
                      MatrixXd::Zero(places.variable_count, equations)};
  for (Index c = 0; c < problem.matrix.outerSize(); ++c) {
    const RowPlace& column = places.of(c);
    for (SparseMatrix::InnerIterator entry(problem.matrix, c); entry; ++entry) {
      const RowPlace& row = places.of(entry.row());
      MatrixXd& part = column.is_equation ? (row.is_equation ? parts.among : parts.to_variables)
                       : row.is_equation  ? parts.of_variables
                                          : matrix;
      for (Index j = 0; j < column.count; ++j) {
        for (Index i = 0; i < row.count; ++i) {
          const double sign = row.sign * column.sign * ((i + j) % 2 == 0 ? 1.0 : -1.0);
          part(row.first + i, column.first + j) = sign * entry.value();
        }
      }
    }
  }
  return parts;
}

// Takes the equations out: what they answer to the variables, and what that does to M. False:
// they are singular, or `stop` said so.
bool SolveForEquations(const Mlcp& problem, const RowPlaces& places, const EquationParts& parts,
                       const std::function<bool()>& stop, StandardForm& form) {
  const Eigen::FullPivLU<MatrixXd> factor(parts.among);
  if (!factor.isInvertible()) return false;
  const VectorXd rest = problem.matrix * form.shift + problem.offset;
  form.shift(places.equations) = -factor.solve(VectorXd(rest(places.equations)));
  form.response.resize(parts.of_variables.rows(), places.size());
  for (Index first = 0; first < places.size(); first += kPanel) {
    if (stop && stop()) return false;
    const Index count = std::min(kPanel, places.size() - first);
    auto response = form.response.middleCols(first, count);
    response = factor.solve(MatrixXd(parts.of_variables.middleCols(first, count)));
    form.matrix.topRows(places.variable_count).middleCols(first, count).noalias() -=
        parts.to_variables * response;
  }
  return true;
}

// The rows of λ, and λ in the rows that it limits.
void AddMultipliers(const Mlcp& problem, const RowPlaces& places, StandardForm& form) {
  Index multiplier = places.variable_count;
  for (const Index row : places.limited) {
    const RowPlace& place = places.of(row);
    for (Index variable = place.first; variable < place.first + place.count; ++variable) {
      form.matrix(variable, multiplier) += 1.0;
      form.matrix(multiplier, variable) -= 1.0;
    }
    if (problem.IsCoupled(row)) {
      const Index to = problem.coupled_to[static_cast<size_t>(row)];
      form.matrix(multiplier, places.of(to).first) += problem.upper[row];
    } else {
      form.offset[multiplier] += problem.upper[row] - problem.lower[row];
    }
    ++multiplier;
  }
}

SparseMatrix PickRows(const RowPlaces& places) {
  std::vector<Eigen::Triplet<double>> picks;
  for (size_t i = 0; i < places.rows.size(); ++i) {
    const RowPlace& place = places.rows[i];
    for (Index k = 0; k < place.count && !place.is_equation; ++k) {
      picks.emplace_back(static_cast<int>(i), static_cast<int>(place.first + k),
                         k == 0 ? place.sign : -place.sign);
    }
  }
  SparseMatrix matrix(static_cast<Index>(places.rows.size()), places.size());
  matrix.setFromTriplets(picks.begin(), picks.end());
  return matrix;
}

}  // namespace

VectorXd StandardForm::RowsOf(const VectorXd& y) const {
  VectorXd z = picks * y + shift;
  if (!equations.empty()) z(equations) -= response * y;
  return z;
}

StandardSize FindStandardSize(const Mlcp& problem) {
  const RowPlaces places = PlaceRows(problem);
  return {places.size(), static_cast<Index>(places.equations.size())};
}

std::optional<StandardForm> FormStandard(const Mlcp& problem, const std::function<bool()>& stop) {
  const RowPlaces places = PlaceRows(problem);
  StandardForm form{MatrixXd::Zero(places.size(), places.size()),
                    VectorXd::Zero(places.size()),
                    PickRows(places),
                    places.shift,
                    places.equations,
                    {}};
  const EquationParts parts = SortEntries(problem, places, form.matrix);
  if (!places.equations.empty() && !SolveForEquations(problem, places, parts, stop, form)) {
    return std::nullopt;
  }
  form.offset = form.picks.transpose() * (problem.matrix * form.shift + problem.offset);
  AddMultipliers(problem, places, form);
  return form;
}

}  // namespace talus::lcp
