// Driving scenes through the Node client: actuators, lock-step control, the lease, and how a control ends.
import assert from "node:assert/strict";
import { test } from "node:test";

import { actuators, type Control, ControlPacing, dynamicBody, ErrorReason, MissPolicy, type Scene, sphere } from "talus";

import { errorOf, fingerprint, LiveServer, pause, type Spec } from "./live_server";

const live = new LiveServer({ args: ["--max-steps-per-call", "1000000"] });

/** A ball of 2 kg without gravity; h = 1/128 s. */
const FLOATING: Spec = {
  bodies: [dynamicBody(sphere(0.1), { name: "ball", massKg: 2 })],
  settings: { timeStepS: 1 / 128, gravityWorldMS2: { x: 0, y: 0, z: 0 } },
};
const BALL = [actuators.wrench("ball")];
const PUSH = [4, 0, 0, 0, 0, 0];

/** Runs `body` with a scene of its own, which is gone afterwards. */
async function withBall(body: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await live.client.createScene({ spec: FLOATING });
  await body(scene);
  await scene.delete();
}

/** The error of a control that must have ended, or cannot be opened. */
async function reasonOf(call: Promise<unknown>): Promise<[string, ErrorReason]> {
  const { codeName, reason } = await errorOf(call);
  return [codeName, reason];
}

test("a step drives what it names, until that is set again", async () => {
  await withBall(async (scene) => {
    const speedAfter = async (stepCount: number, drive: object) => {
      const { frame } = await scene.step(stepCount, { ...drive, selection: { velocities: true } });
      return frame.bodies!.linearVelocitiesWorldMS[0];
    };
    assert.equal(await speedAfter(64, { actuators: BALL, values: PUSH }), 1);
    assert.equal(await speedAfter(64, {}), 2);
    assert.equal(await speedAfter(64, { actuators: [actuators.wrench(1n)], values: new Float64Array(6) }), 2);
    const missing = await errorOf(scene.step(1, { actuators: [actuators.wrench("nobody")], values: PUSH }));
    assert.deepEqual([missing.codeName, missing.field], ["NOT_FOUND", "actuators[0].name"]);
    const few = await errorOf(scene.step(1, { actuators: BALL, values: [1] }));
    assert.deepEqual([few.codeName, few.field], ["INVALID_ARGUMENT", "size(values)"]);
    const until = await scene.stepUntil({ timeS: 2 }, { actuators: BALL, values: PUSH });
    assert.equal(until.frame.stepIndex, 256n);
  });
});

test("lock-step gives the bits of Step", async () => {
  await withBall(async (scene) => {
    const other = await live.client.createScene({ spec: FLOATING });
    const control = await scene.control(BALL, { holder: "test" });
    const { stepIndex, timeStepS, valueCount, layout } = control.opened;
    assert.deepEqual([stepIndex, timeStepS, valueCount, layout!.bodyNames], [0n, 1 / 128, 6n, ["ball"]]);
    let state = await control.step(Float64Array.from(PUSH));
    assert.deepEqual([state.frame.stepIndex, state.stepsDone, state.frame.layout], [1n, 1n, undefined]);
    assert.ok(state.frame.bodies!.positionsWorldM instanceof Float64Array);
    for (let index = 2n; index <= 50n; ++index) {
      state = await control.step();
      assert.equal(state.frame.stepIndex, index);
    }
    state = await control.step([], { stepCount: 50, expectedStepIndex: 50n, timeoutMs: 60_000 });
    assert.deepEqual([state.frame.stepIndex, state.stepsDone], [100n, 50n]);
    await control.close();
    const { frame } = await other.step(100, { actuators: BALL, values: PUSH });
    assert.equal(state.frame.stateHash, frame.stateHash);
    const { stateHash, leaseHolder } = await scene.getInfo();
    assert.deepEqual([stateHash, leaseHolder], [frame.stateHash, ""]);
    await other.delete();
  });
});

test("a frozen server ends it", async () => {
  await withBall(async (scene) => {
    const client = live.server.connect({ pingIntervalMs: 1_000, pingTimeoutMs: 1_000 });
    const control = await client.scene(scene.name).control(BALL, { timeoutMs: 60_000 });
    await control.step();
    process.kill(live.server.pid!, "SIGSTOP");
    try {
      const steps = async () => {
        for (;;) await control.step(); // one or two may still be answered
      };
      assert.equal((await errorOf(steps())).codeName, "UNAVAILABLE");
    } finally {
      process.kill(live.server.pid!, "SIGCONT");
    }
    client.close();
  });
});

test("answers carry what was selected, and the layout when it changed", async () => {
  await withBall(async (scene) => {
    const control = await scene.control([], { selection: { contacts: true, report: true } });
    const { frame } = await control.step();
    assert.deepEqual([frame.bodies?.count ?? 0, frame.contacts!.count, frame.report!.stepIndex], [0, 0, 1n]);
    await scene.addBodies([dynamicBody(sphere(0.1), { massKg: 1, position: [5, 0, 0] })], { lease: control.lease });
    assert.equal((await control.step()).frame.layout!.bodyIds.length, 2);
    assert.equal(scene.lastLayout!.bodyIds.length, 2);
    assert.equal((await control.step()).frame.layout, undefined);
    await control.close();
  });
});

test("answers tell of the bodies that were chosen", async () => {
  await withBall(async (scene) => {
    const [far] = await scene.addBodies([dynamicBody(sphere(0.1), { massKg: 1, position: [5, 0, 0] })]);
    const control = await scene.control([], { bodies: [far!] });
    const { frame } = await control.step();
    assert.deepEqual([frame.bodies!.count, frame.bodies!.positionsWorldM[0], [...frame.rows!]], [1, 5, [1]]);
    await control.close();
    const unknown = await errorOf(scene.control([], { bodies: ["nobody"] }));
    assert.deepEqual([unknown.codeName, unknown.field], ["NOT_FOUND", "bodies.names[0]"]);
  });
});

test("a mistake is told in its place and leaves the stream open", async () => {
  await withBall(async (scene) => {
    const control = await scene.control(BALL);
    const before = await fingerprint(scene);
    const few = await errorOf(control.step([1]));
    assert.deepEqual([few.codeName, few.reason, few.field], ["INVALID_ARGUMENT", ErrorReason.INVALID_FIELD, "size(values)"]);
    const elsewhere = await errorOf(control.step([], { expectedStepIndex: 5 }));
    assert.deepEqual([elsewhere.reason, elsewhere.stepIndex], [ErrorReason.STEP_INDEX_MISMATCH, 0n]);
    assert.equal((await errorOf(control.step([], { stepCount: -1 }))).field, "step_count");
    assert.equal((await errorOf(control.step([], { timeoutMs: -1 }))).field, "timeout_s");
    assert.deepEqual(await fingerprint(scene), before);
    assert.ok(control.isOpen);
    const late = await errorOf(control.step([], { stepCount: 1_000_000, timeoutMs: 100 }));
    assert.deepEqual([late.codeName, late.reason], ["DEADLINE_EXCEEDED", ErrorReason.DEADLINE]);
    assert.ok(late.stepsDone < 1_000_000n && late.stepIndex === late.stepsDone, `${late.stepsDone} ${late.stepIndex}`);
    assert.equal((await control.step([], { expectedStepIndex: late.stepIndex })).stepsDone, 1n);
    await control.close();
  });
});

test("a pipeline is answered in order, mistakes included", async () => {
  await withBall(async (scene) => {
    const control = await scene.control(BALL);
    assert.ok(control.opened.pipelineDepth > 1);
    const order: number[] = [];
    const steps = Array.from({ length: 200 }, (_, index) => {
      const step = index % 10 === 3 ? control.step([1]) : control.step(PUSH);
      step.then(() => order.push(index), () => order.push(index));
      return step;
    });
    const settled = await Promise.allSettled(steps);
    let made = 0n;
    settled.forEach((result, index) => {
      if (result.status === "fulfilled") assert.equal(result.value.frame.stepIndex, ++made, String(index));
      else assert.deepEqual([index % 10, result.reason.field], [3, "size(values)"]);
    });
    assert.equal(made, 180n);
    assert.deepEqual(order, Array.from({ length: 200 }, (_, index) => index));
    await control.close();
  });
});

test("closing waits for what is under way", async () => {
  await withBall(async (scene) => {
    const control = await scene.control();
    const steps = Array.from({ length: 40 }, () => control.step());
    await control.close();
    assert.equal((await steps.at(-1)!).frame.stepIndex, 40n);
    assert.equal((await scene.getInfo()).leaseHolder, "");
    const [codeName] = await reasonOf(control.step());
    assert.deepEqual([codeName, control.isOpen], ["CANCELLED", false]);
    await control.close();
  });
});

test("who goes away gives the scene back", async () => {
  await withBall(async (scene) => {
    const abort = new AbortController();
    for (const leave of [(control: Control) => control.cancel(), () => abort.abort()]) {
      const control = await scene.control([], { signal: abort.signal });
      const long = errorOf(control.step([], { stepCount: 1_000_000 }));
      leave(control);
      assert.equal((await long).codeName, "CANCELLED");
      assert.equal((await errorOf(control.step())).codeName, "CANCELLED");
      while ((await scene.getInfo()).leaseHolder !== "") await pause(5);
    }
    const control = await scene.control();
    await control[Symbol.asyncDispose]();
    assert.equal((await scene.step()).stepsDone, 1n);
  });
});

test("others are refused, or come under the lease, or take it over", async () => {
  await withBall(async (scene) => {
    const control = await scene.control([], { holder: "arm" });
    const held = await errorOf(scene.step());
    assert.deepEqual([held.codeName, held.reason, held.value], ["FAILED_PRECONDITION", ErrorReason.LEASE_HELD, "arm"]);
    const second = await errorOf(scene.control([], { holder: "second" }));
    assert.deepEqual([second.codeName, second.reason, second.value], ["FAILED_PRECONDITION", ErrorReason.LEASE_HELD, "arm"]);
    assert.equal((await scene.getInfo()).leaseHolder, "arm");
    assert.equal((await scene.step(1, { lease: control.lease })).frame.stepIndex, 1n);
    const taking = await scene.control([], { holder: "second", takeOver: true });
    assert.deepEqual(await reasonOf(control.step()), ["ABORTED", ErrorReason.LEASE_LOST]);
    assert.equal((await taking.step()).frame.stepIndex, 2n);
    assert.deepEqual(await reasonOf(scene.step(1, { lease: control.lease })), ["ABORTED", ErrorReason.LEASE_LOST]);
    await taking.close();
    await control.close();
    assert.equal((await scene.step()).frame.stepIndex, 3n);
  });
});

test("who is silent loses the lease, and closing tells it once", async () => {
  await withBall(async (scene) => {
    const control = await scene.control([], { maxWaitS: 0.05 });
    while (control.isOpen) await pause(5);
    assert.deepEqual(await reasonOf(control.close()), ["ABORTED", ErrorReason.LEASE_LOST]);
    await control.close();
    assert.deepEqual(await reasonOf(control.step()), ["ABORTED", ErrorReason.LEASE_LOST]);
  });
});

test("what cannot be opened says why", async () => {
  await withBall(async (scene) => {
    const missing = await errorOf(scene.control([actuators.axisForce("nobody", 5)]));
    assert.deepEqual([missing.codeName, missing.field], ["NOT_FOUND", "actuators[0].name"]);
    const wait = await errorOf(scene.control([], { maxWaitS: -1 }));
    assert.deepEqual([wait.codeName, wait.field], ["INVALID_ARGUMENT", "max_wait_s"]);
    const pacing = await errorOf(scene.control([], { pacing: 7 as ControlPacing }));
    assert.deepEqual([pacing.codeName, pacing.field], ["INVALID_ARGUMENT", "pacing"]);
    const nowhere = await errorOf(live.client.scene("scenes/nowhere").control());
    assert.equal(nowhere.codeName, "NOT_FOUND");
    const aborted = await errorOf(scene.control([], { signal: AbortSignal.abort() }));
    assert.equal(aborted.codeName, "CANCELLED");
    await scene.run();
    assert.deepEqual(await reasonOf(scene.control()), ["FAILED_PRECONDITION", ErrorReason.SCENE_RUNNING]);
    await scene.pause();
    assert.equal((await scene.getInfo()).leaseHolder, "");
  });
});

test("a control ends with its scene", async () => {
  const scene = await live.client.createScene({ spec: FLOATING });
  const control = await scene.control();
  await scene.delete();
  assert.deepEqual(await reasonOf(control.step()), ["ABORTED", ErrorReason.SCENE_DELETED]);
});

test("under REAL_TIME the clock sets the pace, and missed ticks are told", async () => {
  await withBall(async (scene) => {
    const control = await scene.control(BALL, { pacing: ControlPacing.REAL_TIME, periodS: 0.005, stepsPerTick: 2 });
    assert.equal(control.opened.periodS, 0.005);
    let last = 0n;
    for (let request = 0; request < 20; ++request) {
      const { tick, missed, stepsDone, latenessS } = await control.step(PUSH);
      assert.deepEqual([tick, stepsDone], [last + missed + 1n, 2n]);
      assert.ok(latenessS >= 0);
      last = tick;
    }
    await pause(100);
    const { tick, missed, frame } = await control.step();
    assert.ok(missed >= 10n, `${missed} missed`);
    assert.equal(tick, last + missed + 1n);
    assert.ok(frame.stepIndex > 2n * 21n, "the scene stepped on at the ticks that were missed");
    await control.close();
  });
});

test("a miss is as bad as the caller says", async () => {
  await withBall(async (scene) => {
    const clock = { pacing: ControlPacing.REAL_TIME, periodS: 0.02 };
    const strict = await scene.control([], { ...clock, missPolicy: MissPolicy.FAIL });
    await strict.step();
    while (strict.isOpen) await pause(5);
    assert.deepEqual(await reasonOf(strict.step()), ["DEADLINE_EXCEEDED", ErrorReason.DEADLINE_MISSED]);
    const patient = await scene.control([], { ...clock, mostMisses: 3 });
    await patient.step();
    while (patient.isOpen) await pause(5);
    assert.deepEqual(await reasonOf(patient.step()), ["ABORTED", ErrorReason.LEASE_LOST]);
    const { frame: before } = await scene.step(1, { actuators: BALL, values: PUSH, selection: { velocities: true } });
    assert.equal(before.bodies!.linearVelocitiesWorldMS[0], 4 / 2 / 128);
    const zero = await scene.control(BALL, { ...clock, missPolicy: MissPolicy.ZERO });
    await zero.step(PUSH);
    await pause(100);
    const { frame, missed } = await zero.step();
    assert.ok(missed > 0n);
    // Pushed at one tick and never since, though the last request says "as they are": zero it is.
    assert.equal(frame.bodies!.linearVelocitiesWorldMS[0], (2 * 4) / 2 / 128);
    await zero.close();
  });
});
