#include "solver/base/field_error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace talus {
namespace {

TEST(FieldErrorTest, SaysFieldValueAndBound) {
  const absl::Status status = FieldError("bodies[3].mass_kg", FormatValue(-2.0), "must be > 0");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()), "bodies[3].mass_kg = -2 must be > 0");
}

TEST(FieldErrorTest, GivesItsPartsBack) {
  const absl::Status status = FieldError("name", FormatValue(std::string_view("a b")),
                                         "must be unique", absl::StatusCode::kAlreadyExists);
  const auto parts = GetFieldError(status);
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->field, "name");
  EXPECT_EQ(parts->value, "\"a b\"");
  EXPECT_EQ(parts->allowed, "must be unique");
}

TEST(FieldErrorTest, OtherStatusesHaveNoParts) {
  EXPECT_FALSE(GetFieldError(absl::OkStatus()).has_value());
  EXPECT_FALSE(GetFieldError(absl::InvalidArgumentError("a = b must be c")).has_value());
}

TEST(FieldErrorTest, NumbersReadBackToThemselves) {
  for (const double value : {0.1, -2.0, 1e300, 5e-324, 123456789.123}) {
    EXPECT_EQ(std::strtod(FormatValue(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(FormatValue(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(FormatValue(-std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(FormatValue(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(FormatValue(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(FieldErrorTest, TextFromOutsideIsEscapedAndCut) {
  EXPECT_EQ(FormatValue(std::string_view("a\"\\\x1f\n\xff")), "\"a\\\"\\\\\\x1f\\x0a\\xff\"");
  const std::string shown = FormatValue(std::string_view(std::string(1000, 'x')));
  EXPECT_LT(shown.size(), 100u);
  EXPECT_TRUE(shown.ends_with("\"..."));
}

}  // namespace
}  // namespace talus
