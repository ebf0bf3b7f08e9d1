#include "tests/system/chaos/memory_curve.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace talus::chaos {
namespace {

constexpr size_t kFewest = 8;
constexpr size_t kPoints = 20;

}  // namespace

double MemoryCurve::FindSlope() const {
  if (samples_.size() < kFewest) return 0.0;
  const size_t first = samples_.size() / 4;
  const auto count = static_cast<double>(samples_.size() - first);
  double time = 0.0;
  double memory = 0.0;
  for (size_t k = first; k < samples_.size(); ++k) {
    time += samples_[k].first / count;
    memory += samples_[k].second / count;
  }
  double both = 0.0;
  double spread = 0.0;
  for (size_t k = first; k < samples_.size(); ++k) {
    both += (samples_[k].first - time) * (samples_[k].second - memory);
    spread += (samples_[k].first - time) * (samples_[k].first - time);
  }
  return spread > 0.0 ? both / spread * 3600.0 : 0.0;
}

double MemoryCurve::FindMean(double from_share, double to_share) const {
  const auto size = static_cast<double>(samples_.size());
  const auto from = static_cast<size_t>(from_share * size);
  const auto to = static_cast<size_t>(to_share * size);
  double sum = 0.0;
  for (size_t k = from; k < to; ++k) sum += samples_[k].second;
  return to > from ? sum / static_cast<double>(to - from) : 0.0;
}

std::string MemoryCurve::ToText() const {
  std::string text;
  std::array<char, 160> line{};
  const size_t stride = std::max<size_t>(1, samples_.size() / kPoints);
  for (size_t k = 0; k < samples_.size(); k += stride) {
    std::snprintf(line.data(), line.size(), "  %7.0f s %8.1f MiB\n", samples_[k].first,
                  samples_[k].second);
    text += line.data();
  }
  std::snprintf(line.data(), line.size(),
                "  after the first quarter %+.1f MiB/h; second quarter %.1f MiB, last %.1f MiB\n",
                FindSlope(), FindMean(0.25, 0.5), FindMean(0.75, 1.0));
  return text + line.data();
}

}  // namespace talus::chaos
