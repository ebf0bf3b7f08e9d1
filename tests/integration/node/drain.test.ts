// SIGTERM: what runs ends at a step boundary and says so, streams end with the reason, the process exits with 0.
import assert from "node:assert/strict";
import { test } from "node:test";

import { type Client, ErrorReason, launch, type Scene, type TalusError } from "talus";

import { cannonballs, ENDLESS, endWell, errorOf, FREE_FALL } from "./live_server";
import { pause, pouringStones, queued, stepping } from "./live_server";

test("a drain ends running steps, waiting steps and watchers with UNAVAILABLE", async () => {
  const server = await launch({ workers: 2 });
  const client = server.connect();
  const scene = await client.createScene({ spec: pouringStones(60) });
  const running = errorOf(scene.step(ENDLESS));
  await stepping(scene, 5n);
  const waiting = errorOf(scene.step(1));
  const frames = scene.watch({ everyNSteps: 1_000_000 });
  await frames.next();
  await queued(scene);
  const stopped = server.stop(60_000);
  for (const call of [running, waiting, errorOf(frames.next())]) {
    const error = await call;
    assert.deepEqual([error.codeName, error.reason], ["UNAVAILABLE", ErrorReason.DRAINING]);
  }
  assert.ok((await running).stepsDone > 5n);
  // 0: the scene came to rest before the drain's time was over, so nobody waited for all the steps.
  assert.deepEqual(await stopped, { code: 0, signal: null });
  assert.equal((await errorOf(client.getServerInfo({ timeoutMs: 60_000 }))).codeName, "UNAVAILABLE");
  client.close();
});

// A scene each of whose steps takes at least so long here; how many sweeps that is, a few of them tell. There are so many
// balls that a solve is not given up as stalled before.
async function heavySteps(client: Client, seconds: number): Promise<Scene> {
  const tried = 20;
  const options = { tolerance: 1e-14, warmStart: false }; // out of reach
  const trial = await client.createScene({ spec: cannonballs(40, { maxSweeps: tried, ...options }) });
  let sweepS = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; ++round) {
    const { report } = (await trial.step(1, { selection: { report: true } })).frame;
    assert.equal(report?.sweepCount, tried);
    sweepS = Math.min(sweepS, report!.stageTimes!.solveContactsS / tried);
  }
  await trial.delete();
  return client.createScene({ spec: cannonballs(40, { maxSweeps: Math.ceil(seconds / sweepS), ...options }) });
}

test("new calls learn of a drain that a step holds up", async () => {
  // One core for the step, so that its length depends little on what else the machine does, and one for new calls.
  const server = await launch({ workers: 2, args: ["--workers-per-scene", "1", "--drain-seconds", "120"] });
  const client = server.connect();
  const scene = await heavySteps(client, 2);
  let ended = false;
  const running = errorOf(scene.step(ENDLESS)).finally(() => (ended = true));
  // When the first step is known to be done, the second begins, even if its thread has to wait for a core.
  await stepping(scene);
  await pause(300);
  assert.equal(await client.checkHealth(), "SERVING");
  const stopped = server.stop(120_000);
  while ((await client.checkHealth()) !== "NOT_SERVING") await pause(10);
  for (;;) {
    const refusal = await client.createScene({ spec: FREE_FALL }).then(() => undefined, (error: TalusError) => error);
    if (refusal === undefined) {
      await pause(10); // scenes are refused an instant after health has turned
      continue;
    }
    assert.deepEqual([refusal.codeName, refusal.reason], ["UNAVAILABLE", ErrorReason.DRAINING]);
    assert.ok(refusal.retryAfterMs > 0);
    break;
  }
  assert.equal((await errorOf(scene.step(1))).reason, ErrorReason.DRAINING);
  assert.ok(!ended, "all of it while the step holds the drain up");
  assert.equal((await running).reason, ErrorReason.DRAINING);
  assert.ok((await running).stepsDone >= 2n);
  assert.deepEqual(await stopped, { code: 0, signal: null }, server.recentLogs);
  client.close();
});

test("an idle server stops at once", async () => {
  const server = await launch({ workers: 1, args: ["--drain-seconds", "60"] });
  const client = server.connect();
  await client.getServerInfo();
  const start = Date.now();
  await endWell(server);
  assert.ok(Date.now() - start < 30_000, "half the time a drain may take");
  client.close();
});
