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
  let pending: Uint8Array = new Uint8Array(0);
  let offset = 0;
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let start = 0;
    for (;;) {
      const record = findRecord(pending, start, offset);
      if (record === undefined) break;
      yield decodeFrame(pending.subarray(record.begin, record.end), offset + start);
      start = record.end;
    }
    pending = pending.subarray(start);
    offset += start;
  }
  if (pending.length > 0) {
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

// The next whole record from `start`, or undefined when more bytes are needed.
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
      return begin + length <= bytes.length ? { begin, end: begin + length } : undefined;
    }
  }
  return undefined;
}
