// One scene on a server, by name: the calls a program makes most, without the request messages. A
// value that holds the connection and the name; copying it copies no scene, and its end deletes
// none. Thread-safe as the Client is. A call waits 60 s unless its CallOptions say otherwise
// (call_options.h); a watch has no deadline. For what is not here, use client() and name().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/cpp/client.h"

namespace talus::client {

// What making a scene may be asked beside where it comes from.
struct CreateOptions {
  std::string request_id{};  // not empty: a repeat makes no second scene
  double idle_ttl_s = 0.0;   // evicted when not used for so long; 0: as the server does with others
  CallOptions call{};
};

// What a Step may be asked beside its count.
struct StepOptions {
  v1::FrameSelection selection{};                // which parts of the final state come back
  v1::BodySelection bodies{};                    // whose rows come back; none set: all
  std::optional<int64_t> expected_step_index{};  // any other index is an error
  std::string request_id{};                      // not empty: a repeat steps no further
  bool residual_history = false;                 // residual after every sweep in the report
  v1::ProblemCapture problem_capture{};          // steps whose problem GetStepProblem finds
  std::vector<v1::Actuator> actuators{};         // what to drive, each target once
  std::vector<double> values{};  // of all actuators in turn; they act until they are set again
  CallOptions call{};
};

// Positions, orientations and velocities.
v1::FrameSelection SelectState();
// Everything a frame can hold.
v1::FrameSelection SelectAll();

class Scene {
 public:
  // `id` empty: the server chooses the name.
  static Result<Scene> Create(Client client, v1::SceneSpec spec, const std::string& id = "",
                              const CreateOptions& options = {});
  // One that the server was given as a file, by its name as ListNamedScenes tells it.
  static Result<Scene> CreateNamed(Client client, const std::string& named_scene,
                                   const std::string& id = "", const CreateOptions& options = {});
  // From the bytes of a downloaded snapshot.
  static Result<Scene> CreateFromSnapshot(Client client, std::string bytes,
                                          const std::string& id = "",
                                          const CreateOptions& options = {});
  // A scene that is there already; `name` is `scenes/ID` or `ID`. Makes no call.
  static Scene Attach(Client client, const std::string& name);

  const std::string& name() const { return name_; }
  Client& client() { return client_; }

  Result<v1::SceneInfo> Info(const CallOptions& options = {});
  Result<v1::StepResponse> Step(int64_t step_count, const StepOptions& options = {});
  Result<v1::Frame> State(const v1::FrameSelection& selection = SelectState(),
                          const CallOptions& options = {});
  // Rows of these bodies alone, and contacts that touch one of them.
  Result<v1::Frame> State(const v1::FrameSelection& selection, const v1::BodySelection& bodies,
                          const CallOptions& options = {});
  // ViewContacts() of columns.h reads the frame as spans.
  Result<v1::Frame> Contacts(const CallOptions& options = {});
  Result<v1::Layout> Layout(const CallOptions& options = {});
  Result<v1::Energy> Energy(const CallOptions& options = {});

  // Calls back for each frame until the callback returns false or the stream ends.
  Result<Done> Watch(v1::WatchStateRequest request,
                     const std::function<bool(const v1::WatchStateResponse&)>& on_frame,
                     const CallOptions& options = {std::chrono::milliseconds{0}, {}});

  // `snapshot_id` empty: the server chooses the name.
  Result<v1::SnapshotInfo> SaveSnapshot(const std::string& snapshot_id = "",
                                        const CallOptions& options = {});
  // `snapshot` is `snapshots/ID` or `ID`.
  Result<v1::SceneInfo> RestoreSnapshot(const std::string& snapshot,
                                        const CallOptions& options = {});
  // The scene's state now, as bytes that CreateFromSnapshot takes.
  Result<std::string> DownloadSnapshot(const CallOptions& options = {});
  // One copy for each id; an empty id lets the server choose.
  Result<std::vector<Scene>> Fork(const std::vector<std::string>& ids,
                                  const CallOptions& options = {});
  Result<Done> Delete(const CallOptions& options = {});

 private:
  static Result<Scene> Make(Client client, v1::CreateSceneRequest request, const std::string& id,
                            const CreateOptions& options);

  Scene(Client client, std::string name) : client_(std::move(client)), name_(std::move(name)) {}

  Client client_;
  std::string name_;
};

// The bytes of a snapshot, put together from its chunks.
Result<std::string> DownloadSnapshotBytes(Client& client,
                                          const v1::DownloadSnapshotRequest& request,
                                          const CallOptions& options = {});

}  // namespace talus::client
