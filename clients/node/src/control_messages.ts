// What is said and heard over a Control stream, and the requests that say it.
import type { CallOptions } from "./connection";
import type { Frame } from "./frame";
import type { Actuator } from "./gen/talus/v1/actuation";
import { type ProblemCapture } from "./gen/talus/v1/contact_problem";
import { ControlOpen, type ControlPacing, ControlStep, type MissPolicy } from "./gen/talus/v1/control";
import type { Selection, Values } from "./stepping";
import { type BodyRef, selectBodies } from "./watching";

/** How to control a scene. `timeoutMs` bounds the whole stream [never ends]. */
export interface ControlOptions extends CallOptions {
  /** Who controls the scene, for those who are refused meanwhile, at most 64 characters [this side's address]. */
  holder?: string;
  /** Take the lease also from somebody who holds it; his stream fails with LEASE_LOST [false]. */
  takeOver?: boolean;
  /** What each answer carries [positions, orientations, velocities]. */
  selection?: Selection;
  /** Bodies whose rows the answers carry [all]. */
  bodies?: BodyRef[];
  /** Who sets the pace: LOCKED, the caller, or REAL_TIME, the server's clock [LOCKED]. */
  pacing?: ControlPacing;
  /** LOCKED: how long the scene waits for the next request before the lease is lost, seconds [60]. */
  maxWaitS?: number;
  /** REAL_TIME: from tick to tick, seconds [the time step times stepsPerTick]. */
  periodS?: number;
  /** REAL_TIME: steps at each tick [1]. */
  stepsPerTick?: number;
  /** REAL_TIME: what happens at a tick at which no request has come [HOLD_LAST]. */
  missPolicy?: MissPolicy;
  /** REAL_TIME: after so many ticks in a row without a request the lease is lost [1000]. */
  mostMisses?: number;
  /** Which steps keep their contact problem for getStepProblem [none]. */
  problemCapture?: ProblemCapture;
}

/** What is asked of one request. */
export interface ControlStepOptions {
  /** LOCKED: how many steps [1]. */
  stepCount?: number | bigint;
  /** The step index the caller believes the scene to be at; any other is an error, and nothing happens. */
  expectedStepIndex?: number | bigint;
  /** LOCKED: how long the steps may take from when the server has read the request [not bounded]. */
  timeoutMs?: number;
}

/** What one request led to. */
export interface ControlState {
  /** The state as selected. The layout is in it when it changed. */
  frame: Frame;
  /** Steps made for this request; those of missed ticks are not among them. */
  stepsDone: bigint;
  /** Largest residual over these steps. */
  worstResidual: number;
  /** Steps that ended without reaching the tolerance. */
  unconvergedSteps: bigint;
  /** REAL_TIME: the tick at which they were made, from 1. */
  tick: bigint;
  /** REAL_TIME: ticks since the last answer at which no request had come, or the scene was still at work. */
  missed: bigint;
  /** REAL_TIME: how long after their tick the steps were done, seconds of wall clock. */
  latenessS: number;
}

/** ControlOpen, and what is left of the options for the call. */
export function controlOpen(
  scene: string,
  actuators: readonly Actuator[],
  options: ControlOptions,
): [ControlOpen, CallOptions] {
  const { holder, takeOver, selection, bodies, pacing, maxWaitS, ...others } = options;
  const { periodS, stepsPerTick, missPolicy, mostMisses, problemCapture, ...call } = others;
  const open = ControlOpen.fromPartial({
    scene,
    actuators: [...actuators],
    holder: holder ?? "",
    takeOver: takeOver ?? false,
    ...(selection && { selection }),
    ...(bodies && { bodies: selectBodies(bodies, 0) }),
    ...(pacing !== undefined && { pacing }),
    ...(maxWaitS !== undefined && { maxWaitS }),
    ...(periodS !== undefined && { periodS }),
    ...(stepsPerTick !== undefined && { stepsPerTick }),
    ...(missPolicy !== undefined && { missPolicy }),
    ...(mostMisses !== undefined && { mostMisses }),
    ...(problemCapture !== undefined && { problemCapture }),
  });
  return [open, call];
}

/** Any later request. */
export function controlStep(values: Values, options: ControlStepOptions): ControlStep {
  const { stepCount = 0, expectedStepIndex, timeoutMs } = options;
  return ControlStep.fromPartial({
    values: [...values],
    stepCount: BigInt(stepCount),
    ...(expectedStepIndex !== undefined && { expectedStepIndex: BigInt(expectedStepIndex) }),
    ...(timeoutMs !== undefined && { timeoutS: timeoutMs / 1000 }),
  });
}
