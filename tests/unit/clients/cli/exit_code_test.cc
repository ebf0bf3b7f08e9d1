// Batch systems decide by exit codes: every list of them has all.
#include "clients/cli/exit_code.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace talus::cli {
namespace {

// Rows of the table below `heading` in a file of the sources.
std::string TableBelow(const std::string& file, const std::string& heading) {
  std::ifstream stream(std::string(TALUS_SOURCE_FOLDER) + file);
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string all = text.str();
  const size_t at = all.find(heading);
  EXPECT_NE(at, std::string::npos) << file << " has no " << heading;
  return at == std::string::npos ? "" : all.substr(at);
}

TEST(ExitCodes, StandInEveryList) {
  const std::string contract = TableBelow("docs/PROTOCOL.md", "| exit code of `talusctl` |");
  const std::string readme = TableBelow("clients/cli/README.md", "## Exit codes");
  const std::string help = std::string(" ") + kExitCodeHelp;
  for (const int code : {kExitOk, kExitFailure, kExitUsage, kExitUnconverged, kExitFaulted,
                         kExitMismatch, kExitPartial, kExitInterrupted}) {
    const std::string number = std::to_string(code);
    EXPECT_NE(contract.find("\n| " + number + " |"), std::string::npos) << number;
    EXPECT_NE(readme.find("\n| " + number + " |"), std::string::npos) << number;
    EXPECT_TRUE(help.find(" " + number + " ") != std::string::npos ||
                help.find("\n" + number + " ") != std::string::npos)
        << number;
  }
  EXPECT_EQ(ExitCodeOf(client::Code::kUnavailable), 24);
}

}  // namespace
}  // namespace talus::cli
