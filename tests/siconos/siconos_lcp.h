// A linear complementarity problem as Siconos takes it, w = M y + q ≥ 0, y ≥ 0, wᵀy = 0: its Lemke,
// and its own measure of any answer.
#pragma once

#include <Eigen/Core>
#include <optional>

struct NumericsMatrix;

namespace talus::siconos {

class SiconosLcp {
 public:
  SiconosLcp(Eigen::MatrixXd matrix, Eigen::VectorXd offset);
  ~SiconosLcp();
  SiconosLcp(const SiconosLcp&) = delete;
  SiconosLcp& operator=(const SiconosLcp&) = delete;

  // From zero, by lcp_lexicolemke; none where it does not claim to have solved it.
  std::optional<Eigen::VectorXd> SolveByLemke(int max_pivots);
  // lcp_compute_error, relative to ‖q‖.
  double ComputeError(Eigen::VectorXd y);

 private:
  Eigen::MatrixXd values_;
  Eigen::VectorXd offset_;
  NumericsMatrix* matrix_;  // borrows its values
};

}  // namespace talus::siconos
