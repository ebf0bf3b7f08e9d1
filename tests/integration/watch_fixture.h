// What the tests of WatchState share: a server with one small scene, and a stream of a scene as the
// plain stubs give it.
#pragma once

#include <memory>
#include <string>

#include "tests/integration/server_fixture.h"

namespace talus::testing {

// One stream and the context it needs; cancelled at the end.
class Watch {
 public:
  Watch(v1::StreamService::Stub& stub, const v1::WatchStateRequest& request)
      : reader_(stub.WatchState(&context_, request)) {}
  ~Watch() {
    if (finished_) return;
    context_.TryCancel();
    Finish();
  }
  bool Read(v1::WatchStateResponse& response) { return reader_->Read(&response); }
  Outcome Finish() {
    v1::WatchStateResponse rest;
    while (reader_->Read(&rest)) {
    }
    finished_ = true;
    return FinishCall(reader_->Finish(), context_);
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchStateResponse>> reader_;
  bool finished_ = false;
};

inline v1::WatchStateRequest For(const std::string& id) {
  v1::WatchStateRequest request;
  request.set_scene("scenes/" + id);
  return request;
}

class WatchTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.limits.watchers_per_scene = 4;
    StartServer(options);
    CreateScene("a", TenBalls());
  }
  int WatcherCount(const std::string& id) {
    v1::GetDiagnosticsRequest look;
    look.set_scene("scenes/" + id);
    return Call(*queries_, &v1::QueryService::Stub::GetDiagnostics, look).response.watcher_count();
  }
};

}  // namespace talus::testing
