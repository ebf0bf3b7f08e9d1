// Agents of the environment face: observations as asked for, actions as the specs say, and the
// states of a sequence. The rules are those that dm_env_rpc asks of any server; that the ball moves
// as it should is ours.
#include <algorithm>
#include <limits>
#include <optional>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/environment_stream.h"

namespace talus::cli::conformance {
namespace {

// An agent in a world of its own.
struct Agent {
  explicit Agent(Ground& ground) : stream(ground) {}

  // Why there is none; empty: there is.
  std::string Enter(Ground& ground, const v1::SceneSpec& spec, const Settings& settings = {}) {
    auto world = MakeWorld(ground, stream, spec);
    if (!world) return world.error().ToString();
    name = *world;
    auto joined = stream.Join(name, settings);
    if (!joined) return joined.error().ToString();
    specs = *joined;
    for (const auto& [uid, unused] : specs.observations()) observations.push_back(uid);
    std::ranges::sort(observations);
    push = FindUid(specs.actions(), "body.ball.wrench");
    return "";
  }
  const env::TensorSpec& push_spec() const { return specs.actions().at(push); }

  EnvironmentStream stream;
  std::string name;
  env::ActionObservationSpecs specs;
  std::vector<uint64_t> observations;
  uint64_t push = 0;
};

#define TALUS_ENTER(agent, spec, ...)                                                             \
  if (!ground.HasService(kEnvironment)) return Verdict::Skip("the server has no such service");   \
  Agent agent(ground);                                                                            \
  if (const std::string why = agent.Enter(ground, spec __VA_OPT__(, ) __VA_ARGS__); !why.empty()) \
    return Verdict::Fail(why);                                                                    \
  TALUS_DEMAND(agent.push != 0, "no action is called body.ball.wrench")
// The sequence begins: what follows is acted upon.
#define TALUS_BEGIN(agent)                                                                    \
  do {                                                                                        \
    auto begun = agent.stream.Step();                                                         \
    TALUS_DEMAND_OK(begun);                                                                   \
    TALUS_DEMAND(begun->state() == env::RUNNING, "the first step does not begin a sequence"); \
  } while (false)

std::string Refused(Agent& agent, const std::map<uint64_t, env::Tensor>& actions,
                    const std::vector<uint64_t>& observations, const std::string& what) {
  auto stepped = agent.stream.Step(actions, observations);
  if (stepped) return what + " was taken";
  if (!agent.stream.is_open()) return what + " ended the stream";
  if (stepped.code() != client::Code::kInvalidArgument)
    return what + " is refused with " + stepped.error().ToString();
  return "";
}

int64_t CountElements(const env::Tensor& tensor) {
  if (tensor.has_doubles()) return tensor.doubles().array_size();
  if (tensor.has_int64s()) return tensor.int64s().array_size();
  if (tensor.has_uint64s()) return tensor.uint64s().array_size();
  if (tensor.has_strings()) return tensor.strings().array_size();
  return -1;
}

bool FitsSpec(const env::Tensor& tensor, const env::TensorSpec& spec) {
  int64_t count = 1;
  for (const int32_t length : spec.shape()) count *= length;
  return static_cast<int>(tensor.payload_case()) == static_cast<int>(spec.dtype()) &&
         std::ranges::equal(tensor.shape(), spec.shape()) && CountElements(tensor) == count;
}

Verdict ObservationsAreAsAsked(Ground& ground) {
  TALUS_ENTER(agent, BallAboveFloor());
  auto none = agent.stream.Step();
  TALUS_DEMAND_OK(none);
  TALUS_DEMAND(none->observations().empty(), "observations came that nobody asked for");
  auto all = agent.stream.Step({}, agent.observations);
  TALUS_DEMAND_OK(all);
  TALUS_DEMAND(all->observations().size() == agent.observations.size(), "some did not come");
  for (const auto& [uid, tensor] : all->observations()) {
    TALUS_DEMAND(agent.specs.observations().contains(uid), "one came that is not in the specs");
    const env::TensorSpec& spec = agent.specs.observations().at(uid);
    TALUS_DEMAND(FitsSpec(tensor, spec), spec.name() + " has not the type and shape of its spec");
  }
  for (const uint64_t uid : agent.observations) {
    auto one = agent.stream.Step({}, {uid, uid});
    TALUS_DEMAND_OK(one);
    TALUS_DEMAND(one->observations().size() == 1 && one->observations().contains(uid),
                 "asked for " + std::to_string(uid) + " alone, twice, others came or none");
  }
  const uint64_t free = FindFreeUid(agent.specs.observations());
  auto unknown = agent.stream.Step({}, {free});
  TALUS_DEMAND(!unknown && unknown.error().message.find(std::to_string(free)) != std::string::npos,
               "an unknown uid is not refused, or the message does not name it");
  return Verdict::Pass();
}

Verdict FirstActionsAreIgnored(Ground& ground) {
  TALUS_ENTER(agent, FallingBall());
  const uint64_t free = FindFreeUid(agent.specs.actions());
  auto stepped = agent.stream.Step({{free, Number(0.0)}});
  TALUS_DEMAND_OK(stepped);
  TALUS_DEMAND(stepped->state() == env::RUNNING, "the first step does not begin a sequence");
  auto scene = ground.Scene(agent.name);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->step_index() == 0, "time passed in the step that begins a sequence");
  return Verdict::Pass();
}

Verdict GoodActionsAreTaken(Ground& ground) {
  TALUS_ENTER(agent, FallingBall());
  TALUS_BEGIN(agent);
  for (const auto& [uid, spec] : agent.specs.actions()) {
    TALUS_DEMAND_OK(agent.stream.Step({{uid, Fill(spec, spec.min().doubles().array(0))}}));
    env::Tensor open = Fill(spec, 0.0);
    if (open.shape_size() > 0) open.set_shape(0, -1);
    TALUS_DEMAND_OK(agent.stream.Step({{uid, open}}));
    env::Tensor alike = Fill(spec, 0.0);
    alike.mutable_doubles()->mutable_array()->Truncate(1);
    TALUS_DEMAND_OK(agent.stream.Step({{uid, alike}}));
  }
  return Verdict::Pass();
}

Verdict BadActionsAreRefused(Ground& ground) {
  TALUS_ENTER(agent, FallingBall());
  TALUS_BEGIN(agent);
  const env::TensorSpec& spec = agent.push_spec();
  const auto refuse = [&](const env::Tensor& tensor, const char* what) {
    return Refused(agent, {{agent.push, tensor}}, {}, what);
  };
  env::Tensor floats;
  for (const int32_t length : spec.shape()) floats.add_shape(length);
  floats.mutable_floats()->add_array(0.0F);
  env::Tensor wider = Fill(spec, 0.0);
  wider.add_shape(1);
  env::Tensor open = Fill(spec, 0.0);
  open.clear_shape();
  open.add_shape(-1);
  open.add_shape(-1);
  env::Tensor shorter = Fill(spec, 0.0);
  shorter.mutable_doubles()->mutable_array()->Truncate(2);
  env::Tensor below = Fill(spec, 0.0);
  below.mutable_doubles()->set_array(2, -std::numeric_limits<double>::max());
  env::Tensor above = Fill(spec, 0.0);
  above.mutable_doubles()->set_array(0, std::numeric_limits<double>::max());
  env::Tensor nan = Fill(spec, std::numeric_limits<double>::quiet_NaN());
  const std::pair<env::Tensor*, const char*> cases[] = {{&floats, "a tensor of FLOAT"},
                                                        {&wider, "a tensor of one dimension more"},
                                                        {&open, "two open dimensions"},
                                                        {&shorter, "a tensor of too few elements"},
                                                        {&below, "a value below the minimum"},
                                                        {&above, "a value above the maximum"},
                                                        {&nan, "NaN"}};
  for (const auto& [tensor, what] : cases) {
    const std::string wrong = refuse(*tensor, what);
    TALUS_DEMAND(wrong.empty(), wrong);
  }
  const std::string wrong =
      Refused(agent, {{FindFreeUid(agent.specs.actions()), Number(0.0)}}, {}, "an unknown action");
  TALUS_DEMAND(wrong.empty(), wrong);
  auto scene = ground.Scene(agent.name);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->step_index() == 0, "a refused step let time pass");
  return Verdict::Pass();
}

Verdict ActionsActAndAreHeld(Ground& ground) {
  TALUS_ENTER(agent, FallingBall(), Settings{{"steps_per_action", Integer(2)}});
  TALUS_BEGIN(agent);
  env::Tensor lift = Fill(agent.push_spec(), 0.0);
  lift.mutable_doubles()->set_array(2, 9.81);
  const uint64_t height = FindUid(agent.specs.observations(), "bodies.position_world_m");
  const uint64_t index = FindUid(agent.specs.observations(), "step_index");
  TALUS_DEMAND(height != 0 && index != 0, "no observation tells positions or the step");
  for (int round = 1; round <= 3; ++round) {
    // Sent once: it is held.
    const auto actions = round == 1 ? std::map<uint64_t, env::Tensor>{{agent.push, lift}}
                                    : std::map<uint64_t, env::Tensor>{};
    auto stepped = agent.stream.Step(actions, {height, index});
    TALUS_DEMAND_OK(stepped);
    TALUS_DEMAND(stepped->observations().at(index).int64s().array(0) == 2 * round,
                 "an action is not steps_per_action steps");
    const double z = stepped->observations().at(height).doubles().array(2);
    TALUS_DEMAND(std::abs(z - 1.0) < 1e-12, "a force of its weight does not hold the ball");
  }
  return Verdict::Pass();
}

Verdict ResetResendsTheSpecs(Ground& ground) {
  if (!ground.HasService(kEnvironment)) return Verdict::Skip("the server has no such service");
  {
    EnvironmentStream stranger(ground);
    TALUS_DEMAND(!stranger.Reset().ok() && stranger.is_open(), "a reset in no world is taken");
    TALUS_DEMAND(!stranger.Step().ok() && stranger.is_open(), "a step in no world is taken");
  }
  TALUS_ENTER(agent, FallingBall());
  TALUS_BEGIN(agent);
  TALUS_DEMAND_OK(agent.stream.Step());
  const std::string expected = agent.specs.actions().at(agent.push).SerializeAsString();
  for (int round = 0; round < 2; ++round) {
    auto specs = agent.stream.Reset();
    TALUS_DEMAND_OK(specs);
    TALUS_DEMAND(specs->actions_size() == agent.specs.actions_size() &&
                     specs->observations_size() == agent.specs.observations_size() &&
                     specs->actions().at(agent.push).SerializeAsString() == expected,
                 "reset tells other specs than join");
  }
  TALUS_DEMAND(!agent.stream.Reset({{"conformance", Integer(1)}}).ok(),
               "a reset with an unknown setting is taken");
  TALUS_BEGIN(agent);
  auto scene = ground.Scene(agent.name);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->step_index() == 0, "reset did not put the scene back");
  return Verdict::Pass();
}

Verdict SequencesEndAndBegin(Ground& ground) {
  TALUS_ENTER(agent, FallingBall(),
              Settings{{"sequence_steps", Integer(3)}, {"end_time_s", Number(0.01)}});
  const uint64_t index = FindUid(agent.specs.observations(), "step_index");
  for (int round = 0; round < 2; ++round) {
    TALUS_BEGIN(agent);
    auto one = agent.stream.Step({}, {index});
    TALUS_DEMAND_OK(one);
    TALUS_DEMAND(one->state() == env::RUNNING, "the sequence ended before its time");
    auto two = agent.stream.Step({}, {index});
    TALUS_DEMAND_OK(two);
    TALUS_DEMAND(two->state() == env::TERMINATED, "end_time_s did not end the sequence");
    TALUS_DEMAND(two->observations().at(index).int64s().array(0) == 2,
                 "a sequence did not begin where the scene was made");
  }
  TALUS_DEMAND_OK(agent.stream.Leave());
  TALUS_DEMAND_OK(agent.stream.Join(agent.name, {{"sequence_steps", Integer(1)}}));
  TALUS_BEGIN(agent);
  auto last = agent.stream.Step();
  TALUS_DEMAND_OK(last);
  TALUS_DEMAND(last->state() == env::INTERRUPTED, "sequence_steps did not interrupt the sequence");
  return Verdict::Pass();
}

Verdict RequestsAreAnsweredInOrder(Ground& ground) {
  TALUS_ENTER(agent, FallingBall());
  const uint64_t index = FindUid(agent.specs.observations(), "step_index");
  constexpr int kAhead = 20;
  env::EnvironmentRequest request;
  request.mutable_step()->add_requested_observations(index);
  for (int i = 0; i < kAhead; ++i)
    TALUS_DEMAND(agent.stream.Write(request), "the stream has ended");
  for (int i = 0; i < kAhead; ++i) {
    auto response = agent.stream.Read();
    TALUS_DEMAND_OK(response);
    TALUS_DEMAND(response->step().observations().at(index).int64s().array(0) == i,
                 "answer " + std::to_string(i) + " is not that of its request");
  }
  return Verdict::Pass();
}

Verdict SilenceLeaves(Ground& ground) {
  TALUS_ENTER(agent, FallingBall(), Settings{{"max_wait_s", Number(0.5)}});
  TALUS_BEGIN(agent);
  // Its scene serves others as soon as it has lost the lease.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!ground.Step(agent.name, 1).ok()) {
    TALUS_DEMAND(std::chrono::steady_clock::now() < patience,
                 "the lease of a silent agent is kept");
  }
  TALUS_DEMAND_ERROR(agent.stream.Step(), kAborted, v1::ERROR_REASON_LEASE_LOST);
  TALUS_DEMAND_OK(agent.stream.Leave());
  TALUS_DEMAND_OK(agent.stream.Join(agent.name));
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListAgentChecks() {
  return {{"agents", "observations_are_as_asked", ObservationsAreAsAsked},
          {"agents", "first_actions_are_ignored", FirstActionsAreIgnored},
          {"agents", "good_actions_are_taken", GoodActionsAreTaken},
          {"agents", "bad_actions_are_refused", BadActionsAreRefused},
          {"agents", "actions_act_and_are_held", ActionsActAndAreHeld},
          {"agents", "reset_resends_the_specs", ResetResendsTheSpecs},
          {"agents", "sequences_end_and_begin", SequencesEndAndBegin},
          {"agents", "requests_are_answered_in_order", RequestsAreAnsweredInOrder},
          {"agents", "silence_leaves", SilenceLeaves}};
}

}  // namespace talus::cli::conformance
