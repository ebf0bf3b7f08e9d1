// A large pile has the same bits for any number of threads.
import assert from "node:assert/strict";
import { test } from "node:test";

import { launch } from "talus";

import { cannonballs, endWell } from "./live_server";

test("sweeps on one and on three threads agree", async () => {
  const spec = cannonballs(18, { tolerance: 1e-8, maxSweeps: 10 });
  const hashes = new Set<bigint>();
  for (const workers of [1, 3]) {
    const server = await launch({ workers, args: ["--workers-per-scene", String(workers)] });
    const client = server.connect();
    const scene = await client.createScene({ spec });
    const { frame } = await scene.step(10, { selection: { report: true } });
    const { contactCount, colorCount } = frame.report!;
    // Several chunks of contacts in a colour (a chunk is 256), so that the threads do share a sweep.
    assert.ok(contactCount > 3000n && contactCount > 2n * 256n * BigInt(colorCount), `${contactCount} / ${colorCount}`);
    hashes.add(frame.stateHash);
    client.close();
    await endWell(server);
  }
  assert.equal(hashes.size, 1);
});
