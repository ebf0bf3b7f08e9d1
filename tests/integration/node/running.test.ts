// Stepping until something holds, stepping many scenes, running freely, resetting, and recordings on the server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ErrorReason, ProblemCapture, RecordingState, ResetScope, StopReason, type TalusError } from "talus";

import { FREE_FALL, LiveServer, RESTING_BALL } from "./live_server";

const live = new LiveServer();

test("steps until a time, or until the steps are used up", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const timed = await scene.stepUntil({ timeS: 1 });
  assert.deepEqual([timed.stopReason, timed.frame.stepIndex, timed.stepsDone], [StopReason.TIME, 8n, 8n]);
  const counted = await scene.stepUntil({ contact: { bodyA: "ball", bodyB: "" } }, { stepCount: 3, expectedStepIndex: 8 });
  assert.deepEqual([counted.stopReason, counted.frame.stepIndex], [StopReason.STEP_COUNT, 11n]);
  await assert.rejects(scene.stepUntil({}), (error: TalusError) => error.codeName === "INVALID_ARGUMENT");
  await scene.delete();
});

test("steps many scenes, each for itself", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  const results = await live.client.batchStep([
    { scene: scene.name, stepCount: 4n },
    { scene: "scenes/nowhere", stepCount: 1n },
  ]);
  assert.deepEqual(results.map((result) => result.outcome?.$case), ["step", "error"]);
  assert.equal((await scene.getInfo()).stepIndex, 4n);
  await scene.delete();
});

test("runs until its limit, pauses and is reset to the same bits", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  const { stateHash } = await scene.getInfo();
  await scene.run({ stepLimit: 20, problemCapture: ProblemCapture.ALWAYS });
  for (let info = await scene.getInfo(); info.stepIndex < 20n; info = await scene.getInfo());
  const paused = await scene.pause();
  assert.equal(paused.stepIndex, 20n);
  assert.equal((await scene.getStepProblem()).stepIndex, 20n);
  await scene.run({ realTimeFactor: 1 });
  assert.ok((await scene.pause()).stepIndex >= 20n);
  const reset = await scene.reset([ResetScope.ALL]);
  assert.deepEqual([reset.stepIndex, reset.stateHash], [0n, stateHash]);
  await assert.rejects(scene.run({ realTimeFactor: -1 }), (error: TalusError) => error.codeName === "INVALID_ARGUMENT");
  await scene.delete();
});

test("records, downloads, replays and deletes", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  const begun = await scene.startRecording({ recordingId: "node", everyNSteps: 2n });
  assert.equal(begun.state, RecordingState.RECORDING);
  await assert.rejects(
    live.client.deleteRecording(begun.recording),
    (error: TalusError) => error.reason === ErrorReason.RECORDING_RUNNING,
  );
  await scene.step(10);
  const ended = await live.client.stopRecording(begun.recording);
  assert.deepEqual([ended.state, ended.frameCount], [RecordingState.COMPLETE, 6n], "every second step and the state it began from");
  assert.deepEqual(await live.client.getRecording(begun.recording), ended);
  const names: string[] = [];
  for await (const recording of live.client.listRecordings({ pageSize: 1 })) names.push(recording.recording);
  assert.deepEqual(names, ["recordings/node"]);
  const chunks: Uint8Array[] = [];
  for await (const { bytes } of live.client.downloadRecording(begun.recording)) chunks.push(bytes);
  const file = Buffer.concat(chunks);
  assert.equal(BigInt(file.length), ended.byteSize);
  assert.equal(file.subarray(1, 5).toString(), "MCAP");
  const replayed = await live.client.replayInputs(begun.recording);
  assert.deepEqual([replayed.stepsReplayed, replayed.mismatch], [10n, undefined]);
  await live.client.deleteRecording(begun.recording);
  await assert.rejects(
    live.client.getRecording(begun.recording),
    (error: TalusError) => error.codeName === "NOT_FOUND",
  );
  await scene.delete();
});
