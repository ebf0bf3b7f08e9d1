// A stream both ways: messages are sent as they come, and those of the other side are read as from any MessageStream.
import type { ClientDuplexStream } from "@grpc/grpc-js";

import { MessageStream } from "./message_stream";

export class DuplexStream<Request, Response> extends MessageStream<Response> {
  constructor(
    private readonly duplex: ClientDuplexStream<Request, Response>,
    signal?: AbortSignal,
  ) {
    super(duplex, (message) => message as Response, signal);
  }

  /** Sends without waiting; what the transport cannot take yet waits in memory. Not after closeSending. */
  send(message: Request): void {
    this.duplex.write(message);
  }

  /** Says that nothing more will be sent. The other side may go on. */
  closeSending(): void {
    this.duplex.end();
  }
}
