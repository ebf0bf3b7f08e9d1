// What the options before a command come to.
#include "clients/cli/context.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace talus::cli {
namespace {

using std::chrono::milliseconds;

milliseconds TimeoutOf(const std::string& text) {
  Context context;
  CLI::App app;
  context.AddOptions(app);
  app.parse("--timeout " + text);
  return context.Call().timeout;
}

TEST(ContextOptions, AShortTimeoutIsNotNone) {
  EXPECT_EQ(TimeoutOf("0.0005"), milliseconds{1});
  EXPECT_EQ(TimeoutOf("1e-300"), milliseconds{1});
  EXPECT_EQ(TimeoutOf("2.5"), milliseconds{2500});
  EXPECT_EQ(TimeoutOf("1e9"), milliseconds{1'000'000'000'000});
  EXPECT_EQ(TimeoutOf("0"), milliseconds{0});
}

TEST(ContextOptions, ATimeoutThatIsNoneIsRefused) {
  for (const char* text : {"nan", "inf", "1e10", "soon", "''"}) {
    EXPECT_THROW(TimeoutOf(text), CLI::ParseError) << text;
  }
}

}  // namespace
}  // namespace talus::cli
