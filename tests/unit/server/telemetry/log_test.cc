#include "server/telemetry/log.h"

#include <gtest/gtest.h>

namespace talus::telemetry {
namespace {

TEST(Log, TextNamesTheEventAndItsFields) {
  EXPECT_EQ(FormatText("call failed", {{"method", "Step"}, {"message", "no such scene"}}),
            "call failed method=Step message=\"no such scene\"");
  EXPECT_EQ(FormatText("drained", {{"why", ""}}), "drained why=\"\"");
}

TEST(Log, JsonNamesTheEventAndItsFields) {
  EXPECT_EQ(FormatJson("call failed", {{"method", "Step"}}),
            R"("event":"call failed","method":"Step")");
}

TEST(Log, AFieldCannotForgeALine) {
  EXPECT_EQ(FormatText("x", {{"name", "a\nerror forged=1"}}), R"(x name="a\u000aerror forged=1")");
  EXPECT_EQ(FormatText("x", {{"name", "a\nb"}}), R"(x name=a\u000ab)");
  EXPECT_EQ(FormatJson("x", {{"name", "a\",\"level\":\"b\\\x01"}}),
            R"("event":"x","name":"a\",\"level\":\"b\\\u0001")");
}

TEST(Log, ALevelHidesWhatIsBelowIt) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  EXPECT_FALSE(IsLogged(LogLevel::kWarning));
  EXPECT_TRUE(IsLogged(LogLevel::kError));
  ConfigureLog(LogLevel::kInfo, LogFormat::kText);
  EXPECT_TRUE(IsLogged(LogLevel::kWarning));
  EXPECT_FALSE(IsLogged(LogLevel::kDebug));
}

}  // namespace
}  // namespace talus::telemetry
