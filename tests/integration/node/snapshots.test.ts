// Snapshots, forks and downloads: they continue bit for bit, and wrong ones are refused.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { collectSnapshot, ErrorReason, launch, type SnapshotInfo } from "talus";

import { cannonballs, ENDLESS, endWell, errorOf, fingerprint, FREE_FALL, LiveServer, pouringStones } from "./live_server";

const live = new LiveServer({ args: ["--max-snapshots", "3", "--max-snapshot-mib", "2"] });
const folder = mkdtempSync(join(tmpdir(), "talus-snapshots-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function snapshots(): Promise<SnapshotInfo[]> {
  const all: SnapshotInfo[] = [];
  for await (const snapshot of live.client.listSnapshots({ pageSize: 1 })) all.push(snapshot);
  return all;
}

test("a stored snapshot is listed, restored, used for a new scene, and deleted", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(40) });
  const { frame: at100 } = await scene.step(100);
  const saved = await scene.createSnapshot("at-100");
  assert.deepEqual([saved.snapshot, saved.stepIndex, saved.stateHash], ["snapshots/at-100", 100n, at100.stateHash]);
  assert.ok(saved.byteSize > 0n);
  const { frame: at150 } = await scene.step(50);
  const unnamed = await scene.createSnapshot();
  assert.deepEqual((await snapshots()).map((one) => one.snapshot), ["snapshots/at-100", unnamed.snapshot].sort());

  const restored = await scene.restoreSnapshot("snapshots/at-100");
  assert.deepEqual([restored.stepIndex, restored.stateHash], [100n, at100.stateHash]);
  assert.equal((await scene.step(50)).frame.stateHash, at150.stateHash, "it goes on bit for bit");
  const twin = await live.client.createScene({ snapshot: "snapshots/at-100" });
  assert.equal((await twin.step(50)).frame.stateHash, at150.stateHash);

  const again = await errorOf(scene.createSnapshot("at-100"));
  assert.deepEqual([again.codeName, again.reason], ["ALREADY_EXISTS", ErrorReason.DUPLICATE_NAME]);
  const handle = live.client.scene(scene.name.replace("scenes/", ""));
  assert.equal((await handle.restoreSnapshot("at-100")).stateHash, at100.stateHash, "the id alone is a name too");
  await live.client.deleteSnapshot("at-100");
  await live.client.deleteSnapshot(unnamed.snapshot);
  assert.deepEqual(await snapshots(), []);
  await scene.delete();
  await twin.delete();
});

test("a download is a snapshot to create scenes from", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(40) });
  await scene.step(100);
  const direct = await collectSnapshot(scene.downloadSnapshot());
  assert.equal(direct.info.stepIndex, 100n);
  assert.equal(direct.info.byteSize, BigInt(direct.data.length));
  const saved = await scene.createSnapshot("down");
  const stored = await collectSnapshot(live.client.downloadSnapshot("snapshots/down"));
  assert.deepEqual([stored.info.stateHash, stored.info.byteSize], [saved.stateHash, saved.byteSize]);
  const { frame } = await scene.step(50);
  for (const { data } of [direct, stored]) {
    const copy = await live.client.createScene({ snapshotData: data });
    assert.equal((await copy.step(50)).frame.stateHash, frame.stateHash);
    await copy.delete();
  }
  await live.client.deleteSnapshot("snapshots/down");
  await scene.delete();
});

test("an uploaded snapshot is restored with the hash it had, and nothing else is kept", async () => {
  const scene = await live.client.createScene({ spec: cannonballs(18, { maxSweeps: 5 }) });
  await scene.step(1);
  const { info, data } = await collectSnapshot(scene.downloadSnapshot());
  assert.ok(data.length > 2 ** 19, `${data.length} bytes are more than one chunk`);
  const uploaded = await live.client.uploadSnapshot(data, "up");
  assert.deepEqual([uploaded.snapshot, uploaded.stateHash], ["snapshots/up", info.stateHash]);
  const { frame } = await scene.step(1);
  assert.equal((await scene.restoreSnapshot("up")).stateHash, info.stateHash);
  assert.equal((await scene.step(1)).frame.stateHash, frame.stateHash, "it goes on bit for bit");

  const flipped = Uint8Array.from(data);
  flipped[Math.floor(flipped.length / 2)]! ^= 1;
  for (const bytes of [new Uint8Array(0), data.subarray(0, data.length - 1), flipped]) {
    const error = await errorOf(live.client.uploadSnapshot(bytes, "bad"));
    assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.BAD_SNAPSHOT]);
  }
  assert.equal((await errorOf(live.client.uploadSnapshot(data, "up"))).codeName, "ALREADY_EXISTS");
  assert.equal((await errorOf(live.client.uploadSnapshot(data, "../up"))).field, "snapshot_id");
  // The server answers this one before it has read it all.
  const large = await errorOf(live.client.uploadSnapshot(new Uint8Array(2 ** 24), "large"));
  assert.deepEqual([large.codeName, large.limitName], ["RESOURCE_EXHAUSTED", "snapshot_bytes"]);
  assert.deepEqual((await snapshots()).map((one) => one.snapshot), ["snapshots/up"]);
  await live.client.deleteSnapshot("up");
  await scene.delete();
});

test("forks are equal until something differs", async () => {
  const scene = await live.client.createScene({ sceneId: "trunk", spec: pouringStones(40) });
  await scene.step(100);
  const forks = await scene.fork(["branch", ""], { requestId: "fork-once" });
  assert.equal(forks[0]?.name, "scenes/branch");
  const again = await scene.fork(["branch", ""], { requestId: "fork-once" });
  assert.deepEqual(again.map((fork) => fork.name), forks.map((fork) => fork.name));
  const { frame } = await scene.step(50);
  for (const fork of forks) assert.equal((await fork.step(50)).frame.stateHash, frame.stateHash);
  await forks[0]!.removeEmitters(["hopper"]);
  await forks[0]!.removeBodies(["tray"]);
  const [one, other] = await Promise.all([forks[0]!.step(10), scene.step(10)]);
  assert.notEqual(one.frame.stateHash, other.frame.stateHash);
  assert.equal((await forks[1]!.step(10)).frame.stateHash, other.frame.stateHash);
  for (const one of [scene, ...forks]) await one.delete();
});

test("bytes that are no snapshot are BAD_SNAPSHOT, and nothing comes of them", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const { data } = await collectSnapshot(scene.downloadSnapshot());
  const flipped = Uint8Array.from(data);
  flipped[Math.floor(flipped.length / 2)]! ^= 1;
  for (const bytes of [new Uint8Array(0), Uint8Array.of(1, 2, 3), data.subarray(0, data.length - 1), flipped]) {
    const error = await errorOf(live.client.createScene({ sceneId: "bad", snapshotData: bytes }));
    assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.BAD_SNAPSHOT]);
    assert.equal((await errorOf(live.client.scene("scenes/bad").getInfo())).codeName, "NOT_FOUND");
  }
  await scene.delete();
});

test("an unknown snapshot is NOT_FOUND, and the scene stays as it was", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const before = await fingerprint(scene);
  for (const call of [
    () => scene.restoreSnapshot("snapshots/none"),
    () => live.client.createScene({ snapshot: "snapshots/none" }),
    () => live.client.deleteSnapshot("snapshots/none"),
    () => live.client.downloadSnapshot("snapshots/none").next(),
  ]) {
    const error = await errorOf(call());
    assert.deepEqual([error.codeName, error.reason], ["NOT_FOUND", ErrorReason.NOT_FOUND]);
  }
  assert.equal((await errorOf(scene.restoreSnapshot("none"))).codeName, "NOT_FOUND", "the id alone is a name too");
  for (const name of ["snapshots/../etc", "scenes/none"]) {
    assert.equal((await errorOf(scene.restoreSnapshot(name))).codeName, "INVALID_ARGUMENT");
  }
  assert.deepEqual(await fingerprint(scene), before);
  await scene.delete();
});

test("stored snapshots are limited", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  for (const id of ["l1", "l2", "l3"]) await scene.createSnapshot(id);
  const error = await errorOf(scene.createSnapshot("l4"));
  assert.deepEqual([error.codeName, error.reason], ["RESOURCE_EXHAUSTED", ErrorReason.LIMIT_REACHED]);
  assert.deepEqual([error.limitName, error.limitValue], ["snapshots", 3n]);
  for (const id of ["l1", "l2", "l3"]) await live.client.deleteSnapshot(`snapshots/${id}`);
  const none = await errorOf(scene.fork([]));
  assert.deepEqual([none.codeName, none.field], ["INVALID_ARGUMENT", "scene_ids"]);
  await scene.delete();
});

test("a snapshot outlives a server that is killed", async () => {
  const first = await launch({ dataDir: folder, workers: 1 });
  const doomed = first.connect();
  const undisturbed = await doomed.createScene({ spec: pouringStones(40) });
  const { frame } = await undisturbed.step(150);
  const scene = await doomed.createScene({ spec: pouringStones(40) });
  await scene.step(100);
  const saved = await scene.createSnapshot("kept");
  const running = errorOf(scene.step(ENDLESS));
  assert.deepEqual(await first.kill(), { code: null, signal: "SIGKILL" });
  assert.equal((await running).codeName, "UNAVAILABLE");
  doomed.close();
  const second = await launch({ dataDir: folder, workers: 2 });
  const client = second.connect();
  const copy = await client.createScene({ snapshot: "snapshots/kept" });
  assert.equal((await copy.step(50)).frame.stateHash, frame.stateHash);
  // Put back into a scene of another past, it goes the same way.
  const anew = await client.createScene({ spec: pouringStones(40) });
  await anew.step(7);
  const restored = await anew.restoreSnapshot("snapshots/kept");
  assert.deepEqual([restored.stepIndex, restored.stateHash], [100n, saved.stateHash]);
  assert.equal((await anew.step(50)).frame.stateHash, frame.stateHash);
  client.close();
  await endWell(second);
});
