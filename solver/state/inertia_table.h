// The inertias of bodies, one row a body, in the body frame.
//
// Most bodies of a heap are round: their tensor is a multiple of the identity, looks the same in
// every frame and has no gyroscopic torque. Of these two numbers are kept, and only of others a
// tensor. Bodies that are not dynamic have zeros, and are round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/base/math.h"

namespace talus {

// Exact, without round-off.
bool IsIsotropic(const Mat3& tensor);

inline constexpr uint32_t kNoTensor = std::numeric_limits<uint32_t>::max();

class InertiaTable {
 public:
  Mat3 inertia(size_t row) const;  // kg m^2
  Mat3 inverse(size_t row) const;  // 1/(kg m^2)
  Vec3 Momentum(size_t row, const Vec3& angular_velocity) const {
    return round(row) ? Vec3(inertias_[row] * angular_velocity)
                      : Vec3(tensors_[tensor_rows_[row]] * angular_velocity);
  }
  // Whether the inertia and its inverse are multiples of the identity.
  bool round(size_t row) const { return tensor_rows_[row] == kNoTensor; }

  // By row, of round bodies: the diagonal of the inverse.
  std::span<const double> inverses() const { return inverses_; }
  // By row: which of the tensors is the body's, in the order of bodies; kNoTensor of round ones.
  std::span<const uint32_t> tensor_rows() const { return tensor_rows_; }
  size_t tensor_count() const { return tensors_.size(); }

  void Reserve(size_t more);
  void Add(const Mat3& inertia);  // zero unless dynamic
  // Removes the rows whose entry is not 0; the others keep their order.
  void Remove(std::span<const uint8_t> leaving);
  void Truncate(size_t count);

 private:
  std::vector<double> inertias_;  // of round bodies, as the next
  std::vector<double> inverses_;
  std::vector<uint32_t> tensor_rows_;
  std::vector<Mat3> tensors_;
};

}  // namespace talus
