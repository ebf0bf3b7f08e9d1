import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import * as grpc from "@grpc/grpc-js";
import { actuators, type Client, connect, ControlPacing, ErrorReason, MissPolicy, Status, v1 } from "talus";

import { FakeServer, failure, frameMessage } from "./fake_server";

type Call = grpc.ServerDuplexStream<v1.ControlRequest, unknown>;

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

const layout = v1.Layout.fromPartial({ layoutVersion: 1n, bodyIds: [1n], bodyNames: ["ball"] });
const opened = { response: { $case: "opened", value: v1.ControlOpened.fromPartial({ lease: "token", layout }) } };

function stepped(stepIndex: number): unknown {
  const value = v1.ControlStepped.fromPartial({ frame: frameMessage(stepIndex), stepsDone: 1n });
  return { response: { $case: "stepped", value } };
}

function inBand(detail: Parameters<typeof v1.ErrorDetail.fromPartial>[0]): unknown {
  const value = v1.ErrorStatus.fromPartial({ code: Status.INVALID_ARGUMENT, message: "no", detail });
  return { response: { $case: "error", value } };
}

/** Opens, then answers request after request of a stream as told; the requests of all streams are kept. */
function answerWith(answer: (call: Call, index: number) => void): v1.ControlRequest[] {
  const requests: v1.ControlRequest[] = [];
  server.answers["control"] = (call: Call) => {
    let index = 0;
    call.on("data", (request: v1.ControlRequest) => {
      requests.push(request);
      if (index === 0) call.write(opened);
      else answer(call, index);
      ++index;
    });
    call.on("end", () => call.end());
  };
  return requests;
}

test("the requests say what is driven, how, and at whose pace", async () => {
  const requests = answerWith((call, index) => call.write(stepped(index)));
  const scene = client.scene("scenes/a");
  const plain = await scene.control();
  await plain.step();
  await plain.close();
  const drives = [actuators.wrench("ball"), actuators.bodyVelocity(7), actuators.motorVelocity("arm", 5)];
  const control = await scene.control([...drives, actuators.axisForce(2n, 4), actuators.axisPosition("arm", 0)], {
    holder: "test",
    takeOver: true,
    selection: { contacts: true },
    pacing: ControlPacing.REAL_TIME,
    maxWaitS: 2,
    periodS: 0.5,
    stepsPerTick: 3,
    missPolicy: MissPolicy.ZERO,
    mostMisses: 4,
  });
  await control.step(Float64Array.of(1, 2), { stepCount: 5, expectedStepIndex: 0, timeoutMs: 250 });
  await control.close();
  const [first, bare, second, full] = requests.map(({ request }) => request!.value) as any[];
  assert.deepEqual(first, v1.ControlOpen.fromPartial({ scene: "scenes/a" }));
  assert.deepEqual(bare, v1.ControlStep.fromPartial({}));
  assert.deepEqual(
    second.actuators.map(({ kind, name, id, axis }: v1.Actuator) => [kind, name, id, axis]),
    [[1, "ball", 0n, 0], [2, "", 7n, 0], [3, "arm", 0n, 5], [4, "", 2n, 4], [5, "arm", 0n, 0]],
  );
  assert.deepEqual([second.holder, second.takeOver, second.selection.contacts], ["test", true, true]);
  assert.deepEqual([second.pacing, second.missPolicy], [ControlPacing.REAL_TIME, MissPolicy.ZERO]);
  assert.deepEqual([second.maxWaitS, second.periodS, second.stepsPerTick, second.mostMisses], [2, 0.5, 3, 4]);
  assert.deepEqual(full, { values: [1, 2], stepCount: 5n, expectedStepIndex: 0n, timeoutS: 0.25 });
});

test("each promise has the answer to its own request", async () => {
  answerWith((call, index) => call.write(index === 2 ? inBand({ field: "size(values)" }) : stepped(index)));
  const scene = client.scene("scenes/a");
  const control = await scene.control();
  assert.deepEqual([control.lease, scene.lastLayout?.bodyNames], ["token", ["ball"]]);
  const [one, two, three] = [control.step(), control.step([1]), control.step()];
  assert.equal((await three).frame.stepIndex, 3n);
  assert.equal((await one).frame.stepIndex, 1n);
  await assert.rejects(two, { name: "TalusError", code: Status.INVALID_ARGUMENT, field: "size(values)" });
  assert.ok(control.isOpen);
  await control.close();
});

test("a failed stream fails what waits and what comes later", async () => {
  answerWith((call, index) => {
    if (index === 1) return call.write(stepped(1));
    if (index === 2) call.emit("error", failure(grpc.status.ABORTED, "taken", { reason: ErrorReason.LEASE_LOST }));
  });
  const control = await client.scene("scenes/a").control();
  const steps = [control.step(), control.step(), control.step()];
  const lost = { code: Status.ABORTED, reason: ErrorReason.LEASE_LOST };
  assert.equal((await steps[0]!).stepsDone, 1n);
  // The third has a rejection that nobody looks at before the turn of the loop is over.
  await assert.rejects(steps[1]!, lost);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await assert.rejects(steps[2]!, lost);
  await assert.rejects(control.step(), lost);
  assert.equal(control.isOpen, false);
  await control.close();
});

test("closing tells of a failure that nobody heard", async () => {
  server.answers["control"] = (call: Call) => {
    call.write(opened);
    setTimeout(() => call.emit("error", failure(grpc.status.UNAVAILABLE, "no", { reason: ErrorReason.DRAINING })), 20);
  };
  const control = await client.scene("scenes/a").control();
  await assert.rejects(control.close(), { reason: ErrorReason.DRAINING });
  await control.close();
});

test("what is wrong with the arguments rejects, and the stream goes on", async () => {
  answerWith((call, index) => call.write(stepped(index)));
  const control = await client.scene("scenes/a").control();
  await assert.rejects(control.step([], { stepCount: 1.5 }), RangeError);
  assert.equal((await control.step()).frame.stepIndex, 1n);
  await control.close();
});

test("a server that ends early or answers out of turn is found out", async () => {
  const scene = client.scene("scenes/a");
  server.answers["control"] = (call: Call) => call.write(stepped(1));
  await assert.rejects(scene.control(), { code: Status.INTERNAL, message: /answered with stepped, must be opened/ });
  server.answers["control"] = (call: Call) => call.end();
  await assert.rejects(scene.control(), { code: Status.INTERNAL, message: /answered with nothing, must be opened/ });
  answerWith((call) => call.write(opened));
  const again = await scene.control();
  await assert.rejects(again.step(), { code: Status.INTERNAL, message: /answered with opened, must be stepped/ });
  await again.close();
  answerWith((call) => call.end());
  const ended = await scene.control();
  await assert.rejects(ended.step(), { code: Status.CANCELLED, message: /the control is closed/ });
});

test("a signal that is aborted already opens nothing", async () => {
  server.answers["control"] = () => assert.fail();
  await assert.rejects(client.scene("scenes/a").control([], { signal: AbortSignal.abort() }), { code: Status.CANCELLED });
});

test("a lease travels as metadata", async () => {
  const leases: unknown[] = [];
  server.answers["step"] = (call: grpc.ServerUnaryCall<unknown, unknown>) => {
    leases.push(call.metadata.get("talus-lease"));
    return v1.StepResponse.fromPartial({ frame: frameMessage(1) });
  };
  const scene = client.scene("scenes/a");
  await scene.step(1, { lease: "token" });
  await scene.step(1);
  assert.deepEqual(leases, [["token"], []]);
});
