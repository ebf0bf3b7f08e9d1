#include "tests/bench/service/service_plan.h"

#include <fnmatch.h>

#include <memory>
#include <thread>
#include <utility>

#include "tests/bench/service/control_trips.h"
#include "tests/bench/service/crowded_steps.h"
#include "tests/bench/service/echo_trips.h"
#include "tests/bench/service/fleet_steps.h"
#include "tests/bench/service/program_client.h"
#include "tests/bench/service/real_time_steps.h"
#include "tests/bench/service/server_pair.h"
#include "tests/bench/service/step_trips.h"
#include "tests/bench/service/watched_steps.h"

namespace talus::bench {
namespace {

using Rows = absl::StatusOr<std::vector<ServiceRow>>;
using Trip = absl::StatusOr<std::unique_ptr<RoundTrip>>;
// Makes a trip to one of the two servers.
using TripMaker = std::function<Trip(const ServerPair&)>;

// The eleven bodies of the ten balls and their ground, 13 doubles each, and what is around them.
constexpr uint32_t kTenBodyFrameBytes = 11 * 13 * 8 + 100;

enum class CallCores { kAll, kOne };

// C++ in this process: `trip` against `floor`.
ServiceCase MakeCppCase(const std::string& name, Transport transport, TripMaker floor,
                        TripMaker trip, CallCores cores = CallCores::kAll) {
  const std::string id = "cpp/" + name + "/" + TransportName(transport);
  return {id, [=](const Effort& effort) -> Rows {
            absl::StatusOr<ServerPair> servers = cores == CallCores::kOne
                                                     ? ServerPair::StartOnOneCore(transport)
                                                     : ServerPair::Start(transport);
            if (!servers.ok()) return servers.status();
            Trip floor_trip = floor(*servers);
            if (!floor_trip.ok()) return floor_trip.status();
            Trip measured_trip = trip(*servers);
            if (!measured_trip.ok()) return measured_trip.status();
            TripTimes floor_times;
            TripTimes times;
            absl::Status measured =
                MeasureInTurn(**floor_trip, **measured_trip, effort, floor_times, times);
            if (!measured.ok()) return measured;
            ServiceRow row = MakeRow(id, "cpp", TransportName(transport), times, floor_times);
            row.server_mib = servers->ReadTalusMib();
            return std::vector<ServiceRow>{row};
          }};
}

TripMaker EchoUnary(uint32_t reply_bytes) {
  return [=](const ServerPair& servers) -> Trip {
    return MakeEchoUnary(servers.OpenEcho(), reply_bytes);
  };
}

TripMaker EchoStream(uint32_t reply_bytes) {
  return [=](const ServerPair& servers) -> Trip {
    return MakeEchoStream(servers.OpenEcho(), reply_bytes);
  };
}

TripMaker StepUnary(const v1::FrameSelection& selection) {
  return [=](const ServerPair& servers) -> Trip {
    return MakeStepUnary(servers.OpenTalus(), "ten", selection);
  };
}

TripMaker ControlStep(const v1::FrameSelection& selection) {
  return [=](const ServerPair& servers) -> Trip {
    return MakeControlStep(servers.OpenTalus(), "ten", selection);
  };
}

TripMaker DrivenControlStep() {
  return [](const ServerPair& servers) -> Trip {
    return MakeDrivenControlStep(servers.OpenTalus(), "driven", {});
  };
}

// Without gRPC, in this process, beside the library alone. The library is measured beside itself:
// how far two measurements of the same thing are apart on this machine in this hour.
ServiceCase MakeLocalCase(const std::string& client, Trip (*make)()) {
  const std::string id = client + "/step/none";
  return {id, [=](const Effort& effort) -> Rows {
            Trip floor = MakeLibraryStep();
            if (!floor.ok()) return floor.status();
            Trip trip = make();
            if (!trip.ok()) return trip.status();
            TripTimes floor_times;
            TripTimes times;
            absl::Status measured = MeasureInTurn(**floor, **trip, effort, floor_times, times);
            if (!measured.ok()) return measured;
            return std::vector<ServiceRow>{MakeRow(id, client, "none", times, floor_times)};
          }};
}

ServiceCase MakeProgramCase(const ProgramClient& program, Transport transport) {
  const std::string id = program.name + "/step/" + TransportName(transport);
  return {id, [=](const Effort& effort) -> Rows {
            absl::StatusOr<ServerPair> servers = ServerPair::Start(transport);
            if (!servers.ok()) return servers.status();
            absl::StatusOr<ServiceRow> row = MeasureProgram(program, *servers, effort);
            if (!row.ok()) return row.status();
            row->id = id;
            row->transport = TransportName(transport);
            return std::vector<ServiceRow>{*row};
          }};
}

// A program of this process against a server that nothing stands beside.
ServiceCase MakeServerCase(
    const std::string& name, Transport transport,
    std::function<Rows(const std::string& id, const ServerPair&, const Effort&)> measure,
    const std::vector<std::string>& arguments = {}) {
  const std::string id = "cpp/" + name + "/" + TransportName(transport);
  return {id, [=](const Effort& effort) -> Rows {
            absl::StatusOr<ServerPair> servers = ServerPair::Start(transport, arguments);
            if (!servers.ok()) return servers.status();
            return measure(id, *servers, effort);
          }};
}

struct WatchedCase {
  std::string name;
  Motion motion;
  std::vector<std::string> arguments;  // of the server
};

// The readers are programs too: with one core less for the steps they have somewhere to run.
std::vector<std::string> LeaveACore() {
  const unsigned cores = std::thread::hardware_concurrency();
  return {"--workers", std::to_string(cores > 1 ? cores - 1 : 1)};
}

// Where a core is left steps go first by default; `equal` is without.
std::vector<WatchedCase> ListWatchedCases() {
  const std::vector<std::string> spare = LeaveACore();
  std::vector<std::string> equal = spare;
  equal.insert(equal.end(), {"--step-nice", "0"});
  return {{"watched", Motion::kResting, spare},
          {"watched-rolling", Motion::kRolling, spare},
          {"watched-resting-crowded", Motion::kResting, {}},
          {"watched-rolling-crowded", Motion::kRolling, {}},
          {"watched-equal", Motion::kResting, equal},
          {"watched-rolling-equal", Motion::kRolling, equal}};
}

struct FairnessCase {
  std::string name;
  std::vector<std::string> arguments;  // of the server
};

std::vector<FairnessCase> ListFairnessCases() {
  return {{"fairness", {}}, {"fairness-spare", LeaveACore()}};
}

}  // namespace

std::vector<ServiceCase> ListCases() {
  v1::FrameSelection whole_frame;
  whole_frame.set_positions(true);
  whole_frame.set_orientations(true);
  whole_frame.set_velocities(true);
  std::vector<ServiceCase> cases = {MakeLocalCase("library", MakeLibraryStep),
                                    MakeLocalCase("ring", MakeRingStep)};
  for (const Transport transport : {Transport::kTcp, Transport::kUnix}) {
    cases.push_back(MakeCppCase("echo-stream", transport, EchoUnary(0), EchoStream(0)));
    cases.push_back(MakeCppCase("step", transport, EchoUnary(0), StepUnary({})));
    cases.push_back(MakeCppCase("step-frame", transport, EchoUnary(kTenBodyFrameBytes),
                                StepUnary(whole_frame)));
    cases.push_back(MakeCppCase("control", transport, EchoStream(0), ControlStep({})));
    cases.push_back(MakeCppCase("control-driven", transport, EchoStream(0), DrivenControlStep()));
    cases.push_back(MakeCppCase("control-frame", transport, EchoStream(kTenBodyFrameBytes),
                                ControlStep(whole_frame)));
    cases.push_back(
        MakeCppCase("step-one-core", transport, EchoUnary(0), StepUnary({}), CallCores::kOne));
    cases.push_back(MakeCppCase("control-one-core", transport, EchoStream(0), ControlStep({}),
                                CallCores::kOne));
    cases.push_back(MakeCppCase("control-driven-one-core", transport, EchoStream(0),
                                DrivenControlStep(), CallCores::kOne));
  }
  for (const ProgramClient& program : ListProgramClients()) {
    for (const Transport transport : {Transport::kTcp, Transport::kUnix}) {
      cases.push_back(MakeProgramCase(program, transport));
    }
  }
  for (const Transport transport : {Transport::kTcp, Transport::kUnix}) {
    const std::string name = TransportName(transport);
    for (const int ahead : {0, 1}) {
      cases.push_back(MakeServerCase(
          ahead == 0 ? "real-time" : "real-time-ahead", transport,
          [=](const std::string& id, const ServerPair& servers, const Effort& effort) -> Rows {
            absl::StatusOr<ServiceRow> row = MeasureRealTimeSteps(id, name, servers, ahead, effort);
            if (!row.ok()) return row.status();
            return std::vector<ServiceRow>{*std::move(row)};
          }));
    }
    cases.push_back(MakeServerCase(
        "fleet", transport,
        [=](const std::string& id, const ServerPair& servers, const Effort& effort) -> Rows {
          absl::StatusOr<ServiceRow> row = MeasureFleetSteps(id, name, servers, effort);
          if (!row.ok()) return row.status();
          return std::vector<ServiceRow>{*std::move(row)};
        }));
    for (const FairnessCase& fairness : ListFairnessCases()) {
      cases.push_back(MakeServerCase(
          fairness.name, transport,
          [=](const std::string& id, const ServerPair& servers, const Effort& effort) -> Rows {
            absl::StatusOr<ServiceRow> row = MeasureCrowdedSteps(id, name, servers, effort);
            if (!row.ok()) return row.status();
            return std::vector<ServiceRow>{*std::move(row)};
          },
          fairness.arguments));
    }
    for (const WatchedCase& watched : ListWatchedCases()) {
      cases.push_back(MakeServerCase(
          watched.name, transport,
          [=](const std::string& id, const ServerPair& servers, const Effort& effort) -> Rows {
            return MeasureWatchedSteps(id, name, servers, watched.motion, effort);
          },
          watched.arguments));
    }
  }
  return cases;
}

bool IsNamedBy(const std::string& id, const std::string& pattern) {
  return ::fnmatch(("*" + pattern + "*").c_str(), id.c_str(), 0) == 0;
}

}  // namespace talus::bench
