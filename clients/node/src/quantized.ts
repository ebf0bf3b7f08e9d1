// Poses of the profile QUANTIZED (talus.v1.QuantizedBodies) as numbers again: positions off by half a position step at
// most, rotations by 2e-4 rad.
import type { QuantizedBodies } from "./gen/talus/v1/frame";

/** Decoded poses: 3 numbers a body in metres, and 4: w, x, y, z. */
export interface Poses {
  positionsWorldM: Float64Array;
  orientationsWxyz: Float64Array;
}

/** Decodes the frames of one stream in the order they came: all but key frames refer to the last key frame. */
export class QuantizedDecoder {
  private keyMoment: bigint | undefined;
  private grid: Float64Array = new Float64Array(0);
  private key: Poses = { positionsWorldM: new Float64Array(0), orientationsWxyz: new Float64Array(0) };

  /** Throws a RangeError when the frame refers to a key frame that this decoder has not seen last, or tells other rows. */
  decode(message: QuantizedBodies): Poses {
    return message.keyFrame ? this.decodeKey(message) : this.decodeChanges(message);
  }

  private decodeKey(message: QuantizedBodies): Poses {
    const grid = integers(message.keyPositions, 4);
    const key = {
      positionsWorldM: grid.map((number) => number * message.positionStepM),
      orientationsWxyz: orientations(message.orientations),
    };
    const placed = key.positionsWorldM.length / 3;
    const turned = key.orientationsWxyz.length / 4;
    if (placed > 0 && turned > 0 && placed !== turned) {
      throw new RangeError(`the key frame has ${placed} rows of positions, ${turned} of orientations`);
    }
    placeWideRows(message, key.positionsWorldM);
    [this.grid, this.key, this.keyMoment] = [grid, key, message.keyMoment];
    return this.copyKey();
  }

  private decodeChanges(message: QuantizedBodies): Poses {
    if (message.keyMoment !== this.keyMoment) {
      throw new RangeError(`the frame refers to key frame ${message.keyMoment}, the last was ${this.keyMoment}`);
    }
    const poses = this.copyKey();
    const rows = changedRows(
      message.changedRows,
      Math.max(poses.positionsWorldM.length / 3, poses.orientationsWxyz.length / 4),
    );
    if (poses.positionsWorldM.length > 0) {
      const deltas = integers(message.positionDeltas, 2);
      checkTold(rows, deltas.length / 3);
      rows.forEach((row, i) => {
        for (let axis = 0; axis < 3; ++axis) {
          const number = this.grid[3 * row + axis]! + deltas[3 * i + axis]!;
          poses.positionsWorldM[3 * row + axis] = number * message.positionStepM;
        }
      });
    }
    if (poses.orientationsWxyz.length > 0) {
      const turned = orientations(message.orientations);
      checkTold(rows, turned.length / 4);
      rows.forEach((row, i) => poses.orientationsWxyz.set(turned.subarray(4 * i, 4 * i + 4), 4 * row));
    }
    placeWideRows(message, poses.positionsWorldM);
    return poses;
  }

  // A caller may write into what he gets.
  private copyKey(): Poses {
    return { positionsWorldM: this.key.positionsWorldM.slice(), orientationsWxyz: this.key.orientationsWxyz.slice() };
  }
}

function changedRows(bits: Uint8Array, count: number): number[] {
  if (bits.length !== Math.ceil(count / 8)) {
    throw new RangeError(`the frame and its key frame of ${count} rows differ in their rows`);
  }
  const rows: number[] = [];
  for (let row = 0; row < 8 * bits.length; ++row) {
    if (((bits[row >> 3]! >> (row & 7)) & 1) === 0) continue;
    if (row >= count) throw new RangeError(`row ${row} changed, but there are ${count} rows`);
    rows.push(row);
  }
  return rows;
}

function checkTold(rows: number[], told: number): void {
  if (told !== rows.length) throw new RangeError(`the frame tells ${told} rows, ${rows.length} changed`);
}

function placeWideRows(message: QuantizedBodies, positions: Float64Array): void {
  const told = message.widePositionsWorldM;
  message.wideRows.forEach((row, i) => {
    if (3 * row + 3 > positions.length || 3 * i + 3 > told.length) {
      throw new RangeError(`row ${row} is told in full, but there are ${positions.length / 3} rows`);
    }
    for (let axis = 0; axis < 3; ++axis) positions[3 * row + axis] = told[3 * i + axis]!;
  });
}

// Little-endian signed integers as doubles, which hold them exactly.
function integers(bytes: Uint8Array, width: 2 | 4): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: bytes.length / width }, (_, i) =>
    width === 4 ? view.getInt32(4 * i, true) : view.getInt16(2 * i, true),
  );
}

function orientations(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length / 6;
  const quaternions = new Float64Array(4 * count);
  for (let row = 0; row < count; ++row) {
    const words = [0, 2, 4].map((offset) => view.getUint16(6 * row + offset, true));
    const largest = (words[0]! >> 15) | ((words[1]! >> 15) << 1);
    let rest = 1;
    for (let k = 0; k < 3; ++k) {
      const component = (((words[k]! & 0x7fff) / 32767) * 2 - 1) / Math.SQRT2;
      rest -= component * component;
      // The k-th of the others: one further behind the largest.
      quaternions[4 * row + k + (largest <= k ? 1 : 0)] = component;
    }
    quaternions[4 * row + largest] = Math.sqrt(Math.max(0, rest));
  }
  return quaternions;
}
