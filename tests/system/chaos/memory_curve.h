// Memory of the server over time, all that is resident or what its heap has handed out, and whether
// it grows.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace talus::chaos {

class MemoryCurve {
 public:
  void Add(double seconds, double mib) { samples_.emplace_back(seconds, mib); }

  // Slope of the straight line through what came after the first quarter, MiB per hour; 0 for
  // fewer than eight samples.
  double FindSlope() const;
  // About twenty points, then the slope and the means of the second and the last quarter.
  std::string ToText() const;

 private:
  double FindMean(double from_share, double to_share) const;

  std::vector<std::pair<double, double>> samples_;
};

}  // namespace talus::chaos
