// Everything that reads bytes from outside, each as a function that takes any bytes at all.
//
// A fuzzer breaks (TALUS_CHECK) where a promise does: what was read and written reads back the
// same, what was refused says why. Where the input is a message, the bytes are its text form, so
// that the corpus can be read and the mutator (message_mutator.h) works on fields instead of bytes.
// The same functions run under Clang's engine (engine.cc) and over the corpus in every build
// (corpus_test.cc).
#pragma once

#include <google/protobuf/message.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace talus::fuzz {

struct Fuzzer {
  std::string name;  // of its folder in corpus/
  void (*feed)(std::string_view bytes);
  // The message whose text form it takes; null: plain bytes.
  const google::protobuf::Message* prototype;
};

std::span<const Fuzzer> AllFuzzers();
// Null when there is none of this name.
const Fuzzer* FindFuzzer(std::string_view name);

// Scenes and what changes them.
void FeedSceneSpec(std::string_view text);    // talus.v1.SceneSpec
void FeedSceneInput(std::string_view text);   // talus.v1.SceneInput
void FeedStepRequest(std::string_view text);  // talus.v1.StepRequest
void FeedStepUntil(std::string_view text);    // talus.v1.StepUntilRequest
void FeedControl(std::string_view text);      // talus.v1.ControlRequest
void FeedSceneFile(std::string_view text);    // JSON, as talusctl reads it
// Models.
void FeedUrdf(std::string_view text);
void FeedMesh(std::string_view bytes);      // STL or OBJ, by the first byte
void FeedUrdfScene(std::string_view text);  // talus.v1.UrdfScene
// Watching.
void FeedWatchRequest(std::string_view text);  // talus.v1.WatchStateRequest
void FeedEventRequest(std::string_view text);  // talus.v1.WatchEventsRequest
void FeedFrames(std::string_view bytes);       // as a client gets them
void FeedCastRays(std::string_view text);      // talus.v1.CastRaysRequest
// What lies on the disk, or comes as an upload.
void FeedSnapshot(std::string_view bytes);
void FeedLastStep(std::string_view bytes);  // of an evicted scene
void FeedSealedFile(std::string_view bytes);
void FeedRecording(std::string_view bytes);   // MCAP, as the server reads it
void FeedExportFile(std::string_view bytes);  // MCAP, as talusctl exports it
void FeedMoments(std::string_view text);  // talus.v1.BatchStepResponse, whose frames are recorded
void FeedFrameFile(std::string_view bytes);  // of `talusctl run` and `watch`
// Bare problems.
void FeedContactProblem(std::string_view text);  // talus.v1.SolveContactProblemRequest
void FeedProblemFile(std::string_view bytes);    // JSON
void FeedHdf5Problem(std::string_view bytes);    // HDF5 as of FCLIB; run.sh says why it is apart
void FeedTransition(std::string_view text);      // talus.v1.AnalyzeRollingTransitionRequest
void FeedRollingLoads(std::string_view text);    // talus.v1.MeshRollingLoadsRequest
void FeedTroughSurface(std::string_view text);   // talus.v1.MeshTroughSurfaceRequest
// The environment face.
void FeedEnvironmentSettings(std::string_view text);  // dm_env_rpc.v1.CreateWorldRequest
void FeedEnvironmentStep(std::string_view text);      // dm_env_rpc.v1.StepRequest
// Names, page tokens, tokens.
void FeedNames(std::string_view bytes);
void FeedTokenTable(std::string_view text);

// Reads the text form; false: it is none.
bool ReadText(std::string_view text, google::protobuf::Message& message);
// A refusal has a message and a code that tells a caller what to do; breaks otherwise.
void CheckRefusal(const absl::Status& status);

}  // namespace talus::fuzz
