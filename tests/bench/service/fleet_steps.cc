#include "tests/bench/service/fleet_steps.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/service/control_trips.h"
#include "tests/bench/service/echo_trips.h"

namespace talus::bench {
namespace {

constexpr int kCallers = 16;
constexpr double kFleetTurnSeconds = 1.0;

using std::chrono::steady_clock;

using Fleet = std::vector<std::unique_ptr<RoundTrip>>;

// What one caller does in a turn.
struct FleetShare {
  absl::Status status;
  std::vector<double> us;
};

void MakeShare(RoundTrip& trip, const Effort& effort, FleetShare& share) {
  const steady_clock::time_point start = steady_clock::now();
  steady_clock::time_point before = start;
  for (int64_t made = 0;
       effort.count > 0 ? made < effort.count : SecondsSince(start) < kFleetTurnSeconds; ++made) {
    share.status = trip.Make();
    if (!share.status.ok()) return;
    const steady_clock::time_point after = steady_clock::now();
    share.us.push_back(std::chrono::duration<double, std::micro>(after - before).count());
    before = after;
  }
}

absl::Status TakeFleetTurn(const Fleet& fleet, const Effort& effort, TripTimes* times) {
  std::vector<FleetShare> shares(fleet.size());
  const auto start = steady_clock::now();
  std::vector<std::thread> callers;
  for (size_t k = 0; k < fleet.size(); ++k) {
    callers.emplace_back([&, k] { MakeShare(*fleet[k], effort, shares[k]); });
  }
  for (std::thread& caller : callers) caller.join();
  times->AddBusy(SecondsSince(start));
  for (const FleetShare& share : shares) {
    if (!share.status.ok()) return share.status;
    for (const double us : share.us) times->Add(us);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ServiceRow> MeasureFleetSteps(const std::string& id, const std::string& transport,
                                             const ServerPair& servers, const Effort& effort) {
  Fleet echoes;
  Fleet fleet;
  for (int k = 0; k < kCallers; ++k) {
    echoes.push_back(MakeEchoStream(servers.OpenEcho(), 0));
    auto trip = MakeControlStep(servers.OpenTalus(), "fleet-" + std::to_string(k), {});
    if (!trip.ok()) return trip.status();
    fleet.push_back(*std::move(trip));
  }
  TripTimes unmeasured;
  TripTimes echo_times;
  TripTimes times;
  absl::Status status = TakeFleetTurn(echoes, effort, &unmeasured);
  if (status.ok()) status = TakeFleetTurn(fleet, effort, &unmeasured);
  const auto start = steady_clock::now();
  for (bool more = true; more && status.ok();) {
    status = TakeFleetTurn(echoes, effort, &echo_times);
    if (status.ok()) status = TakeFleetTurn(fleet, effort, &times);
    more = effort.count == 0 && SecondsSince(start) < effort.seconds;
  }
  for (const std::unique_ptr<RoundTrip>& trip : fleet) {
    if (status.ok()) status = trip->Check();
  }
  if (!status.ok()) return status;
  ServiceRow row = MakeRow(id, "cpp", transport, times, echo_times);
  row.server_mib = servers.ReadTalusMib();
  return row;
}

}  // namespace talus::bench
