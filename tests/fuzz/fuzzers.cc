#include "tests/fuzz/fuzzers.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <vector>

#include "dm_env_rpc/v1/dm_env_rpc.pb.h"
#include "solver/base/check.h"
#include "talus/v1/analysis_service.pb.h"
#include "talus/v1/control.pb.h"
#include "talus/v1/query_service.pb.h"
#include "talus/v1/recording.pb.h"
#include "talus/v1/scene.pb.h"
#include "talus/v1/simulation_service.pb.h"
#include "talus/v1/stream_service.pb.h"

namespace talus::fuzz {
namespace {

class Silence final : public google::protobuf::io::ErrorCollector {
  void AddError(int, google::protobuf::io::ColumnNumber, const std::string&) override {}
};

template <typename M>
const google::protobuf::Message* PrototypeOf() {
  return &M::default_instance();
}

}  // namespace

std::span<const Fuzzer> AllFuzzers() {
  static const std::vector<Fuzzer> fuzzers = {
      {"scene_spec", FeedSceneSpec, PrototypeOf<v1::SceneSpec>()},
      {"scene_input", FeedSceneInput, PrototypeOf<v1::SceneInput>()},
      {"step_request", FeedStepRequest, PrototypeOf<v1::StepRequest>()},
      {"step_until", FeedStepUntil, PrototypeOf<v1::StepUntilRequest>()},
      {"control", FeedControl, PrototypeOf<v1::ControlRequest>()},
      {"scene_file", FeedSceneFile, nullptr},
      {"urdf", FeedUrdf, nullptr},
      {"mesh", FeedMesh, nullptr},
      {"urdf_scene", FeedUrdfScene, PrototypeOf<v1::UrdfScene>()},
      {"watch_request", FeedWatchRequest, PrototypeOf<v1::WatchStateRequest>()},
      {"event_request", FeedEventRequest, PrototypeOf<v1::WatchEventsRequest>()},
      {"frames", FeedFrames, nullptr},
      {"cast_rays", FeedCastRays, PrototypeOf<v1::CastRaysRequest>()},
      {"snapshot", FeedSnapshot, nullptr},
      {"last_step", FeedLastStep, nullptr},
      {"sealed_file", FeedSealedFile, nullptr},
      {"recording", FeedRecording, nullptr},
      {"export_file", FeedExportFile, nullptr},
      {"moments", FeedMoments, PrototypeOf<v1::BatchStepResponse>()},
      {"frame_file", FeedFrameFile, nullptr},
      {"contact_problem", FeedContactProblem, PrototypeOf<v1::SolveContactProblemRequest>()},
      {"problem_file", FeedProblemFile, nullptr},
      {"problem_hdf5", FeedHdf5Problem, nullptr},
      {"transition", FeedTransition, PrototypeOf<v1::AnalyzeRollingTransitionRequest>()},
      {"rolling_loads", FeedRollingLoads, PrototypeOf<v1::MeshRollingLoadsRequest>()},
      {"trough_surface", FeedTroughSurface, PrototypeOf<v1::MeshTroughSurfaceRequest>()},
      {"environment_settings", FeedEnvironmentSettings,
       PrototypeOf<dm_env_rpc::v1::CreateWorldRequest>()},
      {"environment_step", FeedEnvironmentStep, PrototypeOf<dm_env_rpc::v1::StepRequest>()},
      {"names", FeedNames, nullptr},
      {"token_table", FeedTokenTable, nullptr},
  };
  return fuzzers;
}

const Fuzzer* FindFuzzer(std::string_view name) {
  const auto all = AllFuzzers();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Fuzzer& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool ReadText(std::string_view text, google::protobuf::Message& message) {
  Silence silence;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&silence);
  parser.SetRecursionLimit(32);
  return parser.ParseFromString(std::string(text), &message);
}

void CheckRefusal(const absl::Status& status) {
  TALUS_CHECK(!status.ok() && !status.message().empty());
  const absl::StatusCode code = status.code();
  TALUS_CHECK(code == absl::StatusCode::kInvalidArgument ||
              code == absl::StatusCode::kAlreadyExists || code == absl::StatusCode::kNotFound ||
              code == absl::StatusCode::kFailedPrecondition ||
              code == absl::StatusCode::kResourceExhausted ||
              code == absl::StatusCode::kUnavailable || code == absl::StatusCode::kDataLoss);
}

}  // namespace talus::fuzz
