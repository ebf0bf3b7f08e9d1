#include "tests/bench/service/service_row.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace talus::bench {

ServiceRow MakeRow(const std::string& id, const std::string& client, const std::string& transport,
                   const TripTimes& times, const TripTimes& floor) {
  ServiceRow row;
  row.id = id;
  row.client = client;
  row.transport = transport;
  row.count = times.count();
  row.median_us = times.median_us();
  row.p99_us = times.p99_us();
  row.rate_per_s = times.rate_per_s();
  row.echo_median_us = floor.median_us();
  row.echo_p99_us = floor.p99_us();
  row.echo_rate_per_s = floor.rate_per_s();
  return row;
}

std::string ToJson(const std::vector<ServiceRow>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ServiceRow& row : rows) {
    list.push_back({{"id", row.id},
                    {"client", row.client},
                    {"transport", row.transport},
                    {"count", row.count},
                    {"median_us", row.median_us},
                    {"p99_us", row.p99_us},
                    {"rate_per_s", row.rate_per_s},
                    {"echo_median_us", row.echo_median_us},
                    {"echo_p99_us", row.echo_p99_us},
                    {"echo_rate_per_s", row.echo_rate_per_s},
                    {"missed", row.missed},
                    {"echo_missed", row.echo_missed},
                    {"frames_per_s", row.frames_per_s},
                    {"server_mib", row.server_mib},
                    {"stolen_share", row.stolen_share}});
  }
  return list.dump(1) + "\n";
}

std::string ToTable(const std::vector<ServiceRow>& rows) {
  std::string table =
      "id                            count  median us     p99 us   rate/s   beside: us     p99 us  "
      " rate/s   over us  missed  beside  frames/s  server MiB  stolen %\n";
  for (const ServiceRow& row : rows) {
    char line[256];
    const double over = row.echo_median_us > 0.0 ? row.median_us - row.echo_median_us : 0.0;
    std::snprintf(line, sizeof(line),
                  "%-26s %8lld %10.1f %10.1f %8.0f   %10.1f %10.1f %8.0f %9.1f %7lld %7lld %9.1f "
                  "%11.1f %9.3f\n",
                  row.id.c_str(), static_cast<long long>(row.count), row.median_us, row.p99_us,
                  row.rate_per_s, row.echo_median_us, row.echo_p99_us, row.echo_rate_per_s, over,
                  static_cast<long long>(row.missed), static_cast<long long>(row.echo_missed),
                  row.frames_per_s, row.server_mib, 100.0 * row.stolen_share);
    table += line;
  }
  return table +
         "beside: the bare echo through the same client, the library alone, or the steps that "
         "nobody watches; of real-time ticks the lateness stands, beside it that of the echo at "
         "ticks of its own; 0: not measured; stolen: processor time that the hypervisor gave to "
         "others\n";
}

}  // namespace talus::bench
