import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import * as grpc from "@grpc/grpc-js";
import { type Client, connect, ERROR_DETAIL_KEY, ErrorReason, Status, TalusError } from "talus";

import { FakeServer, failure } from "./fake_server";

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

async function stepError(answer: () => unknown): Promise<TalusError> {
  server.answers["step"] = answer;
  const error = await client.scene("scenes/a").step().then(
    () => assert.fail("the step must fail"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TalusError);
  return error;
}

test("every field of the detail arrives", async () => {
  const error = await stepError(() => {
    throw failure(grpc.status.RESOURCE_EXHAUSTED, "mailbox of scenes/a holds 64", {
      reason: ErrorReason.MAILBOX_FULL,
      field: "scene",
      value: "scenes/a",
      allowed: "fewer",
      stepsDone: 3n,
      stepIndex: 17n,
      limitName: "mailbox_depth",
      limitValue: 64n,
      retryAfterMs: 25n,
    });
  });
  assert.equal(error.code, Status.RESOURCE_EXHAUSTED);
  assert.equal(error.codeName, "RESOURCE_EXHAUSTED");
  assert.match(error.message, /^RESOURCE_EXHAUSTED: mailbox of scenes\/a holds 64$/);
  assert.deepEqual([error.reason, error.reasonName], [ErrorReason.MAILBOX_FULL, "MAILBOX_FULL"]);
  assert.deepEqual([error.field, error.value, error.allowed], ["scene", "scenes/a", "fewer"]);
  assert.deepEqual([error.stepsDone, error.stepIndex, error.limitValue], [3n, 17n, 64n]);
  assert.deepEqual([error.limitName, error.retryAfterMs], ["mailbox_depth", 25]);
});

test("an error without a detail has empty fields", async () => {
  const error = await stepError(() => {
    throw Object.assign(new Error("no"), { code: grpc.status.NOT_FOUND, details: "no scene" });
  });
  assert.equal(error.codeName, "NOT_FOUND");
  assert.equal(error.reason, ErrorReason.UNSPECIFIED);
  assert.deepEqual([error.field, error.stepsDone, error.retryAfterMs], ["", 0n, 0]);
});

test("a detail that does not parse does not hide the error", async () => {
  const metadata = new grpc.Metadata();
  metadata.set(ERROR_DETAIL_KEY, Buffer.from([0x0a, 0xff]));
  const error = await stepError(() => {
    throw Object.assign(new Error("no"), { code: grpc.status.ABORTED, details: "gone", metadata });
  });
  assert.equal(error.message, "ABORTED: gone");
  assert.equal(error.reason, ErrorReason.UNSPECIFIED);
});

test("a reason of a later server is kept as its number", async () => {
  const metadata = new grpc.Metadata();
  metadata.set(ERROR_DETAIL_KEY, Buffer.from([0x08, 0x63, 0x12, 0x01, 0x78]));
  const error = await stepError(() => {
    throw Object.assign(new Error("no"), { code: grpc.status.ABORTED, details: "new", metadata });
  });
  assert.deepEqual([error.reason, error.reasonName, error.field], [99, "99", "x"]);
});

test("an expired deadline is DEADLINE_EXCEEDED", async () => {
  server.answers["step"] = () => new Promise(() => undefined);
  await assert.rejects(
    client.scene("scenes/a").step(1, { timeoutMs: 50 }),
    (error: TalusError) => error instanceof TalusError && error.code === Status.DEADLINE_EXCEEDED,
  );
});

test("an aborted signal cancels the call, and the server sees it", async () => {
  const controller = new AbortController();
  const seen = new Promise<void>((resolve) => {
    server.answers["step"] = (call) => {
      call.on("cancelled", () => resolve());
      controller.abort();
      return new Promise(() => undefined);
    };
  });
  const call = client.scene("scenes/a").step(1, { signal: controller.signal });
  await assert.rejects(call, { name: "TalusError", code: Status.CANCELLED });
  await seen;
  const before = server.requests.length;
  await assert.rejects(client.scene("scenes/a").step(1, { signal: controller.signal }), { code: Status.CANCELLED });
  assert.equal(server.requests.length, before, "a call with an aborted signal is not made");
});

test("a server that is not there is UNAVAILABLE, or waited for", async () => {
  const lost = connect("127.0.0.1:1");
  await assert.rejects(lost.getServerInfo({ timeoutMs: 60_000 }), { code: Status.UNAVAILABLE });
  await assert.rejects(lost.getServerInfo({ timeoutMs: 200, waitForReady: true }), { code: Status.DEADLINE_EXCEEDED });
  await assert.rejects(lost.waitForReady(100), { code: Status.DEADLINE_EXCEEDED });
  lost.close();
});

test("what is no gRPC error becomes UNKNOWN and keeps its cause", () => {
  const cause = new Error("odd");
  const error = TalusError.from(cause);
  assert.deepEqual([error.code, error.cause], [Status.UNKNOWN, cause]);
  assert.equal(TalusError.from(error), error);
});
