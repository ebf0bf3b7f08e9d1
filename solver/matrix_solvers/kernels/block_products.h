// What one step of an elimination in blocks of six rows takes away from the blocks of later ones
// (block_factor.h): most of the time that a factorisation takes.
//
// The bits do not depend on the instruction set: each number is −1 times the sum of six products,
// added one after the other by fused multiply-adds, added to what was there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace talus::matrix {

// Blocks are 36 numbers, column by column; "transposed" says that they are so row by row.
struct PivotStep {
  std::span<const int32_t> later;  // the steps it touches, in order
  const double* lower;             // L below the pivot, a block for each of `later`
  const double* upper;             // U right of it, transposed
  const size_t* places;  // of what it changes beside the diagonal: for each pair of `later`
  // What is left of the matrix: the blocks of the diagonal, by step; by place those below it, and
  // those right of it, transposed.
  double* diagonal;
  double* below;
  double* right;
};

// Takes L U of the step away from what is left.
void SubtractProducts(const PivotStep& step);

}  // namespace talus::matrix
