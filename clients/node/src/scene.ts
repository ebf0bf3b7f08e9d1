// A handle on one scene of a server. It holds a name and what the server last told about the scene's rows; the scene
// itself lives in the server, and any number of handles may be on it.
import type { CallOptions, Connection } from "./connection";
import { Control } from "./control";
import { controlOpen, type ControlOptions } from "./control_messages";
import { Frame } from "./frame";
import type { Actuator } from "./gen/talus/v1/actuation";
import type { Energy, Layout } from "./gen/talus/v1/frame";
import type { ModelReport } from "./gen/talus/v1/model";
import { ProblemCapture, ProblemFileFormat } from "./gen/talus/v1/contact_problem";
import {
  CastRaysRequest,
  GetStateRequest,
  QueryServiceService as QueryService,
  type GetDiagnosticsResponse,
  type JointState,
  type GetStepProblemResponse,
} from "./gen/talus/v1/query_service";
import type { Ray } from "./gen/talus/v1/ray";
import type { BodySpec, BodyUpdate, EmitterSpec, JointSpec, NamedMaterial } from "./gen/talus/v1/scene";
import {
  AddBodiesRequest,
  AddEmittersRequest,
  AddJointsRequest,
  UpdateBodiesRequest,
  SceneServiceService as SceneService,
  type ListBodiesResponse,
  type ListJointsResponse,
  type SceneInfo,
} from "./gen/talus/v1/scene_service";
import {
  RecordingServiceService as RecordingService,
  StartRecordingRequest,
  type Recording,
} from "./gen/talus/v1/recording_service";
import {
  type ResetScope,
  SimulationServiceService as SimulationService,
  type StopCondition,
  type StopReason,
} from "./gen/talus/v1/simulation_service";
import { SnapshotServiceService as SnapshotService, type SnapshotInfo } from "./gen/talus/v1/snapshot_service";
import { StreamServiceService as StreamService, type WatchEventsResponse } from "./gen/talus/v1/stream_service";
import type { MessageStream } from "./message_stream";
import { importRequests, type RobotModel } from "./models";
import { snapshotName } from "./names";
import { QuantizedDecoder } from "./quantized";
import { RayHits } from "./rays";
import { downloadSnapshot, type SnapshotDownload } from "./snapshots";
import type { PartialMessage } from "./specs";
import {
  type RunOptions,
  type Selection,
  stepRequest,
  type StepOptions,
  type StepResult,
  stepUntilRequest,
  type StepUntilOptions,
} from "./stepping";
import {
  type BodyRef,
  type EventWatchOptions,
  type WatchedFrame,
  type WatchOptions,
  selectBodies,
  watchEventsRequest,
  watchRequest,
} from "./watching";

/** What to record; unset fields are the server's choice. */
export type RecordOptions = Omit<PartialMessage<typeof StartRecordingRequest>, "scene">;

export class Scene {
  /** `name` is `scenes/{scene}`. */
  constructor(
    private readonly connection: Connection,
    readonly name: string,
    /** What the server last told this handle about the scene. */
    public lastInfo?: SceneInfo | undefined,
    /** The layout the server last told this handle. */
    public lastLayout?: Layout | undefined,
  ) {}

  /** Describes the scene. */
  async getInfo(options?: CallOptions): Promise<SceneInfo> {
    const response = await this.connection.unary(SceneService.getScene, { scene: this.name }, options);
    return (this.lastInfo = response.scene!);
  }

  /** Deletes the scene; calls that wait on it end with ABORTED. */
  async delete(options?: CallOptions): Promise<void> {
    await this.connection.unary(SceneService.deleteScene, { scene: this.name }, options);
  }

  /** Adds bodies, all or none; resolves to their ids in the order given. `materials` are those the scene lacks. */
  async addBodies(
    bodies: PartialMessage<typeof BodySpec>[],
    options: CallOptions & { materials?: PartialMessage<typeof NamedMaterial>[] } = {},
  ): Promise<bigint[]> {
    const { materials = [], ...call } = options;
    const request = AddBodiesRequest.fromPartial({ scene: this.name, bodies, materials });
    const response = await this.connection.unary(SceneService.addBodies, request, call);
    this.lastLayout = response.layout;
    return response.bodyIds;
  }

  /** Puts a robot into the scene, all of it or nothing; resolves to what became of it. The scene's solver must take joints. */
  async importModel(
    model: RobotModel,
    options: CallOptions & { materials?: PartialMessage<typeof NamedMaterial>[] } = {},
  ): Promise<ModelReport> {
    const { materials = [], ...call } = options;
    const requests = importRequests(this.name, model, materials);
    const response = await this.connection.clientStream(SceneService.importModel, requests, call);
    this.lastInfo = response.scene;
    this.lastLayout = response.layout;
    return response.model!;
  }

  /** Removes bodies, by id or by name, all or none; resolves to the new layout. */
  async removeBodies(bodies: readonly (bigint | string)[], options?: CallOptions): Promise<Layout> {
    const request = {
      scene: this.name,
      bodyIds: bodies.filter((body): body is bigint => typeof body === "bigint"),
      bodyNames: bodies.filter((body): body is string => typeof body === "string"),
    };
    const response = await this.connection.unary(SceneService.removeBodies, request, options);
    return (this.lastLayout = response.layout!);
  }

  /** Sets poses and velocities of bodies, all or none, from the next step on; bodyUpdate() makes one. */
  async updateBodies(updates: PartialMessage<typeof BodyUpdate>[], options?: CallOptions): Promise<SceneInfo> {
    const request = UpdateBodiesRequest.fromPartial({ scene: this.name, updates });
    const response = await this.connection.unary(SceneService.updateBodies, request, options);
    return (this.lastInfo = response.scene!);
  }

  /** Adds emitters, all or none. */
  async addEmitters(
    emitters: PartialMessage<typeof EmitterSpec>[],
    options: CallOptions & { materials?: PartialMessage<typeof NamedMaterial>[] } = {},
  ): Promise<SceneInfo> {
    const { materials = [], ...call } = options;
    const request = AddEmittersRequest.fromPartial({ scene: this.name, emitters, materials });
    const response = await this.connection.unary(SceneService.addEmitters, request, call);
    return (this.lastInfo = response.scene!);
  }

  /** Removes emitters by name, all or none; their particles stay. */
  async removeEmitters(emitterNames: string[], options?: CallOptions): Promise<SceneInfo> {
    const request = { scene: this.name, emitterNames };
    const response = await this.connection.unary(SceneService.removeEmitters, request, options);
    return (this.lastInfo = response.scene!);
  }

  /** Adds joints, all or none; resolves to their ids in the order given. The scene's solver must take joints, as NEWTON does. */
  async addJoints(joints: PartialMessage<typeof JointSpec>[], options?: CallOptions): Promise<bigint[]> {
    const request = AddJointsRequest.fromPartial({ scene: this.name, joints });
    const response = await this.connection.unary(SceneService.addJoints, request, options);
    this.lastInfo = response.scene;
    return response.jointIds;
  }

  /** Removes joints, by id or by name, all or none. */
  async removeJoints(joints: readonly (bigint | string)[], options?: CallOptions): Promise<SceneInfo> {
    const request = {
      scene: this.name,
      jointIds: joints.filter((joint): joint is bigint => typeof joint === "bigint"),
      jointNames: joints.filter((joint): joint is string => typeof joint === "string"),
    };
    const response = await this.connection.unary(SceneService.removeJoints, request, options);
    return (this.lastInfo = response.scene!);
  }

  /** The bodies by id, each as addBodies takes it, in pages; each page is of one moment, which it tells. */
  async *listBodies(options: CallOptions & { pageSize?: number } = {}): AsyncGenerator<ListBodiesResponse, void, void> {
    const { pageSize = 0, ...call } = options;
    for (let pageToken = ""; ; ) {
      const request = { scene: this.name, pageSize, pageToken };
      const page = await this.connection.unary(SceneService.listBodies, request, call);
      yield page;
      pageToken = page.nextPageToken;
      if (pageToken === "") return;
    }
  }

  /** The joints by id, each as addJoints takes it, in pages; each page is of one moment, which it tells. */
  async *listJoints(options: CallOptions & { pageSize?: number } = {}): AsyncGenerator<ListJointsResponse, void, void> {
    const { pageSize = 0, ...call } = options;
    for (let pageToken = ""; ; ) {
      const request = { scene: this.name, pageSize, pageToken };
      const page = await this.connection.unary(SceneService.listJoints, request, call);
      yield page;
      pageToken = page.nextPageToken;
      if (pageToken === "") return;
    }
  }

  /** Makes steps and resolves once they are done. */
  async step(stepCount: number | bigint = 1, options: StepOptions = {}): Promise<StepResult> {
    const [request, call] = stepRequest(this.name, stepCount, options);
    const { frame, ...totals } = await this.connection.unary(SimulationService.step, request, call);
    return { frame: this.note(new Frame(frame!)), ...totals };
  }

  /** Makes steps until a part of the condition holds, or the steps are used up; tells which it was. */
  async stepUntil(
    until: PartialMessage<typeof StopCondition>,
    options: StepUntilOptions = {},
  ): Promise<StepResult & { stopReason: StopReason }> {
    const [request, call] = stepUntilRequest(this.name, until, options);
    const { step, stopReason } = await this.connection.unary(SimulationService.stepUntil, request, call);
    const { frame, ...totals } = step!;
    return { frame: this.note(new Frame(frame!)), ...totals, stopReason };
  }

  /** Takes the lease on the scene and steps it in lock-step; close() of what it resolves to gives it back. */
  async control(actuators: readonly Actuator[] = [], options: ControlOptions = {}): Promise<Control> {
    const [open, call] = controlOpen(this.name, actuators, options);
    const stream = this.connection.duplexStream(SimulationService.control, call);
    return Control.open(stream, open, (layout) => (this.lastLayout = layout));
  }

  /** Lets the scene step on its own until it is paused; resolves once it runs. */
  async run(options: RunOptions = {}): Promise<SceneInfo> {
    const { realTimeFactor, stepLimit = 0, problemCapture = ProblemCapture.UNSPECIFIED, ...call } = options;
    const request = { scene: this.name, realTimeFactor, stepLimit: BigInt(stepLimit), problemCapture };
    const response = await this.connection.unary(SimulationService.run, request, call);
    return (this.lastInfo = response.scene!);
  }

  /** Stops a scene that steps on its own. */
  async pause(options?: CallOptions): Promise<SceneInfo> {
    const response = await this.connection.unary(SimulationService.pause, { scene: this.name }, options);
    return (this.lastInfo = response.scene!);
  }

  /** Puts back what the scopes name [everything]. */
  async reset(scopes: ResetScope[] = [], options?: CallOptions): Promise<SceneInfo> {
    const response = await this.connection.unary(SimulationService.resetScene, { scene: this.name, scopes }, options);
    this.lastLayout = undefined;
    return (this.lastInfo = response.scene!);
  }

  /** Begins to record the scene on the server; resolves once the state it begins from is on the disk. */
  async startRecording(options: RecordOptions = {}, call?: CallOptions): Promise<Recording> {
    const request = StartRecordingRequest.fromPartial({ ...options, scene: this.name });
    const response = await this.connection.unary(RecordingService.startRecording, request, call);
    return response.recording!;
  }

  /** Row -> body. */
  async getLayout(options?: CallOptions): Promise<Layout> {
    const response = await this.connection.unary(QueryService.getLayout, { scene: this.name }, options);
    return (this.lastLayout = response.layout!);
  }

  /** The state, of these bodies [all]; unset selection: positions, orientations and velocities. */
  async getState(selection?: Selection, options: CallOptions & { bodies?: BodyRef[] } = {}): Promise<Frame> {
    const { bodies, ...call } = options;
    const request = GetStateRequest.fromPartial({
      scene: this.name,
      ...(selection && { selection }),
      ...(bodies && { bodies: selectBodies(bodies, 0) }),
    });
    const response = await this.connection.unary(QueryService.getState, request, call);
    return this.note(new Frame(response.frame!));
  }

  /** A frame with the contacts of the last step: full wrench and mode. */
  async getContacts(options?: CallOptions): Promise<Frame> {
    const response = await this.connection.unary(QueryService.getContacts, { scene: this.name }, options);
    return this.note(new Frame(response.frame!));
  }

  /** The joints by id: where they stand, and what they carried in the last step. */
  async getJoints(options?: CallOptions): Promise<JointState[]> {
    const response = await this.connection.unary(QueryService.getJoints, { scene: this.name }, options);
    return response.joints;
  }

  /** The energies of the dynamic bodies, and the step index they belong to. */
  async getEnergy(options?: CallOptions): Promise<Energy & { stepIndex: bigint }> {
    const response = await this.connection.unary(QueryService.getEnergy, { scene: this.name }, options);
    return { ...response.energy!, stepIndex: response.stepIndex };
  }

  /** The last step's report and how busy the scene is. */
  getDiagnostics(options?: CallOptions): Promise<GetDiagnosticsResponse> {
    return this.connection.unary(QueryService.getDiagnostics, { scene: this.name }, options);
  }

  /** The contact problem that a step was asked to keep, with the impulses the step ended with. */
  getStepProblem(
    options: CallOptions & { fileFormat?: ProblemFileFormat } = {},
  ): Promise<GetStepProblemResponse> {
    const { fileFormat = ProblemFileFormat.UNSPECIFIED, ...call } = options;
    return this.connection.unary(QueryService.getStepProblem, { scene: this.name, fileFormat }, call);
  }

  /** What rays hit first now; `ignoredBodyIds`: bodies that they pass through. At most 10 000 rays. */
  async castRays(
    rays: PartialMessage<typeof Ray>[],
    options: CallOptions & { ignoredBodyIds?: bigint[] } = {},
  ): Promise<RayHits> {
    const { ignoredBodyIds = [], ...call } = options;
    const request = CastRaysRequest.fromPartial({ scene: this.name, rays, ignoredBodyIds });
    return new RayHits(await this.connection.unary(QueryService.castRays, request, call));
  }

  /** Streams frames, starting at once with the state now. Leave the loop, or abort the signal, to stop. */
  watch(options: WatchOptions = {}): MessageStream<WatchedFrame> {
    const [request, call] = watchRequest(this.name, options);
    const decoder = new QuantizedDecoder();
    return this.connection.serverStream(
      StreamService.watchState,
      request,
      ({ frame, droppedSinceLast }): WatchedFrame => ({
        frame: this.note(new Frame(frame!, decoder)),
        droppedSinceLast,
      }),
      call,
    );
  }

  /**
   * What happens in the scene and to it, from the step index of the first batch on, which has no events and comes as
   * soon as the server watches. Ends with the reason when the scene goes, after its last event.
   */
  watchEvents(options: EventWatchOptions = {}): MessageStream<WatchEventsResponse> {
    const [request, call] = watchEventsRequest(this.name, options);
    return this.connection.serverStream(StreamService.watchEvents, request, (batch): WatchEventsResponse => batch, call);
  }

  /** Stores a snapshot on the server. Unset id: the server chooses one. */
  async createSnapshot(snapshotId = "", options?: CallOptions): Promise<SnapshotInfo> {
    const request = { scene: this.name, snapshotId };
    const response = await this.connection.unary(SnapshotService.createSnapshot, request, options);
    return response.snapshot!;
  }

  /** Puts the scene back to a stored snapshot `{snapshot}` or `snapshots/{snapshot}`. */
  async restoreSnapshot(snapshot: string, options?: CallOptions): Promise<SceneInfo> {
    const request = { scene: this.name, snapshot: snapshotName(snapshot) };
    const response = await this.connection.unary(SnapshotService.restoreSnapshot, request, options);
    this.lastLayout = undefined;
    return (this.lastInfo = response.scene!);
  }

  /** Makes new scenes equal to this one, one for each id; an empty id lets the server choose. */
  async fork(sceneIds: string[], options: CallOptions & { requestId?: string } = {}): Promise<Scene[]> {
    const { requestId = "", ...call } = options;
    const request = { scene: this.name, sceneIds, requestId };
    const response = await this.connection.unary(SnapshotService.forkScene, request, call);
    return response.scenes.map((info) => new Scene(this.connection, info.scene, info, this.lastLayout));
  }

  /** Streams the bytes of a snapshot of the scene as it is now. */
  downloadSnapshot(options?: CallOptions): SnapshotDownload {
    return downloadSnapshot(this.connection, { $case: "scene", value: this.name }, options);
  }

  private note(frame: Frame): Frame {
    if (frame.layout !== undefined) this.lastLayout = frame.layout;
    return frame;
  }
}
