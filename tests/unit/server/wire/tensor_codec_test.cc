#include "server/wire/tensor_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solver/base/field_error.h"

namespace talus::wire {
namespace {

using ::testing::ElementsAre;

env::Tensor Doubles(std::vector<double> values, std::vector<int32_t> shape) {
  env::Tensor tensor;
  EncodeDoubles(values, shape, tensor);
  return tensor;
}

std::string FieldOf(const absl::Status& status) {
  const auto parts = GetFieldError(status);
  return parts.has_value() ? parts->field + ' ' + parts->allowed : std::string(status.message());
}

TEST(TensorCodec, TakesATensorOfTheShape) {
  const int32_t shape[] = {2, 3};
  EXPECT_THAT(*DecodeDoubles(Doubles({1, 2, 3, 4, 5, 6}, {2, 3}), shape, "a"),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(*DecodeDoubles(Doubles({1, 2, 3, 4, 5, 6}, {-1, 3}), shape, "a"),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(*DecodeDoubles(Doubles({7}, {2, 3}), shape, "a"), ElementsAre(7, 7, 7, 7, 7, 7));
  EXPECT_THAT(*DecodeDoubles(Doubles({7}, {}), {}, "a"), ElementsAre(7));
}

TEST(TensorCodec, RefusesWhatDoesNotFit) {
  const int32_t shape[] = {2, 3};
  const auto refuse = [&](const env::Tensor& tensor) {
    return FieldOf(DecodeDoubles(tensor, shape, "a").status());
  };
  const std::string wrong_shape = "a.shape must be [2, 3], one dimension perhaps -1";
  EXPECT_EQ(refuse(Doubles({1, 2, 3, 4, 5, 6}, {3, 2})), wrong_shape);
  EXPECT_EQ(refuse(Doubles({1, 2, 3, 4, 5, 6}, {6})), wrong_shape);
  EXPECT_EQ(refuse(Doubles({1, 2, 3, 4, 5, 6}, {2, 3, 1})), wrong_shape);
  EXPECT_EQ(refuse(Doubles({1, 2, 3, 4, 5, 6}, {-1, -1})), wrong_shape);
  EXPECT_EQ(refuse(Doubles({1, 2}, {2, 3})), "size(a) must be 6, or 1 for all alike");
  EXPECT_EQ(refuse(Doubles({}, {2, 3})), "size(a) must be 6, or 1 for all alike");
  env::Tensor floats;
  floats.mutable_floats()->add_array(1.0F);
  EXPECT_EQ(refuse(floats), "a must be of type DOUBLE");
  EXPECT_EQ(refuse({}), "a must be of type DOUBLE");
  EXPECT_EQ(FieldOf(DecodeDoubles(Doubles({1, 2}, {}), {}, "a").status()), "size(a) must be 1");
}

TEST(TensorCodec, ReadsSettingsOfAnyTypeThatHoldsThem) {
  env::Tensor integer;
  EncodeInteger(-3, integer);
  EXPECT_EQ(*DecodeInteger(integer, "s"), -3);
  EXPECT_EQ(*DecodeNumber(integer, "s"), -3.0);
  env::Tensor number = Doubles({0.5}, {1});
  EXPECT_EQ(*DecodeNumber(number, "s"), 0.5);
  EXPECT_FALSE(DecodeInteger(number, "s").ok());
  number.mutable_doubles()->add_array(1.0);
  EXPECT_FALSE(DecodeNumber(number, "s").ok()) << "two elements";
  env::Tensor texts;
  EncodeTexts({"a", "b"}, texts);
  EXPECT_THAT(*DecodeTexts(texts, "s"), ElementsAre("a", "b"));
  EXPECT_FALSE(DecodeText(texts, "s").ok());
  EXPECT_FALSE(DecodeTexts(integer, "s").ok());
  env::Tensor flag;
  flag.mutable_bools()->add_array(true);
  EXPECT_TRUE(*DecodeFlag(flag, "s"));
  EXPECT_FALSE(DecodeFlag(integer, "s").ok());
  EXPECT_FALSE(DecodeNumber({}, "s").ok());
}

}  // namespace
}  // namespace talus::wire
