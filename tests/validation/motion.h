// Runs a scene step by step and lets a case look at it: the clockwork under every validation case.
#pragma once

#include <functional>

#include "solver/scene/scene_def.h"
#include "solver/world/world.h"

namespace talus::validation {

// A body at one moment.
struct Moment {
  double time_s = 0.0;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();
};

// The world of `scene`; ends the program with the reason when the scene is refused.
World MakeWorld(const SceneDef& scene);

void StepWorld(World& world);
void StepWorld(World& world, int64_t steps);

Moment BodyMoment(const World& world, size_t row);

// Steps until `done` holds for the body in `row` or the time is up; returns the last moment.
Moment RunUntil(World& world, size_t row, double end_time_s,
                const std::function<bool(const Moment&)>& done);

// The largest speed (m/s, with R ω counted for a body of size R = 1 m) of the body over that many
// steps.
double LargestSpeed(World& world, size_t row, int64_t steps);

}  // namespace talus::validation
