// What tests of every solver share: the smaller bare problems, and what came of them by one solver.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/matrix/matrix_problem.h"
#include "tests/siconos/bare_problems.h"
#include "tests/siconos/comparison.h"

namespace talus::siconos {

struct NamedProblem {
  std::string name;
  MatrixProblem problem;
};

// Those of at most so many contacts.
inline std::vector<NamedProblem> ProblemsUpTo(size_t most_contacts) {
  std::vector<NamedProblem> problems;
  ForEachProblem([&](const std::string& name, const std::string&, const auto& make) {
    MatrixProblem problem = make();
    if (problem.block_count() <= most_contacts) problems.push_back({name, std::move(problem)});
  });
  return problems;
}

// The answers of one solver, as Siconos judges them.
class JudgedAnswers {
 public:
  // One that ours calls solved, by Siconos' own measure.
  void Judge(double siconos_error) {
    EXPECT_LE(siconos_error, kTolerance);
    ++solved_;
    worst_error_ = std::max(worst_error_, siconos_error);
  }
  // Of an answer and Siconos' own.
  void Compare(double velocity_difference) {
    EXPECT_LE(velocity_difference, kVelocityTolerance);
    ++compared_;
    worst_difference_ = std::max(worst_difference_, velocity_difference);
  }
  void PrintAs(std::string_view solver) const {
    std::printf("%s: %zu solved, Siconos' error at most %.1e; %zu velocities at most %.1e apart\n",
                std::string(solver).c_str(), solved_, worst_error_, compared_, worst_difference_);
  }
  size_t solved() const { return solved_; }
  size_t compared() const { return compared_; }

 private:
  size_t solved_ = 0;
  size_t compared_ = 0;
  double worst_error_ = 0.0;
  double worst_difference_ = 0.0;
};

}  // namespace talus::siconos
