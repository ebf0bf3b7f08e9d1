// What goes wrong without a wrong request: a state that leaves all bounds, a disk, a message that is too large, an old
// server.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { dynamicBody, ErrorReason, launch, sphere, v1 } from "talus";

import { endWell, errorOf, fingerprint, FREE_FALL, LiveServer } from "./live_server";

const folder = mkdtempSync(join(tmpdir(), "talus-faults-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const live = new LiveServer({ dataDir: join(folder, "data"), args: ["--max-message-mib", "1"] });

// Gravity at its bound: after about a thousand steps of a second the speed leaves what a state may hold.
const RUNAWAY = {
  bodies: [dynamicBody(sphere(0.1), { name: "ball", massKg: 1 })],
  settings: { timeStepS: 1, gravityWorldMS2: { x: 0, y: 0, z: -1e6 } },
};

test("a state out of all bounds faults the scene, which keeps its last good state", async () => {
  const scene = await live.client.createScene({ spec: RUNAWAY });
  await scene.step(10);
  await scene.createSnapshot("before");
  const error = await errorOf(scene.step(5_000));
  assert.deepEqual([error.codeName, error.reason], ["FAILED_PRECONDITION", ErrorReason.SCENE_FAULTED]);
  assert.ok(error.stepsDone > 0n && error.stepsDone < 5_000n);
  assert.equal(error.stepIndex, 10n + error.stepsDone);

  const info = await scene.getInfo();
  assert.notEqual(info.fault, "");
  assert.equal(info.stepIndex, error.stepIndex);
  assert.equal((await scene.getDiagnostics()).fault, info.fault);
  const state = await scene.getState();
  assert.ok(state.bodies!.positionsWorldM.every(Number.isFinite));
  const before = await fingerprint(scene);
  for (const call of [
    () => scene.step(),
    () => scene.addBodies([dynamicBody(sphere(0.1), { massKg: 1 })]),
    () => scene.removeBodies(["ball"]),
    () => scene.addEmitters([]),
    () => scene.removeEmitters([]),
  ]) {
    const refused = await errorOf(call());
    assert.deepEqual([refused.codeName, refused.reason], ["FAILED_PRECONDITION", ErrorReason.SCENE_FAULTED]);
  }
  assert.deepEqual(await fingerprint(scene), before);

  const restored = await scene.restoreSnapshot("snapshots/before");
  assert.deepEqual([restored.stepIndex, restored.fault], [10n, ""]);
  assert.equal((await scene.step()).frame.stepIndex, 11n);
  await live.client.deleteSnapshot("snapshots/before");
  await scene.delete();
});

test("a stored snapshot that was damaged is DATA_LOSS for who loads it", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  await scene.createSnapshot("hurt");
  await scene.createSnapshot("well");
  const directory = join(folder, "data");
  const file = readdirSync(directory, { recursive: true, encoding: "utf8" }).find((name) => name.includes("hurt"))!;
  const bytes = readFileSync(join(directory, file));
  bytes[bytes.length - 9]! ^= 1;
  writeFileSync(join(directory, file), bytes);
  const before = await fingerprint(scene);
  for (const call of [
    () => scene.restoreSnapshot("snapshots/hurt"),
    () => live.client.downloadSnapshot("snapshots/hurt").next(),
    () => live.client.createScene({ snapshot: "snapshots/hurt" }),
  ]) {
    const error = await errorOf(call());
    assert.deepEqual([error.codeName, error.reason], ["DATA_LOSS", ErrorReason.BAD_SNAPSHOT]);
  }
  assert.deepEqual(await fingerprint(scene), before);
  await scene.restoreSnapshot("snapshots/well");
  await live.client.deleteSnapshot("snapshots/hurt");
  await live.client.deleteSnapshot("snapshots/well");
  await scene.delete();
});

test("without a data directory, storing is FAILED_PRECONDITION; one that vanished is UNAVAILABLE", async () => {
  const gone = join(folder, "gone");
  for (const [dataDir, code] of [["", "FAILED_PRECONDITION"], [gone, "UNAVAILABLE"]] as const) {
    const server = await launch({ dataDir, workers: 1 });
    rmSync(gone, { recursive: true, force: true });
    const client = server.connect();
    const scene = await client.createScene({ spec: FREE_FALL });
    const error = await errorOf(scene.createSnapshot("s"));
    assert.deepEqual([error.codeName, error.reason], [code, ErrorReason.STORAGE]);
    assert.equal((await scene.step()).stepsDone, 1n, "stepping goes on");
    client.close();
    await endWell(server);
  }
});

test("a message above the limit is RESOURCE_EXHAUSTED, and the connection stays", async () => {
  const error = await errorOf(live.client.createScene({ snapshotData: new Uint8Array(2 ** 20) }));
  assert.deepEqual([error.codeName, error.reason], ["RESOURCE_EXHAUSTED", ErrorReason.UNSPECIFIED]);
  assert.match((await live.client.getServerInfo()).version, /./);
});

test("a method the server does not know is UNIMPLEMENTED", async () => {
  const method = { ...v1.ServerServiceService.getServerInfo, path: "/talus.v1.ServerService/GetMood" };
  assert.equal((await errorOf(live.client.call(method, {}))).codeName, "UNIMPLEMENTED");
});
