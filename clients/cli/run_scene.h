// The scene of one run on its server: made from its description or from a snapshot, remembered in
// the run's folder, and deleted. Promises that a run that was killed leaves nothing for good on a
// server that lives on: the next one deletes what the folder remembers. It does not step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/run_folder.h"
#include "clients/cpp/scene.h"

namespace talus::cli {

class RunScene {
 public:
  RunScene(client::Client client, std::string address, const RunFolder& folder)
      : client_(std::move(client)), address_(std::move(address)), folder_(folder) {}

  // Both delete the scene before. The timeout of `making` bounds a call; its stop ends the wait for
  // a turn and no call: one that is cut off may leave a scene that nobody knows.
  client::Result<client::Done> Make(const v1::SceneSpec& spec, const client::CallOptions& making);
  // A snapshot that exceeds `message_bytes`, the server's limit, is stored there for the while.
  client::Result<client::Done> Make(const std::string& snapshot, int64_t message_bytes,
                                    const client::CallOptions& making);
  // Of a scene that was made.
  client::Scene* operator->() { return &*scene_; }
  // Deletes what the folder remembers on this server, and remembers it still where that fails.
  void Forget();

 private:
  client::Result<client::Done> Create(const v1::CreateSceneRequest& request,
                                      const client::CallOptions& making);
  client::Result<client::Done> Remember(const std::string& name);
  // True: it is not there any more, or will never be ours to delete.
  bool Delete(const std::string& name);

  client::Client client_;
  std::string address_;
  const RunFolder& folder_;
  std::optional<client::Scene> scene_;
};

}  // namespace talus::cli
