#include "tests/scenes/deposit.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace talus::scenes {
namespace {

constexpr double kLastStep = 1e-4;  // of a radius: leaves gaps of micrometres between stones
constexpr int kMaxMoves = 400;      // down a long slope: further than any heap here is wide
constexpr int kDirections = 8;

}  // namespace

Deposit::Deposit(double radius_m, double reach_m, Floor floor, uint64_t seed)
    : radius_m_(radius_m),
      reach_m_(reach_m),
      floor_(std::move(floor)),
      random_(seed),
      columns_(static_cast<int64_t>(std::ceil(reach_m / radius_m)) + 1),
      column_spheres_(static_cast<size_t>(columns_ * columns_)) {}

int64_t Deposit::FindColumn(double coordinate) const {
  const auto column = static_cast<int64_t>((coordinate + reach_m_) / (2.0 * radius_m_));
  return std::clamp<int64_t>(column, 0, columns_ - 1);
}

double Deposit::FindRestHeight(double x, double y) const {
  double height = floor_(x, y);
  const double diameter = 2.0 * radius_m_;
  const int64_t at_x = FindColumn(x);
  const int64_t at_y = FindColumn(y);
  for (int64_t i = std::max<int64_t>(0, at_x - 1); i <= std::min(columns_ - 1, at_x + 1); ++i) {
    for (int64_t j = std::max<int64_t>(0, at_y - 1); j <= std::min(columns_ - 1, at_y + 1); ++j) {
      const std::vector<Vec3>& spheres = column_spheres_[static_cast<size_t>(i * columns_ + j)];
      // The last are the highest, mostly: most of the others are passed over without a root.
      for (size_t k = spheres.size(); k-- > 0;) {
        const Vec3& other = spheres[k];
        if (other.z() + diameter <= height) continue;
        const double dx = x - other.x();
        const double dy = y - other.y();
        const double rise = diameter * diameter - dx * dx - dy * dy;
        if (rise > 0.0) height = std::max(height, other.z() + std::sqrt(rise));
      }
    }
  }
  return height;
}

void Deposit::Drop(double x, double y) {
  double height = FindRestHeight(x, y);
  int moves = 0;
  for (double step = radius_m_; step > kLastStep * radius_m_ && moves < kMaxMoves;) {
    const double turn = random_.Uniform(0.0, 2.0 * std::numbers::pi);
    bool lower = false;
    for (int k = 0; k < kDirections && !lower; ++k) {
      const double angle = turn + k * (2.0 * std::numbers::pi / kDirections);
      const double to_x = x + step * std::cos(angle);
      const double to_y = y + step * std::sin(angle);
      const double to_height = FindRestHeight(to_x, to_y);
      if (to_height >= height) continue;
      x = to_x;
      y = to_y;
      height = to_height;
      lower = true;
      ++moves;
    }
    if (!lower) step *= 0.5;
  }
  centers_.emplace_back(x, y, height);
  column_spheres_[static_cast<size_t>(FindColumn(x) * columns_ + FindColumn(y))].push_back(
      centers_.back());
}

}  // namespace talus::scenes
