import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { readFrames, v1 } from "talus";

import { frameMessage } from "./fake_server";

const folder = mkdtempSync(join(tmpdir(), "talus-frames-"));
after(() => rmSync(folder, { recursive: true }));

function record(message: v1.Frame): Uint8Array {
  return new BinaryWriter().bytes(v1.Frame.encode(message).finish()).finish();
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function indices(source: string | AsyncIterable<Uint8Array>, seen: bigint[] = []): Promise<bigint[]> {
  for await (const frame of readFrames(source)) seen.push(frame.stepIndex);
  return seen;
}

// Frames of 0 bytes (index 0, no rows), of one and of two length bytes.
const frames = [v1.Frame.fromPartial({}), frameMessage(1), frameMessage(2, 2000), frameMessage(3, 7)];
const recording = Buffer.concat(frames.map(record));

test("a recording gives its frames, however it is cut", async () => {
  for (const size of [1, 2, 3, 7, 1000, recording.length]) {
    assert.deepEqual(await indices(cut(recording, size)), [0n, 1n, 2n, 3n]);
  }
});

test("a recording is read from a file", async () => {
  const path = join(folder, "frames.binpb");
  writeFileSync(path, recording);
  assert.deepEqual(await indices(path), [0n, 1n, 2n, 3n]);
  writeFileSync(path, "");
  assert.deepEqual(await indices(path), []);
  await assert.rejects(indices(join(folder, "missing")), { code: "ENOENT" });
});

test("a recording that was cut off gives its whole frames, then the byte where it ends", async () => {
  const seen: bigint[] = [];
  const last = recording.length - record(frames[3]!).length;
  await assert.rejects(indices(cut(recording.subarray(0, recording.length - 1), 50), seen), {
    name: "RangeError",
    message: new RegExp(`byte ${last}$`),
  });
  assert.deepEqual(seen, [0n, 1n, 2n]);
});

test("bytes that are no recording are refused", async () => {
  await assert.rejects(indices(cut(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 6)), RangeError);
  await assert.rejects(indices(cut(Uint8Array.of(2, 0x42, 0x05), 3)), RangeError);
});
