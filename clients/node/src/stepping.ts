// How time passes in a scene, and the requests that ask for it.
import type { CallOptions } from "./connection";
import type { Frame } from "./frame";
import type { Actuator } from "./gen/talus/v1/actuation";
import type { FrameSelection } from "./gen/talus/v1/frame";
import { type ProblemCapture } from "./gen/talus/v1/contact_problem";
import { StepRequest, StepUntilRequest, type StopCondition } from "./gen/talus/v1/simulation_service";
import type { PartialMessage } from "./specs";
import { type BodyRef, selectBodies } from "./watching";

/** The parts of a frame a caller wants. */
export type Selection = Partial<FrameSelection>;

/** Numbers one after the other, as a list or as a typed array. */
export type Values = readonly number[] | Float64Array;

/** What is driven while the steps are made; the values act until they are set again. */
export interface DriveOptions {
  /** What to drive, each target once. */
  actuators?: readonly Actuator[];
  /** Their values one after the other. */
  values?: Values;
}

/** How to step. */
export interface StepOptions extends CallOptions, DriveOptions {
  /** The step index the caller believes the scene to be at; any other is an error, and nothing happens. */
  expectedStepIndex?: number | bigint;
  /** A repeat with the same id and request returns the first answer and steps no further. */
  requestId?: string;
  /** What to return of the final state [indices, time and hash only]. */
  selection?: Selection;
  /** Which bodies, by id or name: their rows (`frame.rows`), and the contacts that touch one of them [all]. */
  bodies?: BodyRef[];
  /** Record the residual after every sweep in the report. */
  residualHistory?: boolean;
  /** Which steps keep their contact problem for getStepProblem [none]. */
  problemCapture?: ProblemCapture;
}

/** What steps led to. */
export interface StepResult {
  /** The final state as selected. */
  frame: Frame;
  /** Steps made by this call. */
  stepsDone: bigint;
  /** Largest residual over these steps. */
  worstResidual: number;
  /** Steps that ended without reaching the tolerance. */
  unconvergedSteps: bigint;
  /** Largest penetration over these steps, metres. */
  worstPenetrationM: number;
  /** Sweeps over these steps. */
  sweepCount: bigint;
}

/** How to step until something holds. */
export interface StepUntilOptions extends CallOptions, DriveOptions {
  /** The most steps that are made [the server's limit]. */
  stepCount?: number | bigint;
  expectedStepIndex?: number | bigint;
  requestId?: string;
  selection?: Selection;
  bodies?: BodyRef[];
  problemCapture?: ProblemCapture;
}

/** How a scene runs on its own. */
export interface RunOptions extends CallOptions {
  /** Simulated seconds a second of wall clock, 1e-6 to 1e6 [as fast as it can]. */
  realTimeFactor?: number;
  /** Pause after so many steps [never]. */
  stepLimit?: number | bigint;
  /** Which steps keep their contact problem for getStepProblem [none]. */
  problemCapture?: ProblemCapture;
}

/** StepRequest, and what is left of the options for the call. */
export function stepRequest(
  scene: string,
  stepCount: number | bigint,
  options: StepOptions,
): [StepRequest, CallOptions] {
  const { expectedStepIndex, requestId, selection, bodies, actuators, values, ...others } = options;
  const { residualHistory, problemCapture, ...call } = others;
  const request = StepRequest.fromPartial({
    scene,
    stepCount: BigInt(stepCount),
    requestId: requestId ?? "",
    residualHistory: residualHistory ?? false,
    actuators: [...(actuators ?? [])],
    values: [...(values ?? [])],
    ...(problemCapture !== undefined && { problemCapture }),
    ...(expectedStepIndex !== undefined && { expectedStepIndex: BigInt(expectedStepIndex) }),
    ...(selection && { selection }),
    ...(bodies && { bodies: selectBodies(bodies, 0) }),
  });
  return [request, call];
}

/** StepUntilRequest, and what is left of the options for the call. */
export function stepUntilRequest(
  scene: string,
  until: PartialMessage<typeof StopCondition>,
  options: StepUntilOptions,
): [StepUntilRequest, CallOptions] {
  const { stepCount = 0, expectedStepIndex, requestId, selection, bodies, actuators, values, ...others } = options;
  const { problemCapture, ...call } = others;
  const request = StepUntilRequest.fromPartial({
    scene,
    until,
    stepCount: BigInt(stepCount),
    requestId: requestId ?? "",
    actuators: [...(actuators ?? [])],
    values: [...(values ?? [])],
    ...(problemCapture !== undefined && { problemCapture }),
    ...(expectedStepIndex !== undefined && { expectedStepIndex: BigInt(expectedStepIndex) }),
    ...(selection && { selection }),
    ...(bodies && { bodies: selectBodies(bodies, 0) }),
  });
  return [request, call];
}
