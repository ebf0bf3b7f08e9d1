// The canonical text of a value, the same bytes from every runner, and equality bit for bit.
import { ABSENT } from "./message_path.mjs";

export function show(value, kind) {
  if (value === ABSENT) return "absent";
  switch (kind) {
    case "NUMBER":
      return bitsOf(value);
    case "TEXT":
      return quote(value);
    case "BYTES":
      return `bytes(${value.length})`;
    default:
      return String(value); // integers, truth values, names of enumerators
  }
}

export function bitsEqual(a, b) {
  if (a === ABSENT || b === ABSENT) return a === b;
  if (typeof a === "number" && typeof b === "number") return bitsOf(a) === bitsOf(b);
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return Buffer.compare(a, b) === 0;
  return typeof a === typeof b && a === b;
}

function bitsOf(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(number);
  return bytes.toString("hex");
}

function quote(text) {
  const plain = Array.from(Buffer.from(text), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `"${plain.join("")}"`;
}
