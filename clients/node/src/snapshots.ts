// The bytes of snapshots on their way: down in chunks, and up again.
import type { CallOptions, Connection } from "./connection";
import {
  SnapshotServiceService as SnapshotService,
  type DownloadSnapshotRequest,
  type SnapshotInfo,
  type UploadSnapshotRequest,
} from "./gen/talus/v1/snapshot_service";
import type { MessageStream } from "./message_stream";

/** The chunks of a snapshot; `info` of the first says what it is. */
export type SnapshotDownload = MessageStream<SnapshotChunk>;

/** A chunk of a snapshot. */
export interface SnapshotChunk {
  /** What the snapshot is; only in the first chunk. */
  info: SnapshotInfo | undefined;
  bytes: Uint8Array;
}

/** Streams the bytes of a snapshot. */
export function downloadSnapshot(
  connection: Connection,
  source: DownloadSnapshotRequest["source"],
  options?: CallOptions,
): SnapshotDownload {
  return connection.serverStream(
    SnapshotService.downloadSnapshot,
    { source },
    ({ snapshot, chunk }) => ({ info: snapshot, bytes: chunk }),
    options,
  );
}

/** All bytes of a download in one piece, and what they are. */
export async function collectSnapshot(
  download: AsyncIterable<SnapshotChunk>,
): Promise<{ info: SnapshotInfo; data: Uint8Array }> {
  let info: SnapshotInfo | undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of download) {
    info ??= chunk.info;
    chunks.push(chunk.bytes);
  }
  if (info === undefined) throw new RangeError("the download ended without saying what it is");
  return { info, data: Buffer.concat(chunks) };
}

// With what is around it a chunk must fit the smallest limit on messages, 1 MiB.
const UPLOAD_CHUNK_BYTES = 2 ** 19;

/** The messages of an upload; an empty one where there is nothing to send, so that the server says so. */
export function* uploadRequests(data: Uint8Array, snapshotId: string): Generator<UploadSnapshotRequest, void, void> {
  for (let at = 0; at === 0 || at < data.length; at += UPLOAD_CHUNK_BYTES) {
    yield { snapshotId: at === 0 ? snapshotId : "", chunk: data.subarray(at, at + UPLOAD_CHUNK_BYTES) };
  }
}
