// Equal spheres laid down one after another where a stone would come to rest: each is dropped at a
// place of the caller's choice and goes sideways, in shrinking steps, for as long as that brings it
// lower.
//
// What comes out touches without overlapping, is as dense as what a nozzle pours, and is nearly at
// rest already, for less than a tenth of a millisecond a sphere: the way to a heap of a hundred
// thousand stones without pouring it. Some stones are left on two others where gravity alone would
// want three; rolling friction or a few steps settle those. Seeded, the same on every run.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "solver/base/math.h"
#include "solver/base/random.h"

namespace talus::scenes {

class Deposit {
 public:
  // The height of the centre of a sphere that lies on the container at (x, y), metres; infinite
  // where none may lie.
  using Floor = std::function<double(double x, double y)>;

  // The floor is finite within |x|, |y| <= reach_m at most.
  Deposit(double radius_m, double reach_m, Floor floor, uint64_t seed);

  // Lays one sphere down, let go above (x, y), where the floor is finite.
  void Drop(double x, double y);

  const std::vector<Vec3>& centers() const { return centers_; }

 private:
  int64_t FindColumn(double coordinate) const;
  double FindRestHeight(double x, double y) const;

  double radius_m_;
  double reach_m_;
  Floor floor_;
  Random random_;
  int64_t columns_;  // a side
  std::vector<std::vector<Vec3>>
      column_spheres_;  // centres by column of the plane, one diameter wide
  std::vector<Vec3> centers_;
};

}  // namespace talus::scenes
