// SIGTERM: what runs ends at a step boundary and says so, streams end with the reason, the process exits with 0.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ErrorReason, launch } from "talus";

import { ENDLESS, errorOf, pause, pouringStones, stepping } from "./live_server";

test("a drain ends running steps, waiting steps and watchers with UNAVAILABLE", async () => {
  const server = await launch({ workers: 2 });
  const client = server.connect();
  const scene = await client.createScene({ spec: pouringStones(60) });
  const running = errorOf(scene.step(ENDLESS));
  await stepping(scene, 5n);
  const waiting = errorOf(scene.step(1));
  const frames = scene.watch({ everyNSteps: 1_000_000 });
  await frames.next();
  await pause(20);
  const start = Date.now();
  const stopped = server.stop(30_000);
  for (const call of [running, waiting, errorOf(frames.next())]) {
    const error = await call;
    assert.deepEqual([error.codeName, error.reason], ["UNAVAILABLE", ErrorReason.DRAINING]);
  }
  assert.ok((await running).stepsDone > 5n);
  assert.deepEqual(await stopped, { code: 0, signal: null });
  assert.ok(Date.now() - start < 10_000, "it does not wait for the steps that were asked for");
  assert.equal((await errorOf(client.getServerInfo({ timeoutMs: 2_000 }))).codeName, "UNAVAILABLE");
  client.close();
});

test("an idle server stops at once", async () => {
  const server = await launch({ workers: 1 });
  const client = server.connect();
  await client.getServerInfo();
  const start = Date.now();
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  assert.ok(Date.now() - start < 5_000);
  client.close();
});
