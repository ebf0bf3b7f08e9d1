// Our own engine behind the interface of the peers: the same states, the same loop, the same
// reading of impulses, through the public World alone. --solver cold drops warm impulses.
#include <chrono>
#include <utility>

#include "absl/status/status.h"
#include "solver/world/world.h"
#include "tests/bench/peers/peer_engine.h"

namespace talus::peers {

const char* const kEngineName = "talus";

namespace {

class TalusEngine final : public PeerEngine {
 public:
  TalusEngine(World world, const EngineOptions& options)
      : world_(std::move(world)), workers_(options.threads) {}

  std::string settings() const override {
    const SolverSettings& solver = world_.settings().solver;
    return "double, NCP A-AC, tolerance " + std::to_string(solver.tolerance) +
           (solver.warm_start ? "" : ", cold");
  }
  std::string residual_note() const override { return "solve stage alone is timed"; }

  StepCost Step() override {
    // A step cannot fail here: states are finite, and a fault would show in every later row.
    const double cpu_begin = ProcessCpuSeconds();
    const auto begin = std::chrono::steady_clock::now();
    const absl::StatusOr<StepReport> report = world_.Step(workers_);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const double cpu_s = ProcessCpuSeconds() - cpu_begin;
    if (!report.ok()) return {};
    // The report has wall-clock times: the solver gets its share of the CPU time.
    return {cpu_s * report->stage_times.solve_contacts_s / wall.count(),
            static_cast<double>(report->sweep_count)};
  }

  void ReadBodies(PeerState& state) const override {
    const BodyStateView bodies = world_.bodies();
    for (size_t row = 0; row < state.bodies.size(); ++row) {
      state.bodies[row].pose = {bodies.positions[row], bodies.orientations[row]};
      state.bodies[row].linear_velocity_m_s = bodies.linear_velocities[row];
      state.bodies[row].angular_velocity_rad_s = bodies.angular_velocities[row];
    }
  }

  void ReadContacts(std::vector<RecordContact>& contacts) const override {
    const double h = world_.settings().time_step_s;
    for (const ContactRecord& contact : world_.Contacts()) {
      contacts.push_back({contact.body_a_row, contact.body_b_row, contact.point_world,
                          contact.normal_world, contact.gap_m, h * contact.force_world_n,
                          h * contact.torque_world_n_m});
    }
  }

 private:
  World world_;
  WorkerArena workers_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PeerEngine>> MakeEngine(const PeerState& state,
                                                       const EngineOptions& options) {
  if (!options.solver.empty() && options.solver != "cold") {
    return absl::InvalidArgumentError("--solver must be cold, or left out");
  }
  SceneDef scene = MakeScene(state);
  SolverSettings& solver = scene.settings.solver;
  if (options.iterations > 0) solver.max_sweeps = options.iterations;
  // The lowest that is allowed: every sweep is made.
  solver.tolerance = options.tolerance > 0.0 ? options.tolerance : 1e-14;
  solver.warm_start = options.solver != "cold";
  absl::StatusOr<World> world = World::Create(scene);
  if (!world.ok()) return world.status();
  return std::make_unique<TalusEngine>(*std::move(world), options);
}

}  // namespace talus::peers
