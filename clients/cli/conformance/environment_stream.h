// One stream of dm_env_rpc.v1.Environment: a request out, its answer in.
#pragma once

#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/conformance/ground.h"
#include "dm_env_rpc/v1/dm_env_rpc.grpc.pb.h"

namespace talus::cli::conformance {

namespace env = ::dm_env_rpc::v1;

using Settings = std::map<std::string, env::Tensor>;

class EnvironmentStream {
 public:
  explicit EnvironmentStream(Ground& ground);
  // Ends the stream.
  ~EnvironmentStream();
  EnvironmentStream(const EnvironmentStream&) = delete;
  EnvironmentStream& operator=(const EnvironmentStream&) = delete;

  // An error answered in-band is an Error with is_open() true; any other is the stream's end.
  client::Result<env::EnvironmentResponse> Send(const env::EnvironmentRequest& request);
  bool Write(const env::EnvironmentRequest& request) { return stream_->Write(request); }
  client::Result<env::EnvironmentResponse> Read();
  bool is_open() const { return !ended_; }

  client::Result<std::string> Create(const Settings& settings);
  client::Result<env::ActionObservationSpecs> Join(const std::string& world,
                                                   const Settings& settings = {});
  client::Result<env::StepResponse> Step(const std::map<uint64_t, env::Tensor>& actions = {},
                                         const std::vector<uint64_t>& observations = {});
  client::Result<env::ActionObservationSpecs> Reset(const Settings& settings = {});
  client::Result<client::Done> ResetWorld(const std::string& world);
  client::Result<client::Done> Leave();
  client::Result<client::Done> Destroy(const std::string& world);

 private:
  client::Error End();

  std::unique_ptr<env::Environment::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<env::EnvironmentRequest, env::EnvironmentResponse>>
      stream_;
  bool ended_ = false;
};

env::Tensor Text(const std::string& text);
env::Tensor Integer(int64_t value);
env::Tensor Number(double value);
// Every element of the spec's shape with this value.
env::Tensor Fill(const env::TensorSpec& spec, double value);
// What create_world needs for this scene.
Settings SettingsOf(const v1::SceneSpec& spec);
// The uid of a name in the specs; 0: none has it.
uint64_t FindUid(const google::protobuf::Map<uint64_t, env::TensorSpec>& specs,
                 const std::string& name);
// A uid that none of them has.
uint64_t FindFreeUid(const google::protobuf::Map<uint64_t, env::TensorSpec>& specs);

// A world that goes with the rest; its name.
client::Result<std::string> MakeWorld(Ground& ground, EnvironmentStream& stream,
                                      const v1::SceneSpec& spec);

inline constexpr char kEnvironment[] = "dm_env_rpc.v1.Environment";

}  // namespace talus::cli::conformance
