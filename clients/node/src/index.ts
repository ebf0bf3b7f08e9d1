// Client of the Talus contact-dynamics service. README.md beside package.json is the way in.
export * as actuators from "./actuators";
export type { ActuatorTarget } from "./actuators";
export { Client, connect, type NewScene, type RecordingChunk, type SceneSource } from "./client";
export { columnBytes, float64Column, uint32Column, uint64Column, widenedColumn } from "./columns";
export type { CallOptions, ConnectOptions, Connection, MethodDefinition, TlsOptions } from "./connection";
export { Control } from "./control";
export type { ControlOptions, ControlState, ControlStepOptions } from "./control_messages";
export { DuplexStream } from "./duplex_stream";
export { ERROR_DETAIL_KEY, TalusError } from "./error";
export { RayHits } from "./rays";
export { Bodies, ContactMode, Contacts, Frame } from "./frame";
export { readFrames } from "./frames_file";
export type { ServingStatus } from "./health";
export { type ExitStatus, type LaunchOptions, Server, findServer, launch } from "./server";
export * as joints from "./joints";
export type { JointInput } from "./joints";
export { MessageStream } from "./message_stream";
export type { RobotModel } from "./models";
export { type Poses, QuantizedDecoder } from "./quantized";
export { type RecordOptions, Scene } from "./scene";
export { collectSnapshot, type SnapshotChunk, type SnapshotDownload } from "./snapshots";
export * from "./specs";
export type {
  DriveOptions,
  RunOptions,
  Selection,
  StepOptions,
  StepResult,
  StepUntilOptions,
  Values,
} from "./stepping";
export type { BodyRef, EventWatchOptions, WatchedFrame, WatchOptions } from "./watching";
export { status as Status } from "@grpc/grpc-js";

// The messages and service definitions as they stand in the schema (columns as bytes).
export * as v1 from "./gen/index.talus.v1";
export {
  type AnalyzeRollingTransitionRequest,
  type AnalyzeRollingTransitionResponse,
  ContactPairState,
  type FlatLawSettings,
  type MeshRollingLoadsRequest,
  type MeshRollingLoadsResponse,
  type MeshTroughSurfaceRequest,
  type MeshTroughSurfaceResponse,
  ProblemSolver,
  RollingExit,
  type SolveContactProblemRequest,
  type SolveContactProblemResponse,
  TroughBody,
} from "./gen/talus/v1/analysis_service";
export { type Actuator, ActuatorKind } from "./gen/talus/v1/actuation";
export { type ControlOpened, ControlPacing, MissPolicy } from "./gen/talus/v1/control";
export { ProblemCapture, ProblemFileFormat, type ContactProblem } from "./gen/talus/v1/contact_problem";
export { ErrorReason } from "./gen/talus/v1/error";
export { ModelBase, type ModelOptions, type ModelReport, ShapeStandIn } from "./gen/talus/v1/model";
export type { JointState } from "./gen/talus/v1/query_service";
export { EncodingProfile, SolveOutcome, type Energy, type Layout, type StepReport } from "./gen/talus/v1/frame";
export {
  AxisMode,
  BodyKind,
  type BodySpec,
  type BodyUpdate,
  type EmitterSpec,
  type JointAxis,
  type JointSpec,
  type Material,
  type NamedMaterial,
  type SceneSpec,
  type ShapeSpec,
} from "./gen/talus/v1/scene";
export type { NamedSceneInfo } from "./gen/talus/v1/named_scene";
export type { SceneInfo } from "./gen/talus/v1/scene_service";
export type { Feature, GetFeaturesResponse as Features, GetServerInfoResponse as ServerInfo, Limits } from "./gen/talus/v1/server_service";
export { type BatchStepResult, ResetScope, StopReason } from "./gen/talus/v1/simulation_service";
export { BehindPolicy, type Recording, RecordingState, type ReplayInputsResponse } from "./gen/talus/v1/recording_service";
export type { SnapshotInfo } from "./gen/talus/v1/snapshot_service";
export {
  ContactLaw,
  ContactSolver,
  type PsorSettings,
  type SolverSettings,
  type StepSettings,
} from "./gen/talus/v1/step_settings";
export { EventKind, type SceneEvent, SlowWatcherPolicy, type WatchEventsResponse } from "./gen/talus/v1/stream_service";
