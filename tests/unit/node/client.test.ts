import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { type Client, connect, dynamicBody, sphere, v1 } from "talus";

import { FakeServer, frameMessage } from "./fake_server";

let server: FakeServer;
let client: Client;
before(async () => {
  server = await FakeServer.start();
  client = connect(server.address, { defaultTimeoutMs: 10_000 });
});
after(() => {
  client.close();
  server.stop();
});

/** The answer of `work` while the environment has these variables. */
async function within<T>(variables: NodeJS.ProcessEnv, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

const info = (scene: string) => v1.SceneInfo.fromPartial({ scene, stepIndex: 4n });
const layout = v1.Layout.fromPartial({ layoutVersion: 3n, bodyIds: [1n, 2n ** 63n], bodyNames: ["a", "b"] });

test("createScene sends each kind of source", async () => {
  server.answers["createScene"] = () => ({ scene: info("scenes/a"), layout });
  const spec = { bodies: [dynamicBody(sphere(0.5), { massKg: 2 })] };
  const scene = await client.createScene({ spec, sceneId: "a", requestId: "r" });
  assert.deepEqual([scene.name, scene.lastInfo?.stepIndex, scene.lastLayout?.bodyIds[1]], ["scenes/a", 4n, 2n ** 63n]);
  const request = server.lastRequest();
  assert.deepEqual([request.sceneId, request.requestId, request.source.$case], ["a", "r", "spec"]);
  assert.equal(request.source.value.bodies[0].massKg, 2);

  await client.createScene({ snapshotData: Uint8Array.of(1, 2) });
  assert.deepEqual([...server.lastRequest().source.value], [1, 2]);
  await client.createScene({ snapshot: "snapshots/s" });
  assert.deepEqual(server.lastRequest().source, { $case: "snapshot", value: "snapshots/s" });
});

test("a proxy of the environment is not asked", async () => {
  server.answers["getServerInfo"] = () => v1.GetServerInfoResponse.fromPartial({ version: "9.9.9" });
  const proxy = "http://127.0.0.1:9";
  const nobody = { grpc_proxy: proxy, https_proxy: proxy, http_proxy: proxy, no_proxy: "", no_grpc_proxy: "" };
  await within(nobody, async () => {
    const direct = connect(server.address, { defaultTimeoutMs: 10_000 });
    assert.equal((await direct.getServerInfo()).version, "9.9.9");
    direct.close();
  });
});

test("an unset optional field stays unset", async () => {
  server.answers["step"] = () => v1.StepResponse.fromPartial({ frame: frameMessage(1), stepsDone: 1n });
  const scene = client.scene("scenes/a");
  await scene.step();
  assert.equal(server.lastRequest().expectedStepIndex, undefined);
  assert.equal(server.lastRequest().selection, undefined);
  await scene.step(5, { expectedStepIndex: 0, requestId: "r", selection: { positions: true }, residualHistory: true });
  const request = server.lastRequest();
  assert.deepEqual(
    [request.stepCount, request.expectedStepIndex, request.requestId, request.residualHistory],
    [5n, 0n, "r", true],
  );
});

test("step gives the totals and the frame", async () => {
  server.answers["step"] = () =>
    v1.StepResponse.fromPartial({ frame: frameMessage(7), stepsDone: 2n, worstResidual: 1e-5, sweepCount: 40n });
  const result = await client.scene("scenes/a").step(2);
  assert.deepEqual([result.stepsDone, result.worstResidual, result.sweepCount], [2n, 1e-5, 40n]);
  assert.deepEqual([...result.frame.bodies!.positionsWorldM], [7, 7, 7, 7, 7, 7]);
});

test("a handle keeps the layout it was last told", async () => {
  const scene = client.scene("scenes/a");
  server.answers["getState"] = () => ({ frame: { ...frameMessage(1), layout } });
  await scene.getState({ layout: true });
  assert.equal(scene.lastLayout?.layoutVersion, 3n);
  server.answers["removeBodies"] = () => ({ layout: { ...layout, layoutVersion: 4n } });
  await scene.removeBodies([1n, "b"]);
  assert.equal(scene.lastLayout?.layoutVersion, 4n);
  assert.deepEqual([server.lastRequest().bodyIds, server.lastRequest().bodyNames], [[1n], ["b"]]);
});

test("lists go on from page to page", async () => {
  server.answers["listScenes"] = ({ request }) =>
    request.pageToken === ""
      ? { scenes: [info("scenes/a"), info("scenes/b")], nextPageToken: "next" }
      : { scenes: [info("scenes/c")], nextPageToken: "" };
  const names: string[] = [];
  for await (const scene of client.listScenes({ pageSize: 2 })) names.push(scene.scene);
  assert.deepEqual(names, ["scenes/a", "scenes/b", "scenes/c"]);
  assert.deepEqual([server.lastRequest().pageSize, server.lastRequest().pageToken], [2, "next"]);
});

test("scenes, snapshots and recordings are named by their ids as well", async () => {
  for (const method of ["getScene", "restoreSnapshot"]) server.answers[method] = () => ({ scene: info("scenes/a") });
  server.answers["createScene"] = () => ({ scene: info("scenes/a"), layout });
  server.answers["deleteSnapshot"] = server.answers["deleteRecording"] = () => ({});
  server.answers["replayInputs"] = () => v1.ReplayInputsResponse.fromPartial({});
  for (const method of ["stopRecording", "getRecording"]) {
    server.answers[method] = () => v1.GetRecordingResponse.fromPartial({ recording: {} });
  }
  for (const method of ["downloadSnapshot", "downloadRecording"]) server.answers[method] = (call) => call.end();
  const sent = async (call: () => Promise<unknown>) => (await call(), server.lastRequest());

  for (const scene of ["drop", "scenes/drop"]) {
    assert.equal((await sent(() => client.scene(scene).getInfo())).scene, "scenes/drop");
    assert.equal(client.scene(scene).name, "scenes/drop");
  }
  for (const snapshot of ["x", "snapshots/x"]) {
    assert.equal((await sent(() => client.deleteSnapshot(snapshot))).snapshot, "snapshots/x");
    assert.equal((await sent(() => client.scene("drop").restoreSnapshot(snapshot))).snapshot, "snapshots/x");
    assert.equal((await sent(() => client.createScene({ snapshot }))).source.value, "snapshots/x");
    assert.equal((await sent(() => client.downloadSnapshot(snapshot).next())).source.value, "snapshots/x");
  }
  for (const recording of ["r", "recordings/r"]) {
    for (const call of [
      () => client.stopRecording(recording),
      () => client.getRecording(recording),
      () => client.deleteRecording(recording),
      () => client.replayInputs(recording),
      () => client.downloadRecording(recording).next(),
    ]) {
      assert.equal((await sent(call)).recording, "recordings/r");
    }
  }
});

test("an upload goes in messages below the smallest limit", async () => {
  server.answers["uploadSnapshot"] = () =>
    v1.UploadSnapshotResponse.fromPartial({ snapshot: { snapshot: "snapshots/kept" } });
  const data = Uint8Array.from({ length: 2 ** 20 + 5 }, (_, i) => i % 251);
  server.requests.length = 0;
  assert.equal((await client.uploadSnapshot(data, "kept")).snapshot, "snapshots/kept");
  const sent = server.requests.map(({ request }) => request);
  assert.deepEqual(sent.map(({ snapshotId, chunk }) => [snapshotId, chunk.length]), [
    ["kept", 2 ** 19],
    ["", 2 ** 19],
    ["", 5],
  ]);
  assert.ok(Buffer.concat(sent.map(({ chunk }) => chunk)).equals(data));
  server.requests.length = 0;
  await client.uploadSnapshot(new Uint8Array(0));
  assert.deepEqual(server.requests.map(({ request }) => [request.snapshotId, request.chunk.length]), [["", 0]]);
  const aborted = client.uploadSnapshot(data, "", { signal: AbortSignal.abort() });
  await assert.rejects(aborted, { codeName: "CANCELLED" });
});

test("plain messages go through call and stream", async () => {
  server.answers["getServerInfo"] = () => v1.GetServerInfoResponse.fromPartial({ version: "9.9.9" });
  const answer = await client.call(v1.ServerServiceService.getServerInfo, {});
  assert.equal(answer.version, "9.9.9");
  server.answers["watchState"] = (call) => {
    call.write({ frame: frameMessage(3), droppedSinceLast: 0n });
    call.end();
  };
  const request = v1.WatchStateRequest.fromPartial({ scene: "scenes/a" });
  for await (const { frame } of client.stream(v1.StreamServiceService.watchState, request)) {
    assert.equal(frame?.stepIndex, 3n);
  }
});

test("an integer that is no int64 is refused here", async () => {
  await assert.rejects(client.scene("scenes/a").step(2n ** 63n), { name: "TalusError" });
  await assert.rejects(client.scene("scenes/a").step(1.5), RangeError);
});
