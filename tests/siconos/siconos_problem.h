// A bare rolling problem as Siconos takes it: five rows a contact (n, two tangents, two rolling
// torques), W dense. Its solvers, and its own measure of any answer.
//
// Dense, because nothing else works in Debian's 4.4. No spinning rows: contacts must be without
// spinning friction, where they mean nothing.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "solver/matrix/matrix_problem.h"

struct NumericsMatrix;

namespace talus::siconos {

// What of Siconos is run.
enum class Method {
  kNsgs,      // rolling_fc3d_nsgs with its own local solver, the error looked at lightly
  kNsgsFull,  // the same, its full error after each iteration
  kAdmm,      // rolling_fc3d_admm
};
std::string NameOf(Method method);

struct Solution {
  Eigen::VectorXd impulse;  // six rows a contact, SI
  int iterations = 0;
  double seconds = 0.0;  // of processor, in the driver and its options
  bool claimed = false;  // what the driver returned: solved
};

class SiconosProblem {
 public:
  // Contacts only, each with σ = 0.
  explicit SiconosProblem(const MatrixProblem& problem);
  ~SiconosProblem();
  SiconosProblem(const SiconosProblem&) = delete;
  SiconosProblem& operator=(const SiconosProblem&) = delete;

  // From zero, until its own error is at most `tolerance`.
  // So many times from zero; `seconds` are of one.
  Solution Solve(Method method, double tolerance, int max_iterations, int times = 1);
  // rolling_fc3d_compute_error of an answer, relative to ‖q‖ as its drivers take it.
  double ComputeError(const Eigen::VectorXd& impulse);

 private:
  size_t contact_count_;
  std::vector<double> matrix_values_;  // column by column
  std::vector<double> free_, sliding_, rolling_;
  NumericsMatrix* matrix_;  // borrows its values
};

}  // namespace talus::siconos
