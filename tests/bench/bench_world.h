// Worlds as the benchmarks need them: made, restored with other solver settings, stepped, named.
// What fails here ends the program with the reason, because a benchmark has nobody to tell.
#pragma once

#include <string>
#include <string_view>

#include "solver/scene/scene_def.h"
#include "solver/world/world.h"

namespace talus::bench {

[[noreturn]] void Fail(const std::string& reason);

World MakeWorld(const SceneDef& scene);
// The state of `snapshot`, warm impulses and all, to be solved as `settings` say.
World RestoreWith(std::string_view snapshot, const SolverSettings& settings);
// The same, and bodies may sleep, with the default settings.
World RestoreSleepy(std::string_view snapshot, const SolverSettings& settings);
// The state without its warm impulses: what a solver gets from it is a cold start on a real state.
World RestoreCold(std::string_view snapshot, const SolverSettings& settings);
// The same with its dynamic bodies at rest, half a metre apart from each other and high above the
// others: as many bodies without a contact.
World RestoreApart(std::string_view snapshot);

StepReport StepWorld(World& world, WorkerArena& workers);

const char* LawName(ContactLaw law);
// `kLawDefault` has the name of what it stands for.
std::string SolverName(ContactLaw law, SolverKind solver);
std::string FormatHash(uint64_t hash);

}  // namespace talus::bench
