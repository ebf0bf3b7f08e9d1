// What can be asked of StreamService, and the requests that ask for it.
import type { CallOptions } from "./connection";
import type { Frame } from "./frame";
import { BodySelection, EncodingProfile } from "./gen/talus/v1/frame";
import { type EventKind, SlowWatcherPolicy, WatchEventsRequest, WatchStateRequest } from "./gen/talus/v1/stream_service";
import type { Selection } from "./stepping";

/** A body by its id or its name. */
export type BodyRef = bigint | number | string;

/** What to watch and how often; rateHz and everyNSteps exclude each other, none means every step. */
export interface WatchOptions extends CallOptions {
  /** At most so many frames per second of wall clock. */
  rateHz?: number;
  /** Every n-th step. */
  everyNSteps?: number | bigint;
  /** Which parts [positions and orientations]. */
  selection?: Selection;
  /** Stop after so many frames [never]. */
  frameLimit?: number | bigint;
  /** What happens when this reader is slow [LATEST]. */
  policy?: SlowWatcherPolicy;
  /** Frames that may wait for this reader, 1 to 1024 [16; 1 under LATEST]. */
  queueFrames?: number | bigint;
  /** How long the scene waits under BLOCK, seconds [1]. */
  maxWaitS?: number;
  /** Which bodies [all]. */
  bodies?: BodyRef[];
  /** Rows 0, k, 2k, ... of the layout as well [none]. */
  everyKthRow?: number | bigint;
  /** How numbers travel [F64]; they always arrive as doubles. */
  profile?: EncodingProfile;
  /** The grid of positions of QUANTIZED, metres [1e-4]. */
  positionStepM?: number;
  /** At least one of so many frames of QUANTIZED stands for itself [60]. */
  keyInterval?: number | bigint;
}

/** A frame of a watch. */
export interface WatchedFrame {
  frame: Frame;
  /** Frames that were due but lost before this one, because this reader was slow. */
  droppedSinceLast: bigint;
}

/** Which events to watch. */
export interface EventWatchOptions extends CallOptions {
  /** Which kinds [all]. */
  kinds?: EventKind[];
  /** Of events of bodies only those that concern these [all]. */
  bodies?: BodyRef[];
  /** Events that may wait for this reader, 1 to 4096 [1024]. */
  queueEvents?: number | bigint;
}

/** WatchStateRequest, and what is left of the options for the call. */
export function watchRequest(scene: string, options: WatchOptions): [WatchStateRequest, CallOptions] {
  const { rateHz, everyNSteps, selection, frameLimit, ...others } = options;
  const { policy, queueFrames, maxWaitS, bodies, everyKthRow, ...encoding } = others;
  const { profile, positionStepM, keyInterval, ...call } = encoding;
  if (rateHz !== undefined && everyNSteps !== undefined) {
    throw new TypeError("rateHz and everyNSteps exclude each other");
  }
  const quantized = positionStepM !== undefined || keyInterval !== undefined;
  const request = WatchStateRequest.fromPartial({
    scene,
    frameLimit: BigInt(frameLimit ?? 0),
    policy: policy ?? SlowWatcherPolicy.UNSPECIFIED,
    profile: profile ?? EncodingProfile.UNSPECIFIED,
    ...(rateHz !== undefined && { pace: { $case: "rateHz" as const, value: rateHz } }),
    ...(everyNSteps !== undefined && { pace: { $case: "everyNSteps" as const, value: BigInt(everyNSteps) } }),
    ...(selection && { selection }),
    ...(queueFrames !== undefined && { queueFrames: BigInt(queueFrames) }),
    ...(maxWaitS !== undefined && { maxWaitS }),
    ...((bodies || everyKthRow !== undefined) && { bodies: selectBodies(bodies ?? [], everyKthRow ?? 0) }),
    ...(quantized && {
      quantization: {
        ...(positionStepM !== undefined && { positionStepM }),
        ...(keyInterval !== undefined && { keyInterval: BigInt(keyInterval) }),
      },
    }),
  });
  return [request, call];
}

/** WatchEventsRequest, and what is left of the options for the call. */
export function watchEventsRequest(scene: string, options: EventWatchOptions): [WatchEventsRequest, CallOptions] {
  const { kinds, bodies, queueEvents, ...call } = options;
  const request = WatchEventsRequest.fromPartial({
    scene,
    kinds: kinds ?? [],
    ...(bodies && { bodies: selectBodies(bodies, 0) }),
    ...(queueEvents !== undefined && { queueEvents: BigInt(queueEvents) }),
  });
  return [request, call];
}

/** The bodies by id or name. */
export function selectBodies(bodies: BodyRef[], everyKthRow: number | bigint): BodySelection {
  return {
    ids: bodies.filter((body) => typeof body !== "string").map((body) => BigInt(body)),
    names: bodies.filter((body) => typeof body === "string"),
    everyKthRow: BigInt(everyKthRow),
  };
}
