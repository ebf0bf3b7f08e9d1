#include "server/rpc/planned_end.h"

#include <gtest/gtest.h>

namespace talus::rpc {
namespace {

TEST(PlannedEnd, IsDueOnceWhereNothingIsUnderWay) {
  PlannedEnd end;
  EXPECT_FALSE(end.TakeDue());
  end.Plan(absl::UnavailableError("drains"));
  EXPECT_EQ(end.TakeDue(), absl::UnavailableError("drains"));
  EXPECT_FALSE(end.TakeDue());
}

TEST(PlannedEnd, WaitsUntilAReadIsBegun) {
  PlannedEnd end;
  ASSERT_TRUE(end.BeginRead());
  end.Plan(absl::UnavailableError("drains"));
  EXPECT_FALSE(end.TakeDue());
  end.ReadIsBegun();
  EXPECT_TRUE(end.TakeDue());
  // The read fails with the end, and brings nothing.
  EXPECT_FALSE(end.BeginWork());
}

TEST(PlannedEnd, WaitsUntilAMessageIsDealtWith) {
  PlannedEnd end;
  ASSERT_TRUE(end.BeginRead());
  // The read may be done before it is said to be begun.
  ASSERT_TRUE(end.BeginWork());
  end.ReadIsBegun();
  end.Plan(absl::UnavailableError("drains"));
  EXPECT_FALSE(end.TakeDue());
  EXPECT_FALSE(end.BeginRead());  // the next one
  EXPECT_EQ(end.TakeDue(), absl::UnavailableError("drains"));
}

TEST(PlannedEnd, TheFirstPlanHoldsUnlessAMessageEndsTheStream) {
  PlannedEnd planned;
  planned.Plan(absl::UnavailableError("drains"));
  planned.Plan(absl::CancelledError());
  EXPECT_EQ(planned.TakeDue(), absl::UnavailableError("drains"));
  PlannedEnd worked;
  ASSERT_TRUE(worked.BeginWork());
  worked.Plan(absl::UnavailableError("drains"));
  worked.EndNow(absl::OkStatus());
  EXPECT_EQ(worked.TakeDue(), absl::OkStatus());
}

}  // namespace
}  // namespace talus::rpc
