// Columns: the arrays of fixed-width little-endian numbers that frames are made of. The generated messages hold each
// column as bytes of the message it came in; here they become typed arrays. A column that happens to lie at an address
// its element type allows is viewed in place (and keeps the whole message alive); any other is copied once.
import { endianness } from "node:os";

if (endianness() !== "LE") {
  throw new Error("talus: columns are little-endian, and so must be the machine");
}

/** The doubles of a column. */
export function float64Column(bytes: Uint8Array): Float64Array {
  const [buffer, offset] = aligned(bytes, 8);
  return new Float64Array(buffer, offset, bytes.length / 8);
}

/** The floats of a column, as doubles; copied. */
export function widenedColumn(bytes: Uint8Array): Float64Array {
  const [buffer, offset] = aligned(bytes, 4);
  return Float64Array.from(new Float32Array(buffer, offset, bytes.length / 4));
}

/** The 32-bit unsigned integers of a column. */
export function uint32Column(bytes: Uint8Array): Uint32Array {
  const [buffer, offset] = aligned(bytes, 4);
  return new Uint32Array(buffer, offset, bytes.length / 4);
}

/** The 64-bit unsigned integers of a column. */
export function uint64Column(bytes: Uint8Array): BigUint64Array {
  const [buffer, offset] = aligned(bytes, 8);
  return new BigUint64Array(buffer, offset, bytes.length / 8);
}

/** The bytes of a typed array, as a column of a message to be sent; not copied. */
export function columnBytes(values: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function aligned(bytes: Uint8Array, width: number): [ArrayBufferLike, number] {
  if (bytes.length % width !== 0) {
    throw new RangeError(`a column of ${width}-byte numbers cannot have ${bytes.length} bytes`);
  }
  if (bytes.byteOffset % width === 0) return [bytes.buffer, bytes.byteOffset];
  return [Uint8Array.prototype.slice.call(bytes).buffer, 0];
}
