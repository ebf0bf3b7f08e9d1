#include "tests/conformance/cpp/method_table.h"

#include <chrono>

namespace talus::conformance {
namespace {

using client::CallOptions;
using client::Client;
using client::Result;
using google::protobuf::Message;

const CallOptions kOptions{std::chrono::milliseconds{60000}, {}};

template <typename Request, typename Response>
Method Unary(Result<Response> (Client::*call)(const Request&, const CallOptions&)) {
  Method method;
  method.new_request = [] { return std::make_shared<Request>(); };
  method.call = [call](Client& client, const Message& request) -> Result<MessagePointer> {
    auto response = (client.*call)(static_cast<const Request&>(request), kOptions);
    if (!response) return response.error();
    return MessagePointer(std::make_shared<Response>(std::move(*response)));
  };
  return method;
}

template <typename Response>
class TypedStream final : public AnyStream {
 public:
  explicit TypedStream(client::Stream<Response> stream) : stream_(std::move(stream)) {}
  MessagePointer Read() override {
    auto message = stream_.Read();
    return message ? std::make_shared<Response>(std::move(*message)) : nullptr;
  }
  Result<client::Done> Finish() override { return stream_.Finish(); }

 private:
  client::Stream<Response> stream_;
};

template <typename Request, typename Response>
Method Streaming(client::Stream<Response> (Client::*open)(const Request&, const CallOptions&)) {
  Method method;
  method.new_request = [] { return std::make_shared<Request>(); };
  method.open = [open](Client& client, const Message& request) {
    return std::make_unique<TypedStream<Response>>(
        (client.*open)(static_cast<const Request&>(request), kOptions));
  };
  return method;
}

std::map<std::string, Method> MakeTable() {
  return {
      {"SceneService/CreateScene", Unary(&Client::CreateScene)},
      {"SceneService/GetScene", Unary(&Client::GetScene)},
      {"SceneService/ListScenes", Unary(&Client::ListScenes)},
      {"SceneService/ListNamedScenes", Unary(&Client::ListNamedScenes)},
      {"SceneService/DeleteScene", Unary(&Client::DeleteScene)},
      {"SceneService/AddBodies", Unary(&Client::AddBodies)},
      {"SceneService/RemoveBodies", Unary(&Client::RemoveBodies)},
      {"SceneService/UpdateBodies", Unary(&Client::UpdateBodies)},
      {"SceneService/ListBodies", Unary(&Client::ListBodies)},
      {"SceneService/AddEmitters", Unary(&Client::AddEmitters)},
      {"SceneService/RemoveEmitters", Unary(&Client::RemoveEmitters)},
      {"SceneService/AddJoints", Unary(&Client::AddJoints)},
      {"SceneService/RemoveJoints", Unary(&Client::RemoveJoints)},
      {"SceneService/ListJoints", Unary(&Client::ListJoints)},
      {"SimulationService/Step", Unary(&Client::Step)},
      {"QueryService/GetLayout", Unary(&Client::GetLayout)},
      {"QueryService/GetState", Unary(&Client::GetState)},
      {"QueryService/GetContacts", Unary(&Client::GetContacts)},
      {"QueryService/GetJoints", Unary(&Client::GetJoints)},
      {"QueryService/GetEnergy", Unary(&Client::GetEnergy)},
      {"QueryService/GetDiagnostics", Unary(&Client::GetDiagnostics)},
      {"QueryService/GetStepProblem", Unary(&Client::GetStepProblem)},
      {"QueryService/CastRays", Unary(&Client::CastRays)},
      {"AnalysisService/SolveContactProblem", Unary(&Client::SolveContactProblem)},
      {"AnalysisService/MeshRollingLoads", Unary(&Client::MeshRollingLoads)},
      {"AnalysisService/MeshTroughSurface", Unary(&Client::MeshTroughSurface)},
      {"AnalysisService/AnalyzeRollingTransition", Unary(&Client::AnalyzeRollingTransition)},
      {"SnapshotService/CreateSnapshot", Unary(&Client::CreateSnapshot)},
      {"SnapshotService/ListSnapshots", Unary(&Client::ListSnapshots)},
      {"SnapshotService/DeleteSnapshot", Unary(&Client::DeleteSnapshot)},
      {"SnapshotService/RestoreSnapshot", Unary(&Client::RestoreSnapshot)},
      {"SnapshotService/ForkScene", Unary(&Client::ForkScene)},
      {"SnapshotService/DownloadSnapshot", Streaming(&Client::DownloadSnapshot)},
      {"StreamService/WatchState",
       Streaming<v1::WatchStateRequest, v1::WatchStateResponse>(&Client::WatchState)},
      {"StreamService/WatchEvents", Streaming(&Client::WatchEvents)},
      {"ServerService/GetServerInfo", Unary(&Client::GetServerInfo)},
  };
}

}  // namespace

const Method* FindMethod(const std::string& name) {
  static const std::map<std::string, Method> table = MakeTable();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace talus::conformance
