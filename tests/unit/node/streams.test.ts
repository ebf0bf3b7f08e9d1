import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import * as grpc from "@grpc/grpc-js";
import { type Client, collectSnapshot, connect, ErrorReason, Status } from "talus";

import { FakeServer, failure, frameMessage } from "./fake_server";

let server: FakeServer;
let client: Client;
before(async () => {
  server = await FakeServer.start();
  client = connect(server.address);
});
after(() => {
  client.close();
  server.stop();
});

function sendFrames(call: grpc.ServerWritableStream<any, any>, count: number): void {
  for (let index = 0; index < count; ++index) {
    call.write({ frame: frameMessage(index), droppedSinceLast: BigInt(index % 3) });
  }
}

test("frames come in order and the loop ends with the stream", async () => {
  server.answers["watchState"] = (call) => {
    sendFrames(call, 100);
    call.end();
  };
  const seen: [bigint, bigint, number][] = [];
  for await (const { frame, droppedSinceLast } of client.scene("scenes/a").watch()) {
    seen.push([frame.stepIndex, droppedSinceLast, frame.bodies!.positionsWorldM[5]!]);
  }
  assert.deepEqual(seen, Array.from({ length: 100 }, (_, i) => [BigInt(i), BigInt(i % 3), i]));
});

test("the request says pace, selection and limit", async () => {
  server.answers["watchState"] = (call) => call.end();
  const scene = client.scene("scenes/a");
  for await (const _ of scene.watch({ rateHz: 60, frameLimit: 2, selection: { contacts: true } })) assert.fail();
  const request = server.lastRequest();
  assert.deepEqual(request.pace, { $case: "rateHz", value: 60 });
  assert.deepEqual([request.scene, request.frameLimit], ["scenes/a", 2n]);
  assert.deepEqual([request.selection.contacts, request.selection.positions], [true, false]);
  for await (const _ of scene.watch({ everyNSteps: 7 })) assert.fail();
  assert.deepEqual(server.lastRequest().pace, { $case: "everyNSteps", value: 7n });
  assert.throws(() => scene.watch({ everyNSteps: 7, rateHz: 60 }), TypeError);
});

test("a stream starts when it is asked for, before anybody reads", async () => {
  const started = new Promise<void>((resolve) => {
    server.answers["watchState"] = (call) => {
      resolve();
      sendFrames(call, 1);
    };
  });
  const frames = client.scene("scenes/a").watch();
  await started;
  assert.equal((await frames.next()).value?.frame.stepIndex, 0n);
  frames.cancel();
  assert.equal((await frames.next()).done, true);
});

test("leaving the loop cancels the call", async () => {
  const cancelled = new Promise<void>((resolve) => {
    server.answers["watchState"] = (call) => {
      call.on("cancelled", () => resolve());
      sendFrames(call, 3);
    };
  });
  for await (const { frame } of client.scene("scenes/a").watch()) {
    if (frame.stepIndex === 1n) break;
  }
  await cancelled;
});

test("an aborted signal ends the stream with CANCELLED", async () => {
  server.answers["watchState"] = (call) => sendFrames(call, 1);
  const controller = new AbortController();
  const frames = client.scene("scenes/a").watch({ signal: controller.signal });
  await frames.next();
  setTimeout(() => controller.abort(), 20);
  await assert.rejects(frames.next(), { name: "TalusError", code: Status.CANCELLED });
  const late = client.scene("scenes/a").watch({ signal: controller.signal });
  await assert.rejects(late.next(), { code: Status.CANCELLED });
});

test("messages that arrived come before the error that followed them", async () => {
  server.answers["watchState"] = (call) => {
    sendFrames(call, 3);
    call.emit("error", failure(grpc.status.ABORTED, "scenes/a was deleted", { reason: ErrorReason.SCENE_DELETED }));
  };
  const frames = client.scene("scenes/a").watch();
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let index = 0n; index < 3n; ++index) assert.equal((await frames.next()).value?.frame.stepIndex, index);
  const gone = { code: Status.ABORTED, reason: ErrorReason.SCENE_DELETED };
  await assert.rejects(frames.next(), gone);
  await assert.rejects(frames.next(), gone, "the error stays");
});

test("an unread stream that fails harms nobody", async () => {
  server.answers["watchState"] = (call) =>
    call.emit("error", failure(grpc.status.NOT_FOUND, "no", { reason: ErrorReason.NOT_FOUND }));
  client.scene("scenes/a").watch();
  await new Promise((resolve) => setTimeout(resolve, 100));
});

test("a download is its chunks in order", async () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
  server.answers["downloadSnapshot"] = (call) => {
    const snapshot = { snapshot: "", stepIndex: 9n, stateHash: 5n, byteSize: BigInt(bytes.length), createdUnixMs: 1n };
    call.write({ snapshot, chunk: bytes.subarray(0, 100_000) });
    call.write({ snapshot: undefined, chunk: bytes.subarray(100_000) });
    call.end();
  };
  const { info, data } = await collectSnapshot(client.scene("scenes/a").downloadSnapshot());
  assert.deepEqual(server.lastRequest().source, { $case: "scene", value: "scenes/a" });
  assert.equal(info.stepIndex, 9n);
  assert.ok(Buffer.from(bytes).equals(data));
  for await (const chunk of client.downloadSnapshot("snapshots/s")) assert.ok(chunk.bytes.length > 0);
  assert.deepEqual(server.lastRequest().source, { $case: "snapshot", value: "snapshots/s" });
});
