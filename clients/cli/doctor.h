// What ails a server, seen from the outside: a list of checks, each with what was found and what to
// do about it.
//
// Asks only what every server answers, changes nothing, and goes on as far as it can: a check that
// needs one that failed is left out, and one that the server would not be asked in time for the
// rate of calls is a warning. It prints nothing.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "clients/cpp/client.h"

namespace talus::cli {

struct Finding {
  enum class State { kGood, kWarning, kBad };

  std::string check;  // as in `certificate`
  State state = State::kGood;
  std::string found;
  std::string advice;  // empty: nothing to do
};

// `patience` is for the connection, for each call, and for waiting until the server takes it.
std::vector<Finding> Examine(const std::string& address, const client::ClientOptions& options,
                             std::chrono::milliseconds patience);

// A certificate, PEM, that ends within 30 days is a warning, one that has ended is bad.
Finding JudgeCertificate(const std::string& pem, std::chrono::system_clock::time_point now);
// Versions that differ in more than their last number do not promise to understand each other.
Finding JudgeVersions(const std::string& server, const std::string& client);
// `skew_s` is how much the server's clock is ahead.
Finding JudgeClock(double skew_s);
// `name` says of what `used` of `limit` are taken.
Finding JudgeUse(const std::string& name, int64_t used, int64_t limit, const std::string& advice);
// Times of calls on an idle server.
Finding JudgeRoundTrips(std::vector<double> microseconds);

}  // namespace talus::cli
