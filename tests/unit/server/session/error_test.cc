#include "server/session/error.h"

#include <string>

#include "gtest/gtest.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

using Code = absl::StatusCode;

TEST(ErrorTest, TheInfoTravelsInsideTheStatus) {
  ErrorInfo info;
  info.reason = ErrorReason::kStorage;
  info.field = std::string("f\0g", 3);
  info.value = "";
  info.allowed = "must be nice";
  info.steps_done = -3;
  info.step_index = int64_t{1} << 62;
  info.limit_name = "scenes";
  info.limit_value = 7;
  info.retry_after_ms = 9;
  const absl::Status status = MakeError(Code::kUnavailable, "why", info);
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_EQ(status.message(), "why");
  EXPECT_EQ(FindErrorInfo(status), info);
  info.steps_done = 12;
  EXPECT_EQ(FindErrorInfo(WithStepsDone(status, 12)), info);
  EXPECT_EQ(WithStepsDone(status, 12).message(), "why");
}

TEST(ErrorTest, AFieldErrorOfTheSolverKeepsItsParts) {
  const absl::Status status = FieldError("bodies[3].mass_kg", "-2", "must be > 0");
  const ErrorInfo info = FindErrorInfo(status);
  EXPECT_EQ(info.reason, ErrorReason::kInvalidField);
  EXPECT_EQ(info.field, "bodies[3].mass_kg");
  EXPECT_EQ(info.value, "-2");
  EXPECT_EQ(info.allowed, "must be > 0");
  EXPECT_EQ(FindErrorInfo(FieldError("name", "x", "is taken", Code::kAlreadyExists)).reason,
            ErrorReason::kDuplicateName);
}

TEST(ErrorTest, APlainStatusGetsTheReasonOfItsCode) {
  EXPECT_EQ(FindErrorInfo(absl::NotFoundError("")).reason, ErrorReason::kNotFound);
  EXPECT_EQ(FindErrorInfo(absl::InternalError("")).reason, ErrorReason::kUnspecified);
  EXPECT_EQ(FindErrorInfo(absl::OkStatus()).reason, ErrorReason::kUnspecified);
}

TEST(ErrorTest, WhatMaySucceedLaterSaysWhen) {
  EXPECT_GT(FindErrorInfo(DrainingError(0)).retry_after_ms, 0);
  EXPECT_GT(FindErrorInfo(PipelineFullError(16)).retry_after_ms, 0);
  EXPECT_GT(FindErrorInfo(StorageError(absl::StatusCode::kUnavailable, "full")).retry_after_ms, 0);
  const absl::Status none = StorageError(absl::StatusCode::kFailedPrecondition, "no --data-dir");
  EXPECT_EQ(FindErrorInfo(none).retry_after_ms, 0);
}

TEST(ErrorTest, MessagesNameFieldValueAndRange) {
  EXPECT_EQ(InvalidFieldError("step_count", "-1", "must be >= 1").message(),
            "step_count = -1 must be >= 1");
  const absl::Status limit = LimitError("scenes", 2, 3);
  EXPECT_EQ(limit.code(), Code::kResourceExhausted);
  EXPECT_NE(limit.message().find("scenes = 2"), absl::string_view::npos);
}

}  // namespace
}  // namespace talus
