// Recorded frames (frames.binpb): talus.v1.Frame messages, each behind its length as a varint. The first frame carries
// the layout, and so does every frame after the layout changed.
import { createReadStream } from "node:fs";

import { Frame } from "./frame";
import { Frame as FrameMessage } from "./gen/talus/v1/frame";

// A frame larger than this is a sign that the file is something else.
const MAX_FRAME_BYTES = 2 ** 30;

/**
 * Reads the frames of a file, or of chunks of bytes, in order. Throws a RangeError that names the byte offset when the
 * bytes end within a frame (a recording that was cut off) or are no recording; the frames before it have been given.
 */
export async function* readFrames(source: string | AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, void> {
  const chunks: AsyncIterable<Uint8Array> = typeof source === "string" ? createReadStream(source, { highWaterMark: 2 ** 20 }) : source;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let neededBytes = 1; // joining chunks before a record is whole would copy it again and again
  let offset = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < neededBytes) continue;
    const bytes = pending.length === 1 ? chunk : Buffer.concat(pending);
    let start = 0;
    let record = findRecord(bytes, start, offset);
    while (record !== undefined && record.end <= bytes.length) {
      yield decodeFrame(bytes.subarray(record.begin, record.end), offset + start);
      start = record.end;
      record = findRecord(bytes, start, offset);
    }
    pending = start < bytes.length ? [bytes.subarray(start)] : [];
    pendingBytes = bytes.length - start;
    neededBytes = record === undefined ? pendingBytes + 1 : record.end - start;
    offset += start;
  }
  if (pendingBytes > 0) {
    throw new RangeError(`the recording ends within the frame that starts at byte ${offset}`);
  }
}

function decodeFrame(bytes: Uint8Array, offset: number): Frame {
  try {
    return new Frame(FrameMessage.decode(bytes));
  } catch (error) {
    throw new RangeError(`no frame at byte ${offset}`, { cause: error });
  }
}

// Where the record at `start` lies, be it whole or not; undefined when not even its length is there yet.
function findRecord(bytes: Uint8Array, start: number, offset: number): { begin: number; end: number } | undefined {
  let length = 0;
  for (let index = 0; start + index < bytes.length; ++index) {
    const byte = bytes[start + index]!;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (length > MAX_FRAME_BYTES || index > 4) {
      throw new RangeError(`no frame at byte ${offset + start}: its length is out of range`);
    }
    if (byte < 0x80) {
      const begin = start + index + 1;
      return { begin, end: begin + length };
    }
  }
  return undefined;
}
