#include "clients/cli/conformance/environment_stream.h"

#include <algorithm>
#include <utility>

#include "clients/cli/context.h"
#include "clients/cpp/stub_call.h"

namespace talus::cli::conformance {
namespace {

using Request = env::EnvironmentRequest;
using Response = env::EnvironmentResponse;

client::Error DecodeInBand(const google::rpc::Status& status) {
  client::Error error;
  error.code = static_cast<client::Code>(status.code());
  error.message = status.message();
  // Other servers may tell other details; code and message are what the contract asks for.
  for (const auto& detail : status.details()) {
    if (detail.Is<v1::ErrorDetail>()) detail.UnpackTo(&error.detail);
  }
  return error;
}

void Put(const Settings& settings, google::protobuf::Map<std::string, env::Tensor>& map) {
  for (const auto& [name, tensor] : settings) map[name] = tensor;
}

// An answer that does not belong to what was asked.
client::Error WrongAnswer(const Response& response) {
  return MakeError(client::Code::kInternal,
                   "the answer is of another kind: " + response.ShortDebugString().substr(0, 100));
}

}  // namespace

EnvironmentStream::EnvironmentStream(Ground& ground)
    : stub_(env::Environment::NewStub(ground.channel())) {
  client::ApplyOptions(ground.call(), &context_);
  stream_ = stub_->Process(&context_);
}

EnvironmentStream::~EnvironmentStream() {
  if (ended_) return;
  stream_->WritesDone();
  Response rest;
  while (stream_->Read(&rest)) {
  }
  stream_->Finish();
}

client::Error EnvironmentStream::End() {
  client::Error error = MakeError(client::Code::kUnavailable, "the stream has ended");
  if (std::exchange(ended_, true)) return error;
  Response rest;
  while (stream_->Read(&rest)) {
  }
  const grpc::Status status = stream_->Finish();
  return status.ok() ? error : client::DecodeError(status, context_);
}

client::Result<Response> EnvironmentStream::Read() {
  Response response;
  if (ended_ || !stream_->Read(&response)) return End();
  if (response.has_error()) return DecodeInBand(response.error());
  return response;
}

client::Result<Response> EnvironmentStream::Send(const Request& request) {
  if (ended_ || !stream_->Write(request)) return End();
  return Read();
}

client::Result<std::string> EnvironmentStream::Create(const Settings& settings) {
  Request request;
  Put(settings, *request.mutable_create_world()->mutable_settings());
  auto response = Send(request);
  if (!response) return response.error();
  if (!response->has_create_world()) return WrongAnswer(*response);
  return response->create_world().world_name();
}

client::Result<env::ActionObservationSpecs> EnvironmentStream::Join(const std::string& world,
                                                                    const Settings& settings) {
  Request request;
  request.mutable_join_world()->set_world_name(world);
  Put(settings, *request.mutable_join_world()->mutable_settings());
  auto response = Send(request);
  if (!response) return response.error();
  if (!response->has_join_world()) return WrongAnswer(*response);
  return response->join_world().specs();
}

client::Result<env::StepResponse> EnvironmentStream::Step(
    const std::map<uint64_t, env::Tensor>& actions, const std::vector<uint64_t>& observations) {
  Request request;
  for (const auto& [uid, tensor] : actions)
    (*request.mutable_step()->mutable_actions())[uid] = tensor;
  for (const uint64_t uid : observations) request.mutable_step()->add_requested_observations(uid);
  request.mutable_step();
  auto response = Send(request);
  if (!response) return response.error();
  if (!response->has_step()) return WrongAnswer(*response);
  return response->step();
}

client::Result<env::ActionObservationSpecs> EnvironmentStream::Reset(const Settings& settings) {
  Request request;
  Put(settings, *request.mutable_reset()->mutable_settings());
  auto response = Send(request);
  if (!response) return response.error();
  if (!response->has_reset()) return WrongAnswer(*response);
  return response->reset().specs();
}

client::Result<client::Done> EnvironmentStream::ResetWorld(const std::string& world) {
  Request request;
  request.mutable_reset_world()->set_world_name(world);
  auto response = Send(request);
  if (!response) return response.error();
  if (!response->has_reset_world()) return WrongAnswer(*response);
  return client::Done{};
}

client::Result<client::Done> EnvironmentStream::Leave() {
  Request request;
  request.mutable_leave_world();
  auto response = Send(request);
  if (!response) return response.error();
  if (!response->has_leave_world()) return WrongAnswer(*response);
  return client::Done{};
}

client::Result<client::Done> EnvironmentStream::Destroy(const std::string& world) {
  Request request;
  request.mutable_destroy_world()->set_world_name(world);
  auto response = Send(request);
  if (!response) return response.error();
  if (!response->has_destroy_world()) return WrongAnswer(*response);
  return client::Done{};
}

env::Tensor Text(const std::string& text) {
  env::Tensor tensor;
  tensor.mutable_strings()->add_array(text);
  return tensor;
}

env::Tensor Integer(int64_t value) {
  env::Tensor tensor;
  tensor.mutable_int64s()->add_array(value);
  return tensor;
}

env::Tensor Number(double value) {
  env::Tensor tensor;
  tensor.mutable_doubles()->add_array(value);
  return tensor;
}

env::Tensor Fill(const env::TensorSpec& spec, double value) {
  env::Tensor tensor;
  int64_t count = 1;
  for (const int32_t length : spec.shape()) {
    tensor.add_shape(std::max(length, 1));
    count *= std::max(length, 1);
  }
  for (int64_t i = 0; i < count; ++i) tensor.mutable_doubles()->add_array(value);
  return tensor;
}

Settings SettingsOf(const v1::SceneSpec& spec) { return {{"spec", Text(ToJson(spec))}}; }

uint64_t FindUid(const google::protobuf::Map<uint64_t, env::TensorSpec>& specs,
                 const std::string& name) {
  for (const auto& [uid, spec] : specs) {
    if (spec.name() == name) return uid;
  }
  return 0;
}

uint64_t FindFreeUid(const google::protobuf::Map<uint64_t, env::TensorSpec>& specs) {
  uint64_t uid = 0;
  while (specs.contains(uid)) ++uid;
  return uid;
}

client::Result<std::string> MakeWorld(Ground& ground, EnvironmentStream& stream,
                                      const v1::SceneSpec& spec) {
  auto world = stream.Create(SettingsOf(spec));
  if (world) ground.Own(*world);
  return world;
}

}  // namespace talus::cli::conformance
