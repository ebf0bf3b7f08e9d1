// Worlds of the environment face: made, joined, left, reset, destroyed; what dm_env_rpc asks of any
// server, and that a world is a scene.
#include <set>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/environment_stream.h"

namespace talus::cli::conformance {
namespace {

#define TALUS_NEED_ENVIRONMENT(ground) \
  if (!(ground).HasService(kEnvironment)) return Verdict::Skip("the server has no such service")
// An error in-band, after which the stream goes on.
#define TALUS_DEMAND_REFUSED(stream, result, what)                             \
  do {                                                                         \
    TALUS_DEMAND(!(result).ok(), std::string(what) + " succeeded");            \
    TALUS_DEMAND((stream).is_open(), std::string(what) + " ended the stream"); \
  } while (false)

Verdict WorldsAreMadeAndDestroyed(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream stream(ground);
  auto world = MakeWorld(ground, stream, FallingBall());
  TALUS_DEMAND_OK(world);
  auto scene = ground.Scene(*world);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_OK(stream.Destroy(*world));
  TALUS_DEMAND_ERROR(ground.Scene(*world), kNotFound, v1::ERROR_REASON_NOT_FOUND);
  TALUS_DEMAND_REFUSED(stream, stream.Destroy(*world), "destroying a world that is gone");
  TALUS_DEMAND_REFUSED(stream, stream.Destroy("foo"), "destroying a world that never was");
  return Verdict::Pass();
}

Verdict SettingsAreChecked(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream stream(ground);
  TALUS_DEMAND_REFUSED(stream, stream.Create({}), "a world without settings");
  Settings unknown = SettingsOf(FallingBall());
  unknown["conformance"] = Integer(1);
  TALUS_DEMAND_REFUSED(stream, stream.Create(unknown), "a world with an unknown setting");
  TALUS_DEMAND_REFUSED(stream, stream.Create({{"spec", Text("{ no scene")}}),
                       "a world of a broken spec");
  TALUS_DEMAND_REFUSED(stream, stream.Create({{"spec", Integer(1)}}), "a spec that is a number");
  v1::SceneSpec bad = FallingBall();
  bad.mutable_bodies(0)->set_mass_kg(-2.0);
  auto refused = stream.Create(SettingsOf(bad));
  TALUS_DEMAND_ERROR(refused, kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  Settings chosen = SettingsOf(FallingBall());
  chosen["time_step_s"] = Number(0.01);
  chosen["name"] = Text(ground.NewId());
  auto world = stream.Create(chosen);
  TALUS_DEMAND_OK(world);
  ground.Own(*world);
  auto scene = ground.Scene(*world);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->settings().time_step_s() == 0.01, "the setting time_step_s was not taken");
  TALUS_DEMAND_ERROR(stream.Create(chosen), kAlreadyExists, v1::ERROR_REASON_DUPLICATE_NAME);
  return Verdict::Pass();
}

Verdict WorldNamesAreUnique(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream stream(ground);
  auto one = MakeWorld(ground, stream, FallingBall());
  TALUS_DEMAND_OK(one);
  auto other = MakeWorld(ground, stream, FallingBall());
  TALUS_DEMAND_OK(other);
  TALUS_DEMAND(*one != *other, "two worlds of the same settings have one name");
  return Verdict::Pass();
}

Verdict WorldsAreJoinedOnce(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream stream(ground);
  TALUS_DEMAND_OK(stream.Leave());
  TALUS_DEMAND_REFUSED(stream, stream.Join("scenes/" + ground.NewId()),
                       "joining a world that is not there");
  TALUS_DEMAND_REFUSED(stream, stream.Join("invalid_world_name"), "joining by a wrong name");
  auto world = MakeWorld(ground, stream, FallingBall());
  TALUS_DEMAND_OK(world);
  TALUS_DEMAND_REFUSED(stream, stream.Join(*world, {{"conformance", Integer(1)}}),
                       "joining with an unknown setting");
  TALUS_DEMAND_REFUSED(stream, stream.Join(*world, {{"steps_per_action", Integer(0)}}),
                       "joining with no steps an action");
  TALUS_DEMAND_OK(stream.Join(*world));
  TALUS_DEMAND_REFUSED(stream, stream.Join(*world), "joining twice");
  TALUS_DEMAND_REFUSED(stream, stream.Destroy(*world), "destroying the world one is in");
  TALUS_DEMAND_OK(stream.Leave());
  TALUS_DEMAND_OK(stream.Join(*world));
  TALUS_DEMAND_OK(stream.Leave());
  TALUS_DEMAND_OK(stream.Leave());
  return Verdict::Pass();
}

Verdict AWorldHasOneAgent(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream first(ground);
  auto world = MakeWorld(ground, first, FallingBall());
  TALUS_DEMAND_OK(world);
  TALUS_DEMAND_OK(first.Join(*world));
  EnvironmentStream second(ground);
  TALUS_DEMAND_ERROR(second.Join(*world), kFailedPrecondition, v1::ERROR_REASON_LEASE_HELD);
  TALUS_DEMAND_ERROR(second.Destroy(*world), kFailedPrecondition, v1::ERROR_REASON_LEASE_HELD);
  TALUS_DEMAND_ERROR(second.ResetWorld(*world), kFailedPrecondition, v1::ERROR_REASON_LEASE_HELD);
  TALUS_DEMAND_ERROR(ground.Step(*world, 1), kFailedPrecondition, v1::ERROR_REASON_LEASE_HELD);
  TALUS_DEMAND_OK(first.Leave());
  TALUS_DEMAND_OK(second.Join(*world));
  return Verdict::Pass();
}

Verdict TheEndOfAStreamLeaves(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream keeper(ground);
  auto world = MakeWorld(ground, keeper, FallingBall());
  TALUS_DEMAND_OK(world);
  {
    EnvironmentStream stream(ground);
    TALUS_DEMAND_OK(stream.Join(*world));
  }
  TALUS_DEMAND_OK(keeper.Join(*world));
  return Verdict::Pass();
}

bool NamesAreUnique(const google::protobuf::Map<uint64_t, env::TensorSpec>& specs) {
  std::set<std::string> names;
  for (const auto& [uid, spec] : specs) {
    if (!names.insert(spec.name()).second) return false;
  }
  return true;
}

Verdict SpecsAreSound(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream stream(ground);
  auto world = MakeWorld(ground, stream, BallAboveFloor());
  TALUS_DEMAND_OK(world);
  auto specs = stream.Join(*world);
  TALUS_DEMAND_OK(specs);
  TALUS_DEMAND(specs->actions_size() > 0 && specs->observations_size() > 0,
               "there is nothing to do or to see");
  TALUS_DEMAND(NamesAreUnique(specs->actions()), "an action's name comes twice");
  TALUS_DEMAND(NamesAreUnique(specs->observations()), "an observation's name comes twice");
  for (const auto* map : {&specs->actions(), &specs->observations()}) {
    for (const auto& [uid, spec] : *map) {
      TALUS_DEMAND(spec.dtype() != env::INVALID_DATA_TYPE, spec.name() + " has no type");
      const auto open =
          std::ranges::count_if(spec.shape(), [](int32_t length) { return length < 0; });
      TALUS_DEMAND(open <= 1, spec.name() + " has more than one open dimension");
    }
  }
  for (const auto& [uid, spec] : specs->actions()) {
    if (spec.dtype() != env::DOUBLE || !spec.has_min() || !spec.has_max()) continue;
    TALUS_DEMAND(spec.min().doubles().array(0) <= spec.max().doubles().array(0),
                 spec.name() + " has a minimum above its maximum");
  }
  return Verdict::Pass();
}

Verdict WorldsAreReset(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream stream(ground);
  TALUS_DEMAND_REFUSED(stream, stream.ResetWorld("invalid_world_name"),
                       "resetting a world that is not there");
  auto world = MakeWorld(ground, stream, FallingBall());
  TALUS_DEMAND_OK(world);
  TALUS_DEMAND_OK(ground.Step(*world, 5));
  TALUS_DEMAND_OK(stream.ResetWorld(*world));
  auto scene = ground.Scene(*world);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->step_index() == 0, "the scene was not put back");
  TALUS_DEMAND_OK(stream.Join(*world));
  TALUS_DEMAND_OK(stream.Step());
  TALUS_DEMAND_OK(stream.Step());
  TALUS_DEMAND_OK(stream.ResetWorld(*world));
  scene = ground.Scene(*world);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->step_index() == 0, "the scene one is in was not put back");
  auto stepped = stream.Step();
  TALUS_DEMAND_OK(stepped);
  TALUS_DEMAND(stepped->state() == env::RUNNING, "the step after reset_world begins no sequence");
  return Verdict::Pass();
}

Verdict WhatIsNotOfferedIsRefused(Ground& ground) {
  TALUS_NEED_ENVIRONMENT(ground);
  EnvironmentStream stream(ground);
  env::EnvironmentRequest request;
  TALUS_DEMAND_REFUSED(stream, stream.Send(request), "an empty request");
  request.mutable_read_property();
  TALUS_DEMAND_REFUSED(stream, stream.Send(request), "reading a property");
  request.mutable_extension();
  TALUS_DEMAND_REFUSED(stream, stream.Send(request), "an unknown extension");
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListWorldChecks() {
  return {{"worlds", "are_made_and_destroyed", WorldsAreMadeAndDestroyed},
          {"worlds", "settings_are_checked", SettingsAreChecked},
          {"worlds", "names_are_unique", WorldNamesAreUnique},
          {"worlds", "are_joined_once", WorldsAreJoinedOnce},
          {"worlds", "have_one_agent", AWorldHasOneAgent},
          {"worlds", "the_end_of_a_stream_leaves", TheEndOfAStreamLeaves},
          {"worlds", "specs_are_sound", SpecsAreSound},
          {"worlds", "are_reset", WorldsAreReset},
          {"worlds", "what_is_not_offered_is_refused", WhatIsNotOfferedIsRefused}};
}

}  // namespace talus::cli::conformance
