// WatchState with policies, selections and profiles, and WatchEvents, against the real server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { EncodingProfile, ErrorReason, EventKind, SlowWatcherPolicy } from "talus";

import { errorOf, FREE_FALL, LiveServer } from "./live_server";

const live = new LiveServer();

test("a selection has its rows, and an unknown body is told", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const watch = scene.watch({ bodies: ["ball"] });
  const first = (await watch.next()).value!;
  watch.cancel();
  assert.deepEqual([...first.frame.rows!], [0]);
  assert.equal(first.frame.bodies?.positionsWorldM.length, 3);
  const missing = await errorOf(scene.watch({ bodies: [77] }).next());
  assert.deepEqual([missing.reason, missing.field], [ErrorReason.NOT_FOUND, "bodies.ids[0]"]);
  await scene.delete();
});

test("a quantised stream follows the scene within half a step", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const watch = scene.watch({
    policy: SlowWatcherPolicy.BLOCK,
    queueFrames: 4,
    maxWaitS: 60,
    profile: EncodingProfile.QUANTIZED,
    positionStepM: 1e-3,
    keyInterval: 5,
  });
  await watch.next();
  for (let step = 1; step <= 12; ++step) {
    await scene.step();
    const { frame } = (await watch.next()).value!;
    const state = await scene.getState();
    assert.deepEqual([frame.stepIndex, frame.stateHash], [state.stepIndex, state.stateHash]);
    frame.bodies!.positionsWorldM.forEach((x, i) =>
      assert.ok(Math.abs(x - state.bodies!.positionsWorldM[i]!) <= 0.5e-3 + 1e-12),
    );
  }
  watch.cancel();
  await scene.delete();
});

test("bad options are refused by name", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const fieldOf = async (options: Parameters<typeof scene.watch>[0]) =>
    (await errorOf(scene.watch(options).next())).field;
  assert.equal(await fieldOf({ queueFrames: 2 }), "queue_frames");
  assert.equal(await fieldOf({ maxWaitS: 1 }), "max_wait_s");
  assert.equal(await fieldOf({ positionStepM: 1e-3 }), "quantization");
  await scene.delete();
});

test("events tell of what happens until the scene goes", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const events = scene.watchEvents({ kinds: [EventKind.BODIES_REMOVED, EventKind.SCENE_DELETED] });
  const begun = (await events.next()).value!;
  assert.deepEqual([begun.stepIndex, begun.events.length], [0n, 0]);
  await scene.step(3);
  const { bodyIds } = await scene.getLayout();
  await scene.removeBodies(["ball"]);
  const [removed] = (await events.next()).value!.events;
  assert.deepEqual([removed?.kind, removed?.stepIndex], [EventKind.BODIES_REMOVED, 3n]);
  assert.deepEqual(removed?.bodyIds, bodyIds);
  await scene.delete();
  assert.equal((await events.next()).value!.events[0]?.kind, EventKind.SCENE_DELETED);
  assert.equal((await errorOf(events.next())).reason, ErrorReason.SCENE_DELETED);
});
