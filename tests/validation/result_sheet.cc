#include "tests/validation/result_sheet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace talus::validation {

bool Result::pass() const {
  return std::isfinite(value) && std::abs(value - expected) <= tolerance;
}

std::string ResultSheet::ToJson() const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Result& r : results_) {
    rows.push_back({{"id", r.id},
                    {"source", r.source},
                    {"value", r.value},
                    {"expected", r.expected},
                    {"tolerance", r.tolerance},
                    {"unit", r.unit},
                    {"pass", r.pass()}});
  }
  return rows.dump(1) + "\n";
}

std::string ResultSheet::ToTable() const {
  std::string table;
  for (const Result& r : results_) {
    char line[256];
    std::snprintf(line, sizeof(line), "%s  %-36s %18.10g  expected %16.10g ± %-9.3g %-7s %s\n",
                  r.pass() ? "ok  " : "FAIL", r.id.c_str(), r.value, r.expected, r.tolerance,
                  r.unit.c_str(), r.source.c_str());
    table += line;
  }
  return table;
}

int ResultSheet::failure_count() const {
  return static_cast<int>(
      std::count_if(results_.begin(), results_.end(), [](const Result& r) { return !r.pass(); }));
}

}  // namespace talus::validation
