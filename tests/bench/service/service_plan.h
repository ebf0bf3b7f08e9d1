// The cases of the service benchmark: what is measured, through which client, over which transport.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/service/service_row.h"
#include "tests/bench/service/trip_times.h"

namespace talus::bench {

struct ServiceCase {
  std::string id;  // client/what/transport; rows have it or it with a suffix
  std::function<absl::StatusOr<std::vector<ServiceRow>>(const Effort&)> measure;
};

std::vector<ServiceCase> ListCases();

// Whether `id` contains `pattern`, where * and ? stand for any text and any character.
bool IsNamedBy(const std::string& id, const std::string& pattern);

}  // namespace talus::bench
