// A Step that is wrong, late, cancelled, crowded out or overtaken by a deletion; and what is left afterwards.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ErrorReason, Status } from "talus";

import { ENDLESS, errorOf, fingerprint, FREE_FALL, LiveServer, pause, pouringStones, queued } from "./live_server";
import { RESTING_BALL, stepping } from "./live_server";

const live = new LiveServer({ args: ["--mailbox-depth", "4", "--max-steps-per-call", String(ENDLESS)] });

// The scene's hash after so many steps without interruption.
async function undisturbedHash(stepCount: bigint): Promise<bigint> {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const { frame } = await scene.step(stepCount);
  await scene.delete();
  return frame.stateHash;
}

test("a wrong step index is FAILED_PRECONDITION and tells the right one", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  await scene.step(3, { expectedStepIndex: 0 });
  const before = await fingerprint(scene);
  for (const expectedStepIndex of [0, 2, 4, -1]) {
    const error = await errorOf(scene.step(1, { expectedStepIndex }));
    assert.deepEqual([error.codeName, error.reason], ["FAILED_PRECONDITION", ErrorReason.STEP_INDEX_MISMATCH]);
    assert.deepEqual([error.stepIndex, error.stepsDone], [3n, 0n]);
  }
  assert.deepEqual(await fingerprint(scene), before);
  await scene.delete();
});

test("a repeat with the same request id steps no further", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const first = await scene.step(5, { requestId: "five", selection: { positions: true } });
  const again = await scene.step(5, { requestId: "five", selection: { positions: true } });
  assert.deepEqual(
    [again.frame.stepIndex, again.frame.stateHash, [...again.frame.bodies!.positionsWorldM]],
    [5n, first.frame.stateHash, [...first.frame.bodies!.positionsWorldM]],
  );
  const error = await errorOf(scene.step(6, { requestId: "five" }));
  assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.REQUEST_ID_REUSED]);
  assert.equal((await scene.getInfo()).stepIndex, 5n);
  await scene.delete();
});

test("a step count out of range is refused", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const negative = await errorOf(scene.step(-1));
  assert.deepEqual([negative.codeName, negative.field], ["INVALID_ARGUMENT", "step_count"]);
  const many = await errorOf(scene.step(ENDLESS + 1));
  assert.deepEqual([many.codeName, many.reason], ["RESOURCE_EXHAUSTED", ErrorReason.LIMIT_REACHED]);
  assert.deepEqual([many.limitName, many.limitValue], ["steps_per_call", BigInt(ENDLESS)]);
  assert.equal((await scene.getInfo()).stepIndex, 0n);
  await scene.delete();
});

test("an expired deadline ends a long Step; the scene is valid at the step it reached", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const error = await errorOf(scene.step(ENDLESS, { requestId: "late", timeoutMs: 500 }));
  assert.equal(error.code, Status.DEADLINE_EXCEEDED);
  // The next waits for its turn, so the long Step is over.
  const { frame } = await scene.step(1);
  const reached = frame.stepIndex - 1n;
  assert.ok(reached > 0n && reached < BigInt(ENDLESS));
  assert.equal(frame.stateHash, await undisturbedHash(frame.stepIndex));
  // This side's timer and the server's answer race; but a Step that ended early is remembered as it ended.
  const remembered = await errorOf(scene.step(ENDLESS, { requestId: "late" }));
  assert.deepEqual([remembered.codeName, remembered.reason], ["DEADLINE_EXCEEDED", ErrorReason.DEADLINE]);
  assert.deepEqual([remembered.stepsDone, remembered.stepIndex], [reached, reached]);
  assert.equal((await scene.getInfo()).stepIndex, frame.stepIndex);
  await scene.delete();
});

test("the error of an expired deadline tells the steps done", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  // The server answers a twentieth of a second early, and steps are short here: a machine that stalls for so long can
  // lose the detail, but not every time.
  for (let tries = 1; ; ++tries) {
    const { stepIndex: from } = await scene.getInfo();
    const error = await errorOf(scene.step(ENDLESS, { timeoutMs: 500 }));
    assert.equal(error.code, Status.DEADLINE_EXCEEDED);
    const reached = (await scene.step(1)).frame.stepIndex - 1n;
    if (error.reason === ErrorReason.UNSPECIFIED && tries < 20) continue;
    assert.equal(error.reason, ErrorReason.DEADLINE);
    assert.deepEqual([error.stepsDone, error.stepIndex], [reached - from, reached]);
    assert.ok(error.stepsDone > 0n && error.stepsDone < BigInt(ENDLESS));
    break;
  }
  await scene.delete();
});

test("a cancelled Step stops between two steps; the scene is valid at the step it reached", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const controller = new AbortController();
  const call = scene.step(ENDLESS, { signal: controller.signal });
  await stepping(scene, 20n);
  controller.abort();
  assert.equal((await errorOf(call)).code, Status.CANCELLED);
  // The next waits for its turn, so the long Step is over.
  const { frame } = await scene.step(1);
  assert.ok(frame.stepIndex > 20n && frame.stepIndex < BigInt(ENDLESS));
  assert.equal(frame.stateHash, await undisturbedHash(frame.stepIndex));
  assert.equal((await scene.getInfo()).stepIndex, frame.stepIndex, "nothing steps any more");
  await scene.delete();
});

test("cancelled before its turn, a Step does nothing", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const first = new AbortController();
  const second = new AbortController();
  const long = errorOf(scene.step(ENDLESS, { signal: first.signal }));
  await stepping(scene);
  const waiting = errorOf(scene.step(1, { signal: second.signal }));
  await queued(scene);
  second.abort();
  assert.equal((await waiting).code, Status.CANCELLED);
  // It leaves the mailbox while the first is still at work.
  await queued(scene, 0);
  const from = (await scene.getInfo()).stepIndex;
  await stepping(scene, from);
  first.abort();
  assert.equal((await long).code, Status.CANCELLED);
  await scene.delete();
});

test("a full mailbox is RESOURCE_EXHAUSTED with a hint when to retry", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const controller = new AbortController();
  const { signal } = controller;
  const long = errorOf(scene.step(ENDLESS, { signal }));
  await stepping(scene);
  let answered = 0;
  const waiting = Array.from({ length: 12 }, () => errorOf(scene.step(1, { signal })).finally(() => ++answered));
  const first = await Promise.race(waiting);
  assert.deepEqual([first.codeName, first.reason], ["RESOURCE_EXHAUSTED", ErrorReason.MAILBOX_FULL]);
  assert.ok(first.retryAfterMs > 0);
  assert.equal(first.stepsDone, 0n);
  assert.ok((await scene.getState()).stepIndex > 0n, "reads have their own place");
  // Those that found no place are answered at once; a call that comes after the abort is not refused.
  while (answered < 12 - 4) await pause(5);
  controller.abort();
  const errors = await Promise.all([long, ...waiting]);
  assert.equal(errors.filter(({ reason }) => reason === ErrorReason.MAILBOX_FULL).length, 12 - 4);
  assert.equal(errors.filter(({ code }) => code === Status.CANCELLED).length, 1 + 4);
  await scene.delete();
});

test("deleting a scene ends its running and waiting Steps with ABORTED", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const running = errorOf(scene.step(ENDLESS));
  await stepping(scene, 10n);
  const waiting = errorOf(scene.step(1));
  await queued(scene);
  await scene.delete();
  const [first, second] = await Promise.all([running, waiting]);
  assert.deepEqual([first.codeName, first.reason], ["ABORTED", ErrorReason.SCENE_DELETED]);
  assert.ok(first.stepsDone > 10n && first.stepsDone < BigInt(ENDLESS));
  assert.deepEqual([second.codeName, second.reason, second.stepsDone], ["ABORTED", ErrorReason.SCENE_DELETED, 0n]);
  assert.equal((await errorOf(scene.getInfo())).reason, ErrorReason.NOT_FOUND);
});

test("a long Step in one scene does not hold up another, nor the server", async () => {
  const busy = await live.client.createScene({ spec: pouringStones(60) });
  let ended = false;
  const running = errorOf(busy.step(ENDLESS)).finally(() => (ended = true));
  await stepping(busy);
  const other = await live.client.createScene({ spec: FREE_FALL });
  assert.equal((await other.step(10, { timeoutMs: 60_000 })).stepsDone, 10n);
  assert.equal(await live.client.checkHealth({ timeoutMs: 60_000 }), "SERVING");
  assert.ok(!ended, "all of it while the long Step runs");
  await busy.delete();
  await running;
  await other.delete();
});
