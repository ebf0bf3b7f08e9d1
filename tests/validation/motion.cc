#include "tests/validation/motion.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace talus::validation {
namespace {

WorkerArena& Workers() {
  static WorkerArena workers(2);
  return workers;
}

[[noreturn]] void Fail(const absl::Status& status) {
  std::fprintf(stderr, "validation: %s\n", std::string(status.message()).c_str());
  std::exit(2);
}

}  // namespace

World MakeWorld(const SceneDef& scene) {
  absl::StatusOr<World> world = World::Create(scene);
  if (!world.ok()) Fail(world.status());
  return *std::move(world);
}

void StepWorld(World& world) {
  const absl::StatusOr<StepReport> report = world.Step(Workers());
  if (!report.ok()) Fail(report.status());
}

void StepWorld(World& world, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) StepWorld(world);
}

Moment BodyMoment(const World& world, size_t row) {
  const BodyStateView bodies = world.bodies();
  return {world.time_s(), bodies.positions[row], bodies.orientations[row],
          bodies.linear_velocities[row], bodies.angular_velocities[row]};
}

Moment RunUntil(World& world, size_t row, double end_time_s,
                const std::function<bool(const Moment&)>& done) {
  Moment moment = BodyMoment(world, row);
  // Half a step of slack keeps the last step from depending on how the time rounds.
  const double end = end_time_s - 0.5 * world.settings().time_step_s;
  while (world.time_s() < end && !done(moment)) {
    StepWorld(world);
    moment = BodyMoment(world, row);
  }
  return moment;
}

double LargestSpeed(World& world, size_t row, int64_t steps) {
  double largest = 0.0;
  for (int64_t step = 0; step < steps; ++step) {
    StepWorld(world);
    const Moment moment = BodyMoment(world, row);
    largest = std::max({largest, moment.velocity.norm(), moment.spin.norm()});
  }
  return largest;
}

}  // namespace talus::validation
