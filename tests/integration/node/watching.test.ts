// WatchState: what a watcher gets first, at its pace, when it is slow, and at the end.
import assert from "node:assert/strict";
import { test } from "node:test";

import { dynamicBody, ErrorReason, type Scene, sphere, type WatchedFrame, type WatchOptions } from "talus";

import { ENDLESS, errorOf, FREE_FALL, LiveServer, pause, pouringStones, stepping } from "./live_server";

const live = new LiveServer({ args: ["--max-watchers", "2"] });

async function collect(scene: Scene, options: WatchOptions): Promise<WatchedFrame[]> {
  const frames: WatchedFrame[] = [];
  for await (const frame of scene.watch({ timeoutMs: 60_000, ...options })) frames.push(frame);
  return frames;
}

test("a late joiner gets the layout and the state now", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const { frame: now } = await scene.step(4);
  const [first] = await collect(scene, { frameLimit: 1 });
  assert.deepEqual([first?.frame.stepIndex, first?.frame.stateHash], [4n, now.stateHash]);
  assert.deepEqual(first?.frame.layout?.bodyNames, ["ball"]);
  assert.deepEqual([...first!.frame.bodies!.positionsWorldM], [0, 0, 98.75]);
  assert.deepEqual([...first!.frame.bodies!.orientationsWxyz], [1, 0, 0, 0]);
  assert.equal(first?.frame.bodies?.linearVelocitiesWorldMS.length, 0);
  assert.equal(first?.droppedSinceLast, 0n);
  await scene.delete();
});

test("every n-th step and every change by hand, and the layout again when it changed", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const watch = scene.watch({ everyNSteps: 10, frameLimit: 5, selection: { velocities: true } });
  const frames: WatchedFrame[] = [];
  const read = async () => frames.push((await watch.next()).value!);
  await read();
  // Each frame is read before the next is due.
  await scene.step(10);
  await read();
  await scene.addBodies([dynamicBody(sphere(0.1), { name: "second", position: [9, 0, 0], massKg: 1 })]);
  await read();
  await scene.step(10);
  await read();
  await scene.step(10);
  await read();
  assert.ok((await watch.next()).done);
  assert.deepEqual(frames.map(({ frame }) => frame.stepIndex), [0n, 10n, 10n, 20n, 30n]);
  assert.deepEqual(frames.map(({ frame }) => frame.layout?.bodyNames.length), [1, undefined, 2, undefined, undefined]);
  assert.deepEqual(frames.map(({ frame }) => frame.bodies?.linearVelocitiesWorldMS.length), [3, 3, 6, 6, 6]);
  assert.deepEqual(frames.map(({ frame }) => frame.bodies?.positionsWorldM.length), [0, 0, 0, 0, 0]);
  await scene.delete();
});

test("a rate is kept in wall-clock time", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const stepping = errorOf(scene.step(ENDLESS));
  const start = Date.now();
  const frames = await collect(scene, { rateHz: 20, frameLimit: 11, selection: { report: true } });
  const elapsed = Date.now() - start;
  // The first comes at once, ten more take half a second at least.
  assert.ok(elapsed >= 450, `${elapsed} ms`);
  assert.ok(frames.every(({ frame }, i) => i === 0 || frame.stepIndex > frames[i - 1]!.frame.stepIndex));
  assert.ok(frames.slice(1).every(({ frame }) => frame.report?.stepIndex === frame.stepIndex));
  await scene.delete();
  await stepping;
});

// A row of floating balls: large frames, cheap steps.
const WIDE = {
  bodies: Array.from({ length: 500 }, (_, i) => dynamicBody(sphere(0.1), { position: [i, 0, 0], massKg: 1 })),
  settings: { gravityWorldMS2: { x: 0, y: 0, z: 0 } },
};
const STEPS = 1000;

test("a slow watcher loses frames, and is told how many", async () => {
  const scene = await live.client.createScene({ spec: WIDE });
  const frames = scene.watch({ everyNSteps: 1 });
  while ((await scene.getDiagnostics()).watcherCount === 0) await pause(5);
  // Nothing is read while the scene steps; did it wait for a reader, this would not end.
  await scene.step(STEPS);
  let received = 0n;
  let dropped = 0n;
  for await (const { frame, droppedSinceLast } of frames) {
    received += 1n;
    dropped += droppedSinceLast;
    assert.equal(received + dropped, frame.stepIndex + 1n, "every due frame came or was counted");
    if (frame.stepIndex === BigInt(STEPS)) break;
  }
  assert.ok(dropped > 0n);
  await scene.delete();
});

test("a watcher's pace is checked, and watchers are limited", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  for (const pace of [{ rateHz: 0 }, { rateHz: 1e5 }, { rateHz: Number.NaN }, { everyNSteps: 0 }, { everyNSteps: -3 }]) {
    const error = await errorOf(scene.watch(pace).next());
    assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.INVALID_FIELD], Object.keys(pace)[0]);
  }
  const watchers = [scene.watch(), scene.watch()];
  for (const watcher of watchers) await watcher.next();
  const error = await errorOf(scene.watch().next());
  assert.deepEqual([error.codeName, error.reason], ["RESOURCE_EXHAUSTED", ErrorReason.LIMIT_REACHED]);
  assert.deepEqual([error.limitName, error.limitValue], ["watchers_per_scene", 2n]);
  for (const watcher of watchers) watcher.cancel();
  while ((await scene.getDiagnostics()).watcherCount > 0) await pause(5);
  await scene.watch({ frameLimit: 1 }).next();
  await scene.delete();
});

test("a watch ends with ABORTED when the scene is deleted", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const frames = scene.watch();
  await frames.next();
  await scene.delete();
  const error = await errorOf(frames.next());
  assert.deepEqual([error.codeName, error.reason], ["ABORTED", ErrorReason.SCENE_DELETED]);
});

test("a watcher that leaves in the middle disturbs nobody", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(60) });
  const running = errorOf(scene.step(ENDLESS));
  await stepping(scene);
  for (let i = 0; i < 10; ++i) {
    for await (const { frame } of scene.watch({ rateHz: 1000 })) {
      if (frame.stepIndex > 0n) break;
    }
    // Its leaving travels to the server, where its place comes free.
    while ((await scene.getDiagnostics()).watcherCount > 0) await pause(5);
  }
  await scene.delete();
  assert.equal((await running).reason, ErrorReason.SCENE_DELETED);
});
