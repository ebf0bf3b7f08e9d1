// Which of the six rows of a block the rows of a file are: problems without spinning have five a
// contact, with sliding alone three, in a plane two.
#pragma once

#include <span>

namespace talus {

// The rows in the order of the file; empty where no file has so many.
inline std::span<const int> RowsOfDimension(int dimension) {
  static constexpr int kPlane[] = {0, 1};
  static constexpr int kSliding[] = {0, 1, 2};
  static constexpr int kRolling[] = {0, 1, 2, 4, 5};
  static constexpr int kAll[] = {0, 1, 2, 3, 4, 5};
  switch (dimension) {
    case 2:
      return kPlane;
    case 3:
      return kSliding;
    case 5:
      return kRolling;
    case 6:
      return kAll;
    default:
      return {};
  }
}

}  // namespace talus
