// One check of a server's conduct, and what it came to. A check asks the server as any client would
// and judges the answers by docs/PROTOCOL.md; it knows nothing of other checks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "clients/cpp/result.h"

namespace talus::cli::conformance {

enum class Outcome { kPass, kFail, kSkip };

struct Verdict {
  Outcome outcome = Outcome::kPass;
  std::string reason;  // empty where it passed

  static Verdict Pass() { return {}; }
  static Verdict Fail(std::string reason) { return {Outcome::kFail, std::move(reason)}; }
  static Verdict Skip(std::string reason) { return {Outcome::kSkip, std::move(reason)}; }
};

class Ground;

struct Check {
  std::string area;  // the part of the interface it is of
  std::string name;
  Verdict (*run)(Ground& ground);
  // Features of simulation_interfaces that it tests, as GetFeatures names them: skipped where the
  // server offers none of them.
  std::vector<std::string> features = {};
};

// Empty: `result` failed as expected; else what it did instead.
template <typename T>
std::string DescribeUnexpected(const client::Result<T>& result, client::Code code,
                               v1::ErrorReason reason) {
  const std::string expected =
      std::string(client::CodeName(code)) + " / " + v1::ErrorReason_Name(reason);
  if (result.ok()) return "succeeded instead of failing with " + expected;
  const client::Error& error = result.error();
  if (error.code == code && error.detail.reason() == reason) return "";
  return "expected " + expected + ", got " + v1::ErrorReason_Name(error.detail.reason()) + ": " +
         error.ToString();
}

// Ends the check as failed unless the condition holds.
#define TALUS_DEMAND(condition, reason)             \
  do {                                              \
    if (!(condition)) return Verdict::Fail(reason); \
  } while (false)
// The same for the answer of a call.
#define TALUS_DEMAND_OK(result) TALUS_DEMAND((result).ok(), (result).error().ToString())
// The same for a call that must fail.
#define TALUS_DEMAND_ERROR(result, code, reason)                                           \
  do {                                                                                     \
    const std::string unexpected = DescribeUnexpected(result, client::Code::code, reason); \
    if (!unexpected.empty()) return Verdict::Fail(#reason ": " + unexpected);              \
  } while (false)

// The checks of each area, in the order in which they run.
std::vector<Check> ListServerChecks();
std::vector<Check> ListSceneChecks();
std::vector<Check> ListModelChecks();
std::vector<Check> ListUpdateChecks();
std::vector<Check> ListNamedSceneChecks();
std::vector<Check> ListRayChecks();
std::vector<Check> ListStepChecks();
std::vector<Check> ListResetChecks();
std::vector<Check> ListControlChecks();
std::vector<Check> ListStreamChecks();
std::vector<Check> ListStorageChecks();
std::vector<Check> ListErrorChecks();
std::vector<Check> ListWorldChecks();
std::vector<Check> ListAgentChecks();

}  // namespace talus::cli::conformance
