// Clients in other languages: programs that make unary calls of Step and of the echo in turn, in
// their own process and through their own gRPC, and print one JSON object of what they measured.
//
// A program is called with --talus ADDRESS --echo ADDRESS --scene NAME and --seconds S or --count
// N. It prints count, median_us, p99_us, rate_per_s, the same with echo_ before them, and
// step_index and state_hash (a decimal string) of the last answer, which are compared with the
// library's here.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/service/server_pair.h"
#include "tests/bench/service/service_row.h"
#include "tests/bench/service/trip_times.h"

namespace talus::bench {

struct ProgramClient {
  std::string name;
  std::vector<std::string> command;
};

// Those that were built.
std::vector<ProgramClient> ListProgramClients();

// The row lacks its id and transport.
absl::StatusOr<ServiceRow> MeasureProgram(const ProgramClient& program, const ServerPair& servers,
                                          const Effort& effort);

}  // namespace talus::bench
