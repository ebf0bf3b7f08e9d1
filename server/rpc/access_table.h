// Which RPC needs which scope, and which is worth a line in the log each time: the one table of it.
//
// A line is RPC(kind, service, name, scope, note): kind says which form of gRPC's callback API the
// service overrides, note is kAudited for what changes more than the state of one scene. The gate
// in front of each service is made of these lines (gated_services.h); a server with an RPC that has
// no line here does not start. Health has no line: it answers everybody.
//
// The kind WATCH asks for kControl where the request would let the watcher hold its scene up.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "server/security/scope.h"

#define TALUS_SCENE_RPCS(RPC)                                \
  RPC(UNARY, SceneService, CreateScene, kControl, kAudited)  \
  RPC(UPLOAD, SceneService, ImportModel, kControl, kAudited) \
  RPC(UNARY, SceneService, GetScene, kRead, kQuiet)          \
  RPC(UNARY, SceneService, ListScenes, kRead, kQuiet)        \
  RPC(UNARY, SceneService, ListNamedScenes, kRead, kQuiet)   \
  RPC(UNARY, SceneService, DeleteScene, kControl, kAudited)  \
  RPC(UNARY, SceneService, AddBodies, kControl, kQuiet)      \
  RPC(UNARY, SceneService, RemoveBodies, kControl, kQuiet)   \
  RPC(UNARY, SceneService, UpdateBodies, kControl, kQuiet)   \
  RPC(UNARY, SceneService, ListBodies, kRead, kQuiet)        \
  RPC(UNARY, SceneService, AddEmitters, kControl, kQuiet)    \
  RPC(UNARY, SceneService, RemoveEmitters, kControl, kQuiet) \
  RPC(UNARY, SceneService, AddJoints, kControl, kQuiet)      \
  RPC(UNARY, SceneService, RemoveJoints, kControl, kQuiet)   \
  RPC(UNARY, SceneService, ListJoints, kRead, kQuiet)

#define TALUS_SIMULATION_RPCS(RPC)                           \
  RPC(UNARY, SimulationService, Step, kControl, kQuiet)      \
  RPC(UNARY, SimulationService, StepUntil, kControl, kQuiet) \
  RPC(UNARY, SimulationService, BatchStep, kControl, kQuiet) \
  RPC(BIDI, SimulationService, Control, kControl, kQuiet)    \
  RPC(UNARY, SimulationService, Run, kControl, kQuiet)       \
  RPC(UNARY, SimulationService, Pause, kControl, kQuiet)     \
  RPC(UNARY, SimulationService, ResetScene, kControl, kQuiet)

#define TALUS_QUERY_RPCS(RPC)                             \
  RPC(UNARY, QueryService, GetLayout, kRead, kQuiet)      \
  RPC(UNARY, QueryService, GetState, kRead, kQuiet)       \
  RPC(UNARY, QueryService, GetContacts, kRead, kQuiet)    \
  RPC(UNARY, QueryService, GetJoints, kRead, kQuiet)      \
  RPC(UNARY, QueryService, GetEnergy, kRead, kQuiet)      \
  RPC(UNARY, QueryService, GetDiagnostics, kRead, kQuiet) \
  RPC(UNARY, QueryService, GetStepProblem, kRead, kQuiet) \
  RPC(UNARY, QueryService, CastRays, kRead, kQuiet)

#define TALUS_STREAM_RPCS(RPC)                         \
  RPC(WATCH, StreamService, WatchState, kRead, kQuiet) \
  RPC(RAW_STREAM, StreamService, WatchEvents, kRead, kQuiet)

#define TALUS_SNAPSHOT_RPCS(RPC)                                   \
  RPC(UNARY, SnapshotService, CreateSnapshot, kControl, kAudited)  \
  RPC(UNARY, SnapshotService, ListSnapshots, kRead, kQuiet)        \
  RPC(UNARY, SnapshotService, DeleteSnapshot, kAdmin, kAudited)    \
  RPC(UNARY, SnapshotService, RestoreSnapshot, kControl, kAudited) \
  RPC(UNARY, SnapshotService, ForkScene, kControl, kAudited)       \
  RPC(STREAM, SnapshotService, DownloadSnapshot, kRead, kAudited)  \
  RPC(UNARY, SnapshotService, GetSnapshot, kRead, kQuiet)          \
  RPC(UPLOAD, SnapshotService, UploadSnapshot, kControl, kAudited)

#define TALUS_RECORDING_RPCS(RPC)                                   \
  RPC(UNARY, RecordingService, StartRecording, kControl, kAudited)  \
  RPC(UNARY, RecordingService, StopRecording, kControl, kAudited)   \
  RPC(UNARY, RecordingService, GetRecording, kRead, kQuiet)         \
  RPC(UNARY, RecordingService, ListRecordings, kRead, kQuiet)       \
  RPC(UNARY, RecordingService, DeleteRecording, kAdmin, kAudited)   \
  RPC(STREAM, RecordingService, DownloadRecording, kRead, kAudited) \
  RPC(UNARY, RecordingService, ReplayInputs, kControl, kAudited)

#define TALUS_ANALYSIS_RPCS(RPC)                                          \
  RPC(UNARY, AnalysisService, SolveContactProblem, kControl, kQuiet)      \
  RPC(UNARY, AnalysisService, AnalyzeRollingTransition, kControl, kQuiet) \
  RPC(UNARY, AnalysisService, MeshRollingLoads, kControl, kQuiet)         \
  RPC(UNARY, AnalysisService, MeshTroughSurface, kControl, kQuiet)

#define TALUS_SERVER_RPCS(RPC)                            \
  RPC(UNARY, ServerService, GetServerInfo, kRead, kQuiet) \
  RPC(UNARY, ServerService, GetFeatures, kRead, kQuiet)

// Worlds are made and destroyed inside the stream.
#define TALUS_ENVIRONMENT_RPCS(RPC) RPC(ENVIRONMENT, Environment, Process, kControl, kAudited)

#define TALUS_REFLECTION_RPCS(RPC) \
  RPC(REFLECTION, ServerReflection, ServerReflectionInfo, kRead, kQuiet)

#define TALUS_ALL_RPCS(RPC)   \
  TALUS_SCENE_RPCS(RPC)       \
  TALUS_SIMULATION_RPCS(RPC)  \
  TALUS_QUERY_RPCS(RPC)       \
  TALUS_STREAM_RPCS(RPC)      \
  TALUS_SNAPSHOT_RPCS(RPC)    \
  TALUS_RECORDING_RPCS(RPC)   \
  TALUS_ANALYSIS_RPCS(RPC)    \
  TALUS_SERVER_RPCS(RPC)      \
  TALUS_ENVIRONMENT_RPCS(RPC) \
  TALUS_REFLECTION_RPCS(RPC)

namespace talus::rpc {

enum class AuditNote { kQuiet, kAudited };

struct RpcAccess {
  std::string_view method;  // as in `SceneService/GetScene`
  Scope scope;
  AuditNote note;
  size_t index;  // its place in the table
};

// The table, in its order.
std::span<const RpcAccess> AllRpcs();
// The line of `method`; null when there is none.
const RpcAccess* FindRpc(std::string_view method);

}  // namespace talus::rpc
