// Matrices from blocks that act on bodies: what contacts and joints have in common once their laws
// are taken apart.
//
// Velocities beneath W: six for each dynamic body that stands in the list, (ẋ, ω) in world axes;
// what prescribed bodies do is in w.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/matrix/matrix_problem.h"

namespace talus {

inline constexpr uint32_t kNoBody = std::numeric_limits<uint32_t>::max();

// One block: u = Σ_sides directionᵀ v + E γ + offset.
struct ActingBlock {
  BlockLaw law;
  std::array<uint32_t, 2> bodies = {kNoBody, kNoBody};  // places in the list of bodies
  // D of each side: what the impulse gives the body, (linear, angular) in world axes.
  std::array<Matrix6, 2> directions = {Matrix6::Zero(), Matrix6::Zero()};
  Wrench offset = Wrench::Zero();      // m/s, rad/s
  Wrench compliance = Wrench::Zero();  // the diagonal of E
};

struct ActedBody {
  Matrix6 inverse_mass = Matrix6::Zero();  // zero where the velocity is prescribed
  Wrench velocity = Wrench::Zero();        // without impulses

  bool dynamic() const { return inverse_mass(0, 0) > 0.0; }
};

// How many blocks W is put together from, at most as many as it has then: for each dynamic body the
// square of the blocks that act on it. Told before anything of W takes memory.
class DelassusCount {
 public:
  explicit DelassusCount(size_t body_count) : acting_(body_count) {}

  // Another block acts on this dynamic body.
  void Add(uint32_t body) { total_ += 2 * uint64_t{acting_[body]++} + 1; }
  uint64_t total() const { return total_; }

 private:
  std::vector<uint32_t> acting_;
  uint64_t total_ = 0;
};

MatrixProblem AssembleMatrices(std::span<const ActingBlock> blocks,
                               std::span<const ActedBody> bodies);

}  // namespace talus
