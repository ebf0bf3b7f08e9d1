// Poses of the profile QUANTIZED become doubles within the stated bounds; floats become doubles.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Frame, QuantizedDecoder, v1 } from "talus";

const STEP = 1e-3;

function gridBytes(numbers: number[], width: 2 | 4): Uint8Array {
  const view = new DataView(new ArrayBuffer(width * numbers.length));
  numbers.forEach((number, i) => (width === 4 ? view.setInt32(4 * i, number, true) : view.setInt16(2 * i, number, true)));
  return new Uint8Array(view.buffer);
}

const grid = (positions: number[]) => positions.map((x) => Math.round(x / STEP));

function key(positions: number[], keyMoment = 1n): v1.QuantizedBodies {
  return v1.QuantizedBodies.fromPartial({
    keyMoment,
    keyFrame: true,
    positionStepM: STEP,
    keyPositions: gridBytes(grid(positions), 4),
  });
}

function delta(positions: number[], from: number[], keyMoment = 1n): v1.QuantizedBodies {
  const base = grid(from);
  const deltas = grid(positions).map((number, i) => number - base[i]!);
  const changedRows = new Uint8Array(Math.ceil(deltas.length / 24));
  const told: number[] = [];
  for (let row = 0; row < deltas.length / 3; ++row) {
    const move = deltas.slice(3 * row, 3 * row + 3);
    if (move.every((number) => number === 0)) continue;
    changedRows[row >> 3]! |= 1 << (row & 7);
    told.push(...move);
  }
  return v1.QuantizedBodies.fromPartial({
    keyMoment,
    positionStepM: STEP,
    positionDeltas: gridBytes(told, 2),
    changedRows,
  });
}

// As frame.proto tells it.
function orientationBytes(quaternion: number[]): Uint8Array {
  const sizes = quaternion.map(Math.abs);
  const largest = sizes.indexOf(Math.max(...sizes));
  const sign = Math.sign(quaternion[largest]!);
  const words = quaternion
    .filter((_, i) => i !== largest)
    .map((component) => Math.round(((sign * component * Math.SQRT2 + 1) / 2) * 32767));
  words[0]! |= (largest & 1) << 15;
  words[1]! |= (largest >> 1) << 15;
  return new Uint8Array(Uint16Array.from(words).buffer);
}

test("positions follow their key frame within half a step", () => {
  const start = Array.from({ length: 30 }, (_, i) => 17 * Math.sin(i));
  const decoder = new QuantizedDecoder();
  decoder.decode(key(start));
  for (let round = 1; round < 4; ++round) {
    const moved = start.map((x, i) => x + 9 * Math.sin(i * round));
    const { positionsWorldM } = decoder.decode(delta(moved, start));
    moved.forEach((x, i) => assert.ok(Math.abs(positionsWorldM[i]! - x) <= STEP / 2 + 1e-12));
  }
});

test("rows that did not change are as in the key frame", () => {
  const start = Array.from({ length: 33 }, (_, i) => i);
  const upright = [...orientationBytes([1, 0, 0, 0])];
  const decoder = new QuantizedDecoder();
  const first = { ...key(start), wideRows: [4], widePositionsWorldM: [1e12, 0, 0] };
  first.orientations = Uint8Array.from(Array.from({ length: 11 }, () => upright).flat());
  decoder.decode(first).positionsWorldM.fill(0); // the decoder keeps its own
  const moved = start.map((x, i) => (i >= 27 && i < 30 ? x + 0.25 : x));
  const poses = decoder.decode({ ...delta(moved, start), orientations: orientationBytes([0, 0, 1, 0]) });
  moved.splice(12, 3, 1e12, 0, 0);
  moved.forEach((x, i) => assert.ok(Math.abs(poses.positionsWorldM[i]! - x) <= STEP / 2 + 1e-12, `${i}`));
  assert.ok(Math.abs(poses.orientationsWxyz[4 * 9 + 2]! - 1) < 1e-4);
  assert.ok(Math.abs(poses.orientationsWxyz[4 * 8]! - 1) < 1e-4);
  const still = delta(start, start);
  assert.equal(still.positionDeltas.length, 0);
  assert.ok(Math.abs(decoder.decode(still).positionsWorldM[27]! - 27) <= STEP / 2);
});

test("rows that do not fit are refused", () => {
  const decoder = new QuantizedDecoder();
  decoder.decode(key([0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const message = delta([1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  for (const [bits, refused] of [
    [[], /3 rows/],
    [[3], /2 changed/],
    [[0], /0 changed/],
    [[8], /row 3/],
  ] as const) {
    assert.throws(() => decoder.decode({ ...message, changedRows: Uint8Array.from(bits) }), refused);
  }
});

test("a key frame that does not fit is refused and the last one kept", () => {
  const decoder = new QuantizedDecoder();
  decoder.decode(key([1, 2, 3]));
  const broken = { ...key([0, 0, 0, 0, 0, 0], 2n), orientations: orientationBytes([1, 0, 0, 0]) };
  assert.throws(() => decoder.decode(broken), /2 rows of positions, 1 of orientations/);
  const { positionsWorldM } = decoder.decode(delta([1, 2, 3], [1, 2, 3]));
  [1, 2, 3].forEach((x, i) => assert.ok(Math.abs(positionsWorldM[i]! - x) <= STEP / 2));
});

test("rows told in full are exact", () => {
  const message = { ...key([1, 2, 3, 0, 0, 0]), wideRows: [1], widePositionsWorldM: [1e12, -5.25, 0.1] };
  assert.deepEqual([...new QuantizedDecoder().decode(message).positionsWorldM].slice(3), [1e12, -5.25, 0.1]);
  assert.throws(() => new QuantizedDecoder().decode({ ...message, wideRows: [2] }), /row 2/);
  assert.throws(() => new QuantizedDecoder().decode({ ...message, wideRows: [1, 0] }), RangeError);
});

test("a foreign key frame is refused", () => {
  const decoder = new QuantizedDecoder();
  assert.throws(() => decoder.decode(delta([0, 0, 0], [0, 0, 0])), RangeError);
  decoder.decode(key([0, 0, 0], 4n));
  assert.throws(() => decoder.decode(delta([0, 0, 0], [0, 0, 0], 3n)), RangeError);
  const nine = Array.from({ length: 27 }, () => 0);
  assert.throws(() => decoder.decode(delta(nine, nine, 4n)), /rows/);
});

test("rotations are within the stated angle", () => {
  const quaternions = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1], [0.5, -0.5, 0.5, -0.5]];
  for (let i = 0; i < 200; ++i) {
    const raw = [Math.sin(i), Math.sin(2 * i + 1), Math.cos(3 * i), Math.cos(5 * i + 2)];
    quaternions.push(raw.map((component) => component / Math.hypot(...raw)));
  }
  const orientations = Buffer.concat(quaternions.map(orientationBytes));
  const message = v1.QuantizedBodies.fromPartial({ keyFrame: true, orientations });
  const { orientationsWxyz } = new QuantizedDecoder().decode(message);
  let worst = 0;
  quaternions.forEach((quaternion, row) => {
    const decoded = [...orientationsWxyz.subarray(4 * row, 4 * row + 4)];
    assert.ok(Math.abs(Math.hypot(...decoded) - 1) < 1e-12);
    const dot = decoded.reduce((sum, component, i) => sum + component * quaternion[i]!, 0);
    const chord = Math.hypot(...decoded.map((component, i) => component - Math.sign(dot) * quaternion[i]!));
    worst = Math.max(worst, 4 * Math.asin(chord / 2));
  });
  assert.ok(worst > 1e-5 && worst <= 2e-4, `${worst}`);
});

test("floats become doubles, and rows say which bodies they are of", () => {
  const bytes = (values: number[]) => new Uint8Array(Float32Array.from(values).buffer);
  const frame = new Frame(
    v1.Frame.fromPartial({
      floatBodies: { positionsWorldM: bytes([0.1, 2, 3]) },
      floatContacts: { bodyARows: new Uint8Array(Uint32Array.of(3).buffer), gapsM: bytes([-0.25]) },
      selectedRows: { rows: new Uint8Array(Uint32Array.of(9).buffer) },
    }),
  );
  assert.deepEqual([...frame.bodies!.positionsWorldM], [Math.fround(0.1), 2, 3]);
  assert.deepEqual([...frame.contacts!.gapsM], [-0.25]);
  assert.deepEqual([...frame.rows!], [9]);
  assert.equal(new Frame(v1.Frame.fromPartial({})).rows, undefined);
});
