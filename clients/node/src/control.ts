// Lock-step control of a scene: one request, one answer, in order, over one stream. It holds the lease on the scene from
// opening to its end; other callers' changes are refused meanwhile.
//
// step() sends at once, so that steps that are not awaited one by one are pipelined; each has a promise of its own. A
// request that fails rejects its promise and changes nothing else: the stream goes on. When the stream itself fails,
// every promise still without an answer, and every later one, is rejected with the reason.
import { status as Status } from "@grpc/grpc-js";

import { controlStep, type ControlState, type ControlStepOptions } from "./control_messages";
import type { DuplexStream } from "./duplex_stream";
import { TalusError } from "./error";
import { Frame } from "./frame";
import type {
  ControlOpen,
  ControlOpened,
  ControlRequest,
  ControlResponse,
  ControlStep,
} from "./gen/talus/v1/control";
import type { Layout } from "./gen/talus/v1/frame";
import type { Values } from "./stepping";

interface Waiting {
  resolve(response: ControlResponse): void;
  reject(error: TalusError): void;
}

export class Control {
  /** Requests without their answers, the oldest first. */
  private readonly waiting: Waiting[] = [];
  private readonly ended: Promise<void>;
  private failure: TalusError | undefined;
  private failureTold = false;
  private closing = false;

  private constructor(
    private readonly stream: DuplexStream<ControlRequest, ControlResponse>,
    /** What the server said when it opened: step index, time step, value count, pipeline depth, period. */
    readonly opened: ControlOpened,
    private readonly onLayout: (layout: Layout) => void,
  ) {
    onLayout(opened.layout!);
    this.ended = this.handOutAnswers();
  }

  /** Opens over a stream that has sent nothing; `onLayout` is told each layout. Scene.control is the way in. */
  static async open(
    stream: DuplexStream<ControlRequest, ControlResponse>,
    open: ControlOpen,
    onLayout: (layout: Layout) => void,
  ): Promise<Control> {
    stream.send({ request: { $case: "open", value: open } });
    const { value } = await stream.next();
    if (value?.response?.$case !== "opened") {
      stream.cancel();
      throw outOfTurn(value, "opened");
    }
    return new Control(stream, value.response.value, onLayout);
  }

  /** With this as the option `lease` other calls may change the scene meanwhile. */
  get lease(): string {
    return this.opened.lease;
  }

  /** Whether steps can be asked for. */
  get isOpen(): boolean {
    return !this.closing && this.failure === undefined;
  }

  /**
   * Steps under these values (of all actuators one after the other; none: as they are). Sends at once and resolves with
   * the answer; the server reads up to `opened.pipelineDepth` requests before the first of them is answered. A rejection
   * that nobody looks at harms nobody.
   */
  step(values: Values = [], options: ControlStepOptions = {}): Promise<ControlState> {
    const state = this.makeSteps(values, options);
    // Of a pipeline that fails the first promise may be the only one awaited; the others must not end the process.
    state.catch(() => undefined);
    return state;
  }

  /** Gives the scene back, once all that was asked for is answered. Fails if the stream did and no step has told. */
  async close(): Promise<void> {
    if (this.isOpen) {
      this.closing = true;
      this.stream.closeSending();
    }
    await this.ended;
    if (this.failure === undefined || this.failureTold) return;
    this.failureTold = true;
    throw this.failure;
  }

  /** As close(), without waiting: what is under way fails with CANCELLED. */
  cancel(): void {
    this.failureTold = true;
    this.end(closed());
    this.stream.cancel();
  }

  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async makeSteps(values: Values, options: ControlStepOptions): Promise<ControlState> {
    const answer = await this.ask(controlStep(values, options));
    if (answer.response?.$case === "error") throw TalusError.ofStatus(answer.response.value);
    if (answer.response?.$case !== "stepped") throw outOfTurn(answer, "stepped");
    const { frame: message, ...totals } = answer.response.value;
    const frame = new Frame(message!);
    if (frame.layout !== undefined) this.onLayout(frame.layout);
    return { frame, ...totals };
  }

  private ask(step: ControlStep): Promise<ControlResponse> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) {
        this.failureTold = true;
        return reject(this.failure ?? closed());
      }
      this.waiting.push({ resolve, reject });
      this.stream.send({ request: { $case: "step", value: step } });
    });
  }

  private async handOutAnswers(): Promise<void> {
    try {
      for await (const response of this.stream) this.waiting.shift()?.resolve(response);
      // The server ends well only where it was asked to, with everything answered.
      if (!this.closing || this.waiting.length > 0) this.end(closed());
    } catch (error) {
      this.end(TalusError.from(error));
    }
  }

  private end(failure: TalusError): void {
    this.failure ??= failure;
    for (const { reject } of this.waiting.splice(0)) {
      this.failureTold = true;
      reject(this.failure);
    }
  }
}

function closed(): TalusError {
  return new TalusError(Status.CANCELLED, "the control is closed");
}

function outOfTurn(answer: ControlResponse | undefined, expected: string): TalusError {
  const met = answer?.response?.$case ?? "nothing";
  return new TalusError(Status.INTERNAL, `the server answered with ${met}, must be ${expected}`);
}
