#include "server/runtime/chosen_cores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace talus {
namespace {

using ::testing::HasSubstr;

Cores FindCoresOfNewThread() {
  Cores cores;
  std::thread([&] { cores = FindUsableCores(); }).join();
  return cores;
}

TEST(ChosenCores, ThreadsThatAreStartedMeanwhileStayOnThem) {
  const Cores usable = FindUsableCores();
  ASSERT_FALSE(usable.empty());
  const Cores last = {usable.back()};
  {
    const ChosenCores chosen(last);
    EXPECT_EQ(FindUsableCores(), last);
    EXPECT_EQ(FindCoresOfNewThread(), last);
  }
  EXPECT_EQ(FindUsableCores(), usable);
  EXPECT_EQ(FindCoresOfNewThread(), usable);
}

TEST(ChosenCores, WithoutAnyAllIsAsBefore) {
  const Cores usable = FindUsableCores();
  const ChosenCores chosen({});
  EXPECT_EQ(FindUsableCores(), usable);
}

TEST(ChosenCores, MustBeUsable) {
  const Cores usable = FindUsableCores();
  EXPECT_TRUE(CheckCores("cores", {}).ok());
  EXPECT_TRUE(CheckCores("cores", usable).ok());
  for (const int wrong : {-1, usable.back() + 1, 1 << 20}) {
    const absl::Status status = CheckCores("cores", {usable.front(), wrong});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("cores = " + std::to_string(wrong)));
    EXPECT_THAT(status.message(), HasSubstr(std::to_string(usable.front())));
  }
  // What was chosen is what may be chosen from.
  const ChosenCores chosen({usable.front()});
  for (const int core : usable) {
    EXPECT_EQ(CheckCores("cores", {core}).ok(), core == usable.front()) << core;
  }
}

}  // namespace
}  // namespace talus
