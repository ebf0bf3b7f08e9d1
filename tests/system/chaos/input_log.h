// What a scene's owner had done to it, in order, with the state each input led to; and the same
// done to a fresh scene, where every hash must come out again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "talus/v1/scene_service.pb.h"
#include "talus/v1/simulation_service.pb.h"
#include "tests/system/chaos/caller.h"

namespace talus::chaos {

// Steps, however they came about, until the scene was at the input's step index.
struct StepsTo {};
// A snapshot of that name was made; the scene did not change.
struct Marked {
  std::string name;
};
struct RestoredTo {
  std::string name;
};

struct Input {
  std::variant<StepsTo, Marked, RestoredTo, v1::StepRequest, v1::AddBodiesRequest,
               v1::RemoveBodiesRequest, v1::AddEmittersRequest, v1::RemoveEmittersRequest,
               v1::AddJointsRequest, v1::RemoveJointsRequest, v1::ResetSceneRequest,
               v1::StepUntilRequest, v1::UpdateBodiesRequest>
      what;
  int64_t step_index = 0;  // after it
  uint64_t state_hash = 0;
};

class InputLog {
 public:
  explicit InputLog(v1::SceneSpec spec) : spec_(std::move(spec)) {}

  const v1::SceneSpec& spec() const { return spec_; }
  void Add(Input input) { inputs_.push_back(std::move(input)); }
  size_t size() const { return inputs_.size(); }

  // `scene` is as the last input left it; and a new scene `id` that gets every input, and is
  // deleted then, has the same hashes. Empty: it is so.
  std::string Replay(Caller& caller, const std::string& id, const std::string& scene) const;

 private:
  v1::SceneSpec spec_;
  std::vector<Input> inputs_;
};

}  // namespace talus::chaos
