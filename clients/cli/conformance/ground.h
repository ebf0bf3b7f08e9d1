// What the checks stand on: the connection, what the server said of itself, and the scenes they
// made, which go when it goes. Ids are chosen so that no scene of somebody else is touched.
#pragma once

#include <grpcpp/channel.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/cpp/client.h"
#include "clients/cpp/scene.h"
#include "talus/v1/scene.pb.h"
#include "talus/v1/simulation_service.pb.h"

namespace talus::cli::conformance {

class Ground {
 public:
  Ground(const std::string& address, const client::ClientOptions& options,
         const client::CallOptions& call);
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;
  ~Ground() { Clean(); }

  // Asks the server what it is. An error: it cannot be reached, or does not say.
  client::Result<client::Done> Greet();

  const std::string& address() const { return address_; }
  const client::ClientOptions& options() const { return options_; }
  // A token that may read and nothing else; empty: none was given.
  const std::string& reader_token() const { return reader_token_; }
  void SetReaderToken(std::string token) { reader_token_ = std::move(token); }
  client::Client& client() { return client_; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  const client::CallOptions& call() const { return call_; }
  // Of a call that must be over within so long.
  client::CallOptions Within(std::chrono::milliseconds patience) const;
  const v1::GetServerInfoResponse& info() const { return info_; }
  const v1::GetFeaturesResponse& features() const { return features_; }
  bool Offers(const std::string& feature) const;
  bool HasService(const std::string& name) const;

  // An id that nothing has.
  std::string NewId();
  // A scene under such an id; its name.
  client::Result<std::string> MakeScene(const v1::SceneSpec& spec);
  // A scene (snapshot, recording) that is to go with the rest.
  void Own(const std::string& name) { owned_.push_back(name); }
  // Deletes what was made; how much of it could not be.
  int Clean();

  // The calls that most checks need.
  client::Result<v1::SceneInfo> Scene(const std::string& name);
  client::Result<v1::StepResponse> Step(const std::string& name, int64_t count);

 private:
  const std::string address_;
  const client::ClientOptions options_;
  std::string reader_token_;
  client::Client client_;
  std::shared_ptr<grpc::Channel> channel_;
  client::CallOptions call_;
  v1::GetServerInfoResponse info_;
  v1::GetFeaturesResponse features_;
  std::string prefix_;
  int made_ = 0;
  std::vector<std::string> owned_;
};

// A ball of 1 kg, 1 m above the origin, that falls for ever.
v1::SceneSpec FallingBall();
// The same above a floor.
v1::SceneSpec BallAboveFloor();
// Many balls that touch: a step of it takes a while.
v1::SceneSpec BallHeap();
// The wrench on its ball.
v1::Actuator PushBall();
// Steps of the scene of this id.
v1::StepRequest StepsOf(const std::string& scene, int64_t count);

}  // namespace talus::cli::conformance
