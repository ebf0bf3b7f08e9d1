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
  private key: Float64Array = new Float64Array(0);

  /** Throws a RangeError when the frame refers to a key frame that this decoder has not seen last. */
  decode(message: QuantizedBodies): Poses {
    let positions: Float64Array;
    if (message.keyFrame) {
      this.key = integers(message.keyPositions, 4);
      this.keyMoment = message.keyMoment;
      positions = this.key.slice();
    } else {
      if (message.keyMoment !== this.keyMoment) {
        throw new RangeError(`the frame refers to key frame ${message.keyMoment}, the last was ${this.keyMoment}`);
      }
      positions = integers(message.positionDeltas, 2);
      if (positions.length !== this.key.length) {
        throw new RangeError(`the frame has ${positions.length / 3} rows, its key frame ${this.key.length / 3}`);
      }
      for (let i = 0; i < positions.length; ++i) positions[i]! += this.key[i]!;
    }
    for (let i = 0; i < positions.length; ++i) positions[i]! *= message.positionStepM;
    message.wideRows.forEach((row, i) => {
      for (let axis = 0; axis < 3; ++axis) positions[3 * row + axis] = message.widePositionsWorldM[3 * i + axis]!;
    });
    return { positionsWorldM: positions, orientationsWxyz: orientations(message.orientations) };
  }
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
