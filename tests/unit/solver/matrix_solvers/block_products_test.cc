// The products of an elimination, number by number, on every instruction set the machine has.
#include "solver/matrix_solvers/kernels/block_products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/base/random.h"
#include "solver/contact/kernels/block_kernels.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kBlockProductsSeed = 20261128;
constexpr size_t kNumbers = 36;

std::vector<double> RandomBlocks(size_t count, Random& random) {
  std::vector<double> numbers(kNumbers * count);
  for (double& number : numbers) number = random.Uniform(-1.0, 1.0);
  return numbers;
}

// block − x yᵀ as the header says it.
void SubtractInOrder(const double* x, const double* y, double* block) {
  for (size_t column = 0; column < 6; ++column) {
    for (size_t row = 0; row < 6; ++row) {
      double sum = x[row] * y[column];
      for (size_t k = 1; k < 6; ++k) sum = std::fma(x[6 * k + row], y[6 * k + column], sum);
      block[6 * column + row] -= sum;
    }
  }
}

struct Left {
  std::vector<double> diagonal, below, right;
  bool operator==(const Left&) const = default;
};

class BlockProducts : public ::testing::Test {
 protected:
  ~BlockProducts() override { UseKernelTarget(""); }

  PivotStep StepOf(Left& left) const {
    return {later_,           lower_.data(),        upper_.data(),
            places_.data(),   left.diagonal.data(), left.below.data(),
            left.right.data()};
  }
  Left SubtractedInOrder() const {
    Left left = given_;
    const size_t* place = places_.data();
    for (size_t p = 0; p < later_.size(); ++p) {
      const double* const lower = &lower_[kNumbers * p];
      const double* const upper = &upper_[kNumbers * p];
      SubtractInOrder(lower, upper, &left.diagonal[kNumbers * static_cast<size_t>(later_[p])]);
      for (size_t q = p + 1; q < later_.size(); ++q, ++place) {
        SubtractInOrder(&lower_[kNumbers * q], upper, &left.below[kNumbers * *place]);
        SubtractInOrder(&upper_[kNumbers * q], lower, &left.right[kNumbers * *place]);
      }
    }
    return left;
  }

  Random random_{kBlockProductsSeed};
  std::vector<int32_t> later_ = {1, 3, 4};
  std::vector<size_t> places_ = {5, 0, 2};  // of the pairs 1 3, 1 4 and 3 4
  std::vector<double> lower_ = RandomBlocks(3, random_);
  std::vector<double> upper_ = RandomBlocks(3, random_);
  Left given_ = {RandomBlocks(5, random_), RandomBlocks(6, random_), RandomBlocks(6, random_)};
};

TEST_F(BlockProducts, AreTheSameBitsOnEveryInstructionSet) {
  const Left expected = SubtractedInOrder();
  ASSERT_FALSE(KernelTargets().empty());
  for (const std::string_view target : KernelTargets()) {
    SCOPED_TRACE(std::string(target));
    UseKernelTarget(target);
    Left left = given_;
    SubtractProducts(StepOf(left));
    EXPECT_EQ(left, expected);
  }
}

TEST_F(BlockProducts, LeaveAllAsItIsWhereNoStepComesAfter) {
  later_.clear();
  Left left = given_;
  SubtractProducts(StepOf(left));
  EXPECT_EQ(left, given_);
}

}  // namespace
}  // namespace talus::matrix
