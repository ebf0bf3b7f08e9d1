// What the server says of itself, and that every feature it offers has a check.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <set>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"
#include "clients/cli/conformance/runner.h"

namespace talus::cli::conformance {
namespace {

// 0 where there is none.
const std::set<std::string>& OptionalLimits() {
  static const std::set<std::string> names = {"memory_bytes", "scenes_per_client",
                                              "steps_per_second", "calls_per_second", "call_burst"};
  return names;
}

Verdict LimitsArePublished(Ground& ground) {
  const v1::Limits& limits = ground.info().limits();
  TALUS_DEMAND(!ground.info().version().empty(), "version is empty");
  TALUS_DEMAND(ground.info().worker_threads() >= 1, "worker_threads is below 1");
  for (int i = 0; i < v1::Limits::descriptor()->field_count(); ++i) {
    const auto* field = v1::Limits::descriptor()->field(i);
    const bool optional = OptionalLimits().count(field->name()) > 0;
    const int64_t least = optional ? 0 : 1;
    TALUS_DEMAND(limits.GetReflection()->GetInt64(limits, field) >= least,
                 "limits." + field->name() + " is below " + std::to_string(least));
  }
  return Verdict::Pass();
}

Verdict FeaturesAreWhole(Ground& ground) {
  TALUS_DEMAND(ground.features().features_size() > 0, "no feature is named");
  std::set<int32_t> numbers;
  for (const v1::Feature& feature : ground.features().features()) {
    TALUS_DEMAND(numbers.insert(feature.number()).second,
                 "number " + std::to_string(feature.number()) + " comes twice");
    TALUS_DEMAND(feature.offered() == (feature.rpcs_size() > 0),
                 feature.name() + " must name its RPCs if and only if it is offered");
    TALUS_DEMAND(feature.offered() || !feature.note().empty(),
                 feature.name() + " does not say why it is not offered");
  }
  return Verdict::Pass();
}

Verdict FeaturesAreTested(Ground& ground) {
  std::set<std::string> tested;
  for (const Check& check : ListChecks())
    tested.insert(check.features.begin(), check.features.end());
  for (const v1::Feature& feature : ground.features().features()) {
    TALUS_DEMAND(!feature.offered() || tested.count(feature.name()) == 1,
                 feature.name() + " is offered, and no check here knows it");
  }
  return Verdict::Pass();
}

// How a call of `method` with an empty message ends.
grpc::StatusCode CallByName(Ground& ground, const std::string& method) {
  grpc::GenericStub stub(ground.channel());
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  grpc::CompletionQueue queue;
  grpc::ByteBuffer request(nullptr, 0);
  grpc::ByteBuffer response;
  grpc::Status status;
  auto call = stub.PrepareUnaryCall(&context, method, request, &queue);
  call->StartCall();
  call->Finish(&response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  return status.error_code();
}

Verdict OfferedRpcsExist(Ground& ground) {
  for (const v1::Feature& feature : ground.features().features()) {
    for (const std::string& rpc : feature.rpcs()) {
      // Streams are not to be opened this way; their own checks do.
      if (rpc.rfind("StreamService/", 0) == 0 || rpc == "SimulationService/Control") continue;
      TALUS_DEMAND(CallByName(ground, "/talus.v1." + rpc) != grpc::StatusCode::UNIMPLEMENTED,
                   feature.name() + " is given by " + rpc + ", which the server does not know");
    }
  }
  return Verdict::Pass();
}

Verdict UnknownMethodIsUnimplemented(Ground& ground) {
  const auto code = CallByName(ground, "/talus.v1.SceneService/Conformance");
  TALUS_DEMAND(code == grpc::StatusCode::UNIMPLEMENTED,
               "an unknown method ended with code " + std::to_string(code));
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListServerChecks() {
  return {{"server", "limits_are_published", LimitsArePublished},
          {"server", "features_are_whole", FeaturesAreWhole},
          {"server", "features_are_tested", FeaturesAreTested},
          {"server", "offered_rpcs_exist", OfferedRpcsExist},
          {"server", "unknown_method_is_unimplemented", UnknownMethodIsUnimplemented}};
}

}  // namespace talus::cli::conformance
