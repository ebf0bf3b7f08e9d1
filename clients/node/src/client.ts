// A Talus server as a whole: its scenes, its stored snapshots, and what it says about itself. What is done to one scene
// is in Scene.
import { Connection, type CallOptions, type ConnectOptions, type MethodDefinition } from "./connection";
import { HEALTH_CHECK, type ServingStatus } from "./health";
import { MessageStream } from "./message_stream";
import { robotMessage, type RobotModel } from "./models";
import { recordingName, sceneName, snapshotName } from "./names";
import { Scene } from "./scene";
import { downloadSnapshot, type SnapshotDownload, uploadRequests } from "./snapshots";
import {
  AnalysisServiceService as AnalysisService,
  AnalyzeRollingTransitionRequest,
  type AnalyzeRollingTransitionResponse,
  MeshRollingLoadsRequest,
  type MeshRollingLoadsResponse,
  MeshTroughSurfaceRequest,
  type MeshTroughSurfaceResponse,
  SolveContactProblemRequest,
  type SolveContactProblemResponse,
} from "./gen/talus/v1/analysis_service";
import type { ModelReport } from "./gen/talus/v1/model";
import {
  RecordingServiceService as RecordingService,
  type Recording,
  type ReplayInputsResponse,
} from "./gen/talus/v1/recording_service";
import type { NamedSceneInfo } from "./gen/talus/v1/named_scene";
import type { SceneSpec } from "./gen/talus/v1/scene";
import {
  CreateSceneRequest,
  SceneServiceService as SceneService,
  type SceneInfo,
} from "./gen/talus/v1/scene_service";
import { ServerServiceService as ServerService, type GetFeaturesResponse, type GetServerInfoResponse } from "./gen/talus/v1/server_service";
import {
  BatchStepRequest,
  type BatchStepResult,
  SimulationServiceService as SimulationService,
} from "./gen/talus/v1/simulation_service";
import { SnapshotServiceService as SnapshotService, type SnapshotInfo } from "./gen/talus/v1/snapshot_service";
import type { PartialMessage } from "./specs";

/** Where a new scene comes from; exactly one is set. */
export type SceneSource =
  | { spec: PartialMessage<typeof SceneSpec>; snapshotData?: never; snapshot?: never; namedScene?: never }
  | { snapshotData: Uint8Array; spec?: never; snapshot?: never; namedScene?: never }
  | { snapshot: string; spec?: never; snapshotData?: never; namedScene?: never }
  | { namedScene: string; spec?: never; snapshotData?: never; snapshot?: never };

/** A new scene. */
export type NewScene = SceneSource & {
  /** Id after `scenes/`. Unset: the server chooses one. */
  sceneId?: string;
  /** A repeat with the same id and request returns the first answer. */
  requestId?: string;
  /** Evicted when it was not used for so many seconds [as the server does with others]. */
  idleTtlS?: number;
};

/** Connects to `host:port` or `unix:/absolute/path`. The connection is made with the first call. */
export function connect(address: string, options?: ConnectOptions): Client {
  return new Client(new Connection(address, options));
}

/** A chunk of a recording's file. */
export interface RecordingChunk {
  /** What the recording is; only in the first chunk. */
  info: Recording | undefined;
  bytes: Uint8Array;
}

export class Client {
  constructor(readonly connection: Connection) {}

  /** The server's address. */
  get address(): string {
    return this.connection.address;
  }

  /** Resolves once the server can be reached; fails with DEADLINE_EXCEEDED after timeoutMs. */
  waitForReady(timeoutMs = 10_000): Promise<void> {
    return this.connection.waitForReady(timeoutMs);
  }

  /** Version, machine and limits. */
  getServerInfo(options?: CallOptions): Promise<GetServerInfoResponse> {
    return this.connection.unary(ServerService.getServerInfo, {}, options);
  }

  /** What the server offers, in the words of the ROS 2 standard simulation_interfaces. */
  getFeatures(options?: CallOptions): Promise<GetFeaturesResponse> {
    return this.connection.unary(ServerService.getFeatures, {}, options);
  }

  /** The standard health check; NOT_SERVING while the server drains. */
  checkHealth(options?: CallOptions): Promise<ServingStatus> {
    return this.connection.unary(HEALTH_CHECK, "", options);
  }

  /** Makes a scene. */
  async createScene(scene: NewScene, options?: CallOptions): Promise<Scene> {
    const request = CreateSceneRequest.fromPartial({
      sceneId: scene.sceneId ?? "",
      requestId: scene.requestId ?? "",
      idleTtlS: scene.idleTtlS ?? 0,
      source: sourceOf(scene),
    });
    const response = await this.connection.unary(SceneService.createScene, request, options);
    return new Scene(this.connection, response.scene!.scene, response.scene, response.layout);
  }

  /** Makes a scene with a robot in it, `around` it all else; resolves to the scene and what became of the robot. */
  async createRobotScene(
    model: RobotModel,
    around: PartialMessage<typeof SceneSpec> = {},
    options: CallOptions & { sceneId?: string; requestId?: string } = {},
  ): Promise<{ scene: Scene; report: ModelReport }> {
    const { sceneId = "", requestId = "", ...call } = options;
    const source = { $case: "urdf" as const, value: { ...robotMessage(model), scene: around } };
    const request = CreateSceneRequest.fromPartial({ sceneId, requestId, source });
    const response = await this.connection.unary(SceneService.createScene, request, call);
    const scene = new Scene(this.connection, response.scene!.scene, response.scene, response.layout);
    return { scene, report: response.model! };
  }

  /** A handle on a scene by its name, `{scene}` or `scenes/{scene}`; asks nothing of the server. */
  scene(name: string): Scene {
    return new Scene(this.connection, sceneName(name));
  }

  /** All scenes by name, page by page as they are read. */
  async *listScenes(options: CallOptions & { pageSize?: number } = {}): AsyncGenerator<SceneInfo, void, void> {
    const { pageSize = 0, ...call } = options;
    for (let pageToken = ""; ; ) {
      const page = await this.connection.unary(SceneService.listScenes, { pageSize, pageToken }, call);
      yield* page.scenes;
      pageToken = page.nextPageToken;
      if (pageToken === "") return;
    }
  }

  /** The scenes that createScene makes by `namedScene`, by name, page by page as they are read. */
  async *listNamedScenes(
    options: CallOptions & { pageSize?: number } = {},
  ): AsyncGenerator<NamedSceneInfo, void, void> {
    const { pageSize = 0, ...call } = options;
    for (let pageToken = ""; ; ) {
      const page = await this.connection.unary(SceneService.listNamedScenes, { pageSize, pageToken }, call);
      yield* page.scenes;
      pageToken = page.nextPageToken;
      if (pageToken === "") return;
    }
  }

  /** All stored snapshots by name, page by page as they are read. */
  async *listSnapshots(options: CallOptions & { pageSize?: number } = {}): AsyncGenerator<SnapshotInfo, void, void> {
    const { pageSize = 0, ...call } = options;
    for (let pageToken = ""; ; ) {
      const page = await this.connection.unary(SnapshotService.listSnapshots, { pageSize, pageToken }, call);
      yield* page.snapshots;
      pageToken = page.nextPageToken;
      if (pageToken === "") return;
    }
  }

  /** Deletes a stored snapshot `{snapshot}` or `snapshots/{snapshot}`. */
  async deleteSnapshot(snapshot: string, options?: CallOptions): Promise<void> {
    await this.connection.unary(SnapshotService.deleteSnapshot, { snapshot: snapshotName(snapshot) }, options);
  }

  /** Streams the bytes of a stored snapshot `{snapshot}` or `snapshots/{snapshot}`. */
  downloadSnapshot(snapshot: string, options?: CallOptions): SnapshotDownload {
    return downloadSnapshot(this.connection, { $case: "snapshot", value: snapshotName(snapshot) }, options);
  }

  /** Stores a snapshot that was downloaded before, here or from another server. Unset id: the server chooses one. */
  async uploadSnapshot(data: Uint8Array, snapshotId = "", options?: CallOptions): Promise<SnapshotInfo> {
    const requests = uploadRequests(data, snapshotId);
    return (await this.connection.clientStream(SnapshotService.uploadSnapshot, requests, options)).snapshot!;
  }

  /** Steps many scenes at once; results in the order of the steps, each done or failed for itself. */
  async batchStep(
    steps: NonNullable<PartialMessage<typeof BatchStepRequest>["steps"]>,
    options?: CallOptions,
  ): Promise<BatchStepResult[]> {
    const request = BatchStepRequest.fromPartial({ steps });
    return (await this.connection.unary(SimulationService.batchStep, request, options)).results;
  }

  /** Ends a recording `{recording}` or `recordings/{recording}`; resolves once its file is finished. */
  async stopRecording(recording: string, options?: CallOptions): Promise<Recording> {
    const request = { recording: recordingName(recording) };
    return (await this.connection.unary(RecordingService.stopRecording, request, options)).recording!;
  }

  /** Describes a recording. */
  async getRecording(recording: string, options?: CallOptions): Promise<Recording> {
    const request = { recording: recordingName(recording) };
    return (await this.connection.unary(RecordingService.getRecording, request, options)).recording!;
  }

  /** All recordings by name, page by page as they are read. */
  async *listRecordings(options: CallOptions & { pageSize?: number } = {}): AsyncGenerator<Recording, void, void> {
    const { pageSize = 0, ...call } = options;
    for (let pageToken = ""; ; ) {
      const page = await this.connection.unary(RecordingService.listRecordings, { pageSize, pageToken }, call);
      yield* page.recordings;
      pageToken = page.nextPageToken;
      if (pageToken === "") return;
    }
  }

  /** Deletes a recording that has ended. */
  async deleteRecording(recording: string, options?: CallOptions): Promise<void> {
    await this.connection.unary(RecordingService.deleteRecording, { recording: recordingName(recording) }, options);
  }

  /** Streams the MCAP file of a recording. */
  downloadRecording(recording: string, options?: CallOptions): MessageStream<RecordingChunk> {
    return this.connection.serverStream(
      RecordingService.downloadRecording,
      { recording: recordingName(recording) },
      ({ recording: info, chunk }): RecordingChunk => ({ info, bytes: chunk }),
      options,
    );
  }

  /** Makes a recording again and compares every hash; a difference is in the answer. `sceneId` keeps the scene. */
  replayInputs(
    recording: string,
    options: CallOptions & { sceneId?: string } = {},
  ): Promise<ReplayInputsResponse> {
    const { sceneId = "", ...call } = options;
    const request = { recording: recordingName(recording), sceneId };
    return this.connection.unary(RecordingService.replayInputs, request, call);
  }

  /** Solves a contact problem without a scene, from zero impulses; short of the tolerance is an answer. */
  solveContactProblem(
    request: PartialMessage<typeof SolveContactProblemRequest>,
    options?: CallOptions,
  ): Promise<SolveContactProblemResponse> {
    return this.connection.unary(
      AnalysisService.solveContactProblem,
      SolveContactProblemRequest.fromPartial(request),
      options,
    );
  }

  /** What a body that rolls on two contact points does next: which of RR, RS, SR, SS it can go on in, and how. */
  analyzeRollingTransition(
    body: PartialMessage<typeof AnalyzeRollingTransitionRequest>,
    options?: CallOptions,
  ): Promise<AnalyzeRollingTransitionResponse> {
    return this.connection.unary(
      AnalysisService.analyzeRollingTransition,
      AnalyzeRollingTransitionRequest.fromPartial(body),
      options,
    );
  }

  /** The surface between the loads under which a body rolls on at both its contact points and those under which it does not. */
  meshRollingLoads(
    request: PartialMessage<typeof MeshRollingLoadsRequest>,
    options?: CallOptions,
  ): Promise<MeshRollingLoadsResponse> {
    return this.connection.unary(
      AnalysisService.meshRollingLoads,
      MeshRollingLoadsRequest.fromPartial(request),
      options,
    );
  }

  /** The surface between the torques under which a ball in a right-angled trough rolls on and those under which it slips. */
  meshTroughSurface(
    request: PartialMessage<typeof MeshTroughSurfaceRequest> = {},
    options?: CallOptions,
  ): Promise<MeshTroughSurfaceResponse> {
    return this.connection.unary(
      AnalysisService.meshTroughSurface,
      MeshTroughSurfaceRequest.fromPartial(request),
      options,
    );
  }

  /** Calls any unary method with plain messages (`v1.XxxServiceService.method`). */
  call<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<Response> {
    return this.connection.unary(method, request, options);
  }

  /** Calls any server-streaming method with plain messages. */
  stream<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): MessageStream<Response> {
    return this.connection.serverStream(method, request, (message) => message, options);
  }

  /** Closes the connection once the calls under way are done. */
  close(): void {
    this.connection.close();
  }
}

function sourceOf(scene: NewScene): PartialMessage<typeof CreateSceneRequest>["source"] {
  if (scene.spec !== undefined) return { $case: "spec", value: scene.spec };
  if (scene.snapshotData !== undefined) return { $case: "snapshotData", value: scene.snapshotData };
  if (scene.snapshot !== undefined) return { $case: "snapshot", value: snapshotName(scene.snapshot) };
  if (scene.namedScene !== undefined) return { $case: "namedScene", value: scene.namedScene };
  return undefined;
}
