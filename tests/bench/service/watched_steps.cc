#include "tests/bench/service/watched_steps.h"

#include <grpcpp/client_context.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "tests/bench/service/bench_scene.h"
#include "tests/bench/service/reader_program.h"

namespace talus::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSide = 100;
constexpr char kWatchedScene[] = "field";
constexpr double kTurnSeconds = 1.0;
// A call of one step is a wait of the stepping client as well; of many, a step is all there is.
constexpr int64_t kStepsPerCall = 5;

struct Audience {
  const char* name;
  int live;
  int stalled;
  Numbers numbers;
  int echoes;  // who read as much from the bare echo instead
};
constexpr std::array<Audience, 8> kAudiences = {{{"0", 0, 0, Numbers::kExact, 0},
                                                 {"1", 1, 0, Numbers::kExact, 0},
                                                 {"16", 16, 0, Numbers::kExact, 0},
                                                 {"16-echoes", 0, 0, Numbers::kExact, 16},
                                                 {"1-of-16", 1, 15, Numbers::kExact, 0},
                                                 {"16-floats", 16, 0, Numbers::kFloats, 0},
                                                 {"1-viewer", 1, 0, Numbers::kQuantized, 0},
                                                 {"16-viewers", 16, 0, Numbers::kQuantized, 0}}};
// Ids, poses and velocities of the balls and their ground: a frame of exact numbers.
constexpr uint32_t kFrameBytes = (kSide * kSide + 1) * (3 + 4 + 6) * 8;

struct Tally {
  TripTimes times;  // of single steps
  double watched_s = 0.0;
  int64_t fewest_frames = 0;
};

// What was measured of one audience.
struct Findings {
  Tally watched;
  Tally unwatched;  // in turn with it: a machine that wanders meets both alike
  double server_mib = 0.0;
};

class Field {
 public:
  Field(const ServerPair& servers, Motion motion, ReaderProgram readers)
      : spec_(motion == Motion::kRolling ? DescribeRollingField(kSide) : DescribeField(kSide)),
        servers_(servers),
        readers_(std::move(readers)),
        stub_(v1::SimulationService::NewStub(servers.OpenTalus())) {
    request_.set_scene(std::string("scenes/") + kWatchedScene);
  }

  absl::Status Create() {
    v1::CreateSceneRequest request;
    request.set_scene_id(kWatchedScene);
    *request.mutable_spec() = spec_;
    v1::CreateSceneResponse response;
    grpc::ClientContext context;
    const grpc::Status status =
        v1::SceneService::NewStub(servers_.OpenTalus())->CreateScene(&context, request, &response);
    return status.ok() ? absl::OkStatus() : absl::UnavailableError(status.error_message());
  }

  // Steps for about `seconds`, or `most` steps when that is not 0, before `audience`.
  absl::Status TakeTurn(const Audience& audience, double seconds, int64_t most, Tally& tally) {
    absl::Status status = readers_.Open(ReadersOf(audience));
    const Clock::time_point start = Clock::now();
    int64_t made = 0;
    double passed = 0.0;
    while (status.ok() && (most > 0 ? made < most : passed < seconds)) {
      const int64_t count = most > 0 ? std::min(kStepsPerCall, most - made) : kStepsPerCall;
      status = StepBy(count, tally.times);
      made += count;
      passed = std::chrono::duration<double>(Clock::now() - start).count();
    }
    tally.times.AddBusy(passed);
    tally.watched_s += passed;
    const absl::StatusOr<int64_t> fewest = readers_.Close();
    status.Update(fewest.status());
    if (fewest.ok()) tally.fewest_frames += std::max<int64_t>(0, *fewest);
    return status;
  }

  // The state is that of the library after as many steps.
  absl::Status Check() const {
    const absl::StatusOr<uint64_t> hash = FindHash(spec_, response_.frame().step_index());
    if (!hash.ok()) return hash.status();
    if (*hash == response_.frame().state_hash()) return absl::OkStatus();
    return absl::InternalError("the watched scene's state hash is not the library's");
  }

 private:
  absl::Status StepBy(int64_t count, TripTimes& times) {
    request_.set_step_count(count);
    const Clock::time_point start = Clock::now();
    grpc::ClientContext context;
    const grpc::Status status = stub_->Step(&context, request_, &response_);
    if (!status.ok()) return absl::UnavailableError("Step: " + status.error_message());
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    for (int64_t k = 0; k < count; ++k) times.Add(us / static_cast<double>(count));
    return absl::OkStatus();
  }

  Readers ReadersOf(const Audience& audience) const {
    return {.address = audience.echoes > 0 ? servers_.echo_address() : servers_.talus_address(),
            .scene = kWatchedScene,
            .live = audience.live,
            .stalled = audience.stalled,
            .numbers = audience.numbers,
            .echoes = audience.echoes,
            .echo_bytes = kFrameBytes};
  }

  const v1::SceneSpec spec_;
  const ServerPair& servers_;
  ReaderProgram readers_;
  const std::unique_ptr<v1::SimulationService::Stub> stub_;
  v1::StepRequest request_;
  v1::StepResponse response_;
};

}  // namespace

absl::StatusOr<std::vector<ServiceRow>> MeasureWatchedSteps(const std::string& id,
                                                            const std::string& transport,
                                                            const ServerPair& servers,
                                                            Motion motion, const Effort& effort) {
  const Audience nobody = kAudiences[0];
  absl::StatusOr<ReaderProgram> readers = ReaderProgram::Start();
  if (!readers.ok()) return readers.status();
  Field field(servers, motion, *std::move(readers));
  absl::Status status = field.Create();
  Tally unmeasured;
  if (status.ok()) status = field.TakeTurn(nobody, kTurnSeconds, effort.count, unmeasured);
  std::array<Findings, kAudiences.size()> findings;
  const Clock::time_point start = Clock::now();
  bool more = true;
  while (status.ok() && more) {
    for (size_t k = 0; k < kAudiences.size() && status.ok(); ++k) {
      status = field.TakeTurn(nobody, kTurnSeconds, effort.count, findings[k].unwatched);
      if (!status.ok()) break;
      status = field.TakeTurn(kAudiences[k], kTurnSeconds, effort.count, findings[k].watched);
      findings[k].server_mib = servers.ReadTalusMib();
    }
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    more = effort.count == 0 && passed < effort.seconds;
  }
  if (status.ok()) status = field.Check();
  if (!status.ok()) return status;
  std::vector<ServiceRow> rows;
  for (size_t k = 0; k < kAudiences.size(); ++k) {
    const Tally& watched = findings[k].watched;
    rows.push_back(MakeRow(id + "/" + kAudiences[k].name, "cpp", transport, watched.times,
                           findings[k].unwatched.times));
    rows.back().frames_per_s = static_cast<double>(watched.fewest_frames) / watched.watched_s;
    rows.back().server_mib = findings[k].server_mib;
  }
  return rows;
}

}  // namespace talus::bench
