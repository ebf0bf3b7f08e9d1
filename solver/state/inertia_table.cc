#include "solver/state/inertia_table.h"

#include "solver/base/slack.h"

namespace talus {
namespace {

Mat3 InvertInertia(const Mat3& inertia) {
  const Mat3 inverse = inertia.inverse();
  return 0.5 * (inverse + inverse.transpose());
}

}  // namespace

bool IsIsotropic(const Mat3& tensor) {
  return tensor(0, 0) == tensor(1, 1) && tensor(0, 0) == tensor(2, 2) && tensor(0, 1) == 0.0 &&
         tensor(0, 2) == 0.0 && tensor(1, 2) == 0.0;
}

Mat3 InertiaTable::inertia(size_t row) const {
  return round(row) ? Mat3(inertias_[row] * Mat3::Identity()) : tensors_[tensor_rows_[row]];
}

Mat3 InertiaTable::inverse(size_t row) const {
  return round(row) ? Mat3(inverses_[row] * Mat3::Identity())
                    : InvertInertia(tensors_[tensor_rows_[row]]);
}

void InertiaTable::Reserve(size_t more) {
  ReserveMore(inertias_, more);
  ReserveMore(inverses_, more);
  ReserveMore(tensor_rows_, more);
}

void InertiaTable::Add(const Mat3& inertia) {
  Reserve(1);
  const Mat3 inverse = inertia.isZero(0.0) ? Mat3(Mat3::Zero()) : InvertInertia(inertia);
  const bool is_round = IsIsotropic(inertia) && IsIsotropic(inverse);
  inertias_.push_back(is_round ? inertia(0, 0) : 0.0);
  inverses_.push_back(is_round ? inverse(0, 0) : 0.0);
  tensor_rows_.push_back(is_round ? kNoTensor : static_cast<uint32_t>(tensors_.size()));
  if (is_round) return;
  ReserveMore(tensors_, 1);
  tensors_.push_back(inertia);
}

void InertiaTable::Remove(std::span<const uint8_t> leaving) {
  size_t kept = 0;
  size_t kept_tensors = 0;
  for (size_t row = 0; row < leaving.size(); ++row) {
    if (leaving[row] != 0) continue;
    inertias_[kept] = inertias_[row];
    inverses_[kept] = inverses_[row];
    uint32_t tensor = tensor_rows_[row];
    if (tensor != kNoTensor) {
      tensors_[kept_tensors] = tensors_[tensor];
      tensor = static_cast<uint32_t>(kept_tensors++);
    }
    tensor_rows_[kept++] = tensor;
  }
  tensors_.resize(kept_tensors);
  Truncate(kept);
}

void InertiaTable::Truncate(size_t count) {
  size_t tensor_count = 0;
  for (size_t row = 0; row < count; ++row) tensor_count += round(row) ? 0 : 1;
  tensors_.resize(tensor_count);
  inertias_.resize(count);
  inverses_.resize(count);
  tensor_rows_.resize(count);
}

}  // namespace talus
