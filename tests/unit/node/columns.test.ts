import assert from "node:assert/strict";
import { test } from "node:test";

import { columnBytes, float64Column, Frame, uint32Column, v1 } from "talus";

const NUMBERS = [0, -0, 1 / 3, -2.5e300, Number.MIN_VALUE, Number.POSITIVE_INFINITY];

// The bytes of `values`, starting `shift` bytes into a buffer.
function shifted(values: Float64Array | Uint32Array, shift: number): Uint8Array {
  const room = new Uint8Array(values.byteLength + shift);
  room.set(columnBytes(values), shift);
  return room.subarray(shift);
}

test("a column has the same bits at every alignment", () => {
  for (let shift = 0; shift < 8; ++shift) {
    const column = float64Column(shifted(Float64Array.from(NUMBERS), shift));
    assert.ok([...column].every((value, index) => Object.is(value, NUMBERS[index])));
    assert.deepEqual([...uint32Column(shifted(Uint32Array.of(0, 7, 0xffffffff), shift))], [0, 7, 0xffffffff]);
  }
});

test("an aligned column is a view, a misaligned one a copy", () => {
  const aligned = shifted(Float64Array.from(NUMBERS), 8);
  assert.equal(float64Column(aligned).buffer, aligned.buffer);
  const misaligned = shifted(Float64Array.from(NUMBERS), 4);
  assert.notEqual(float64Column(misaligned).buffer, misaligned.buffer);
  assert.equal(uint32Column(misaligned).buffer, misaligned.buffer);
});

test("a Buffer of the shared pool is copied, not sliced", () => {
  const pooled = Buffer.from(columnBytes(Float64Array.from(NUMBERS)));
  const shiftedPool = Buffer.concat([Buffer.alloc(1), pooled]).subarray(1);
  assert.deepEqual([...float64Column(shiftedPool)], NUMBERS);
});

test("a length that is no whole number of elements is refused", () => {
  assert.throws(() => float64Column(new Uint8Array(12)), RangeError);
  assert.throws(() => uint32Column(new Uint8Array(6)), RangeError);
  assert.equal(float64Column(new Uint8Array(0)).length, 0);
});

test("the twin's bytes are what packed doubles look like on the wire", () => {
  // positions_world_m: tag 1, length-delimited, 24 bytes; then three little-endian doubles.
  const wire = v1.BodyColumns.encode(
    v1.BodyColumns.fromPartial({ positionsWorldM: columnBytes(Float64Array.of(1, 2, 3)) }),
  ).finish();
  assert.deepEqual([...wire.subarray(0, 2)], [0x0a, 24]);
  assert.equal(new DataView(wire.buffer, wire.byteOffset).getFloat64(2 + 16, true), 3);
  assert.deepEqual([...float64Column(v1.BodyColumns.decode(wire).positionsWorldM)], [1, 2, 3]);
});

test("a frame gives every column and 64-bit integer as it was", () => {
  const message = v1.Frame.fromPartial({
    stepIndex: 2n ** 60n,
    stateHash: 2n ** 64n - 1n,
    bodies: {
      positionsWorldM: columnBytes(Float64Array.of(1, 2, 3)),
      orientationsWxyz: columnBytes(Float64Array.of(1, 0, 0, 0)),
    },
    contacts: {
      bodyARows: columnBytes(Uint32Array.of(0)),
      bodyBRows: columnBytes(Uint32Array.of(1)),
      modes: columnBytes(Uint32Array.of(5)),
      wrenchesContact: columnBytes(Float64Array.of(1, 2, 3, 4, 5, 6)),
    },
  });
  const frame = new Frame(v1.Frame.decode(v1.Frame.encode(message).finish()));
  assert.equal(frame.stepIndex, 2n ** 60n);
  assert.equal(frame.stateHash, 2n ** 64n - 1n);
  assert.equal(frame.bodies?.count, 1);
  assert.deepEqual([...frame.bodies!.orientationsWxyz], [1, 0, 0, 0]);
  assert.equal(frame.bodies?.linearVelocitiesWorldMS.length, 0);
  assert.equal(frame.contacts?.count, 1);
  assert.deepEqual([...frame.contacts!.wrenchesContact], [1, 2, 3, 4, 5, 6]);
  assert.equal(frame.report, undefined);
  assert.equal(frame.layout, undefined);
});
