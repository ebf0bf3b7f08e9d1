// The reading end of a server stream, as an async iterator. Messages that have arrived are handed out before an error
// that came after them. Leaving a `for await` loop early, `return()`, `cancel()` and an aborted signal all cancel the
// call, so that the server stops sending.
//
// Up to 16 messages are read ahead of the reader (grpc-js); beyond that the transport stops and the server's policy for
// slow readers applies.
import type { ClientReadableStream } from "@grpc/grpc-js";

import { TalusError } from "./error";

export class MessageStream<Item> implements AsyncIterableIterator<Item> {
  private ended = false;
  private cancelled = false;
  private failure: TalusError | undefined;
  private wake: () => void = () => undefined;
  private readonly detach: () => void;

  constructor(
    private readonly call: ClientReadableStream<unknown>,
    private readonly convert: (message: unknown) => Item,
    signal?: AbortSignal,
  ) {
    const cancel = () => call.cancel();
    this.detach = () => signal?.removeEventListener("abort", cancel);
    call.on("readable", () => this.wake());
    call.on("end", () => this.finish());
    call.on("error", (error) => this.finish(TalusError.from(error)));
    if (signal?.aborted) cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next item; calls must not overlap. After the end of the call it fails or is done, every time. */
  async next(): Promise<IteratorResult<Item, undefined>> {
    for (;;) {
      if (this.cancelled) return { done: true, value: undefined };
      const message: unknown = this.call.read();
      if (message !== null) return { done: false, value: this.convert(message) };
      if (this.failure !== undefined) throw this.failure;
      if (this.ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.cancel();
    return { done: true, value: undefined };
  }

  /** Ends the call; the iterator is then done, without an error. */
  cancel(): void {
    this.cancelled = true;
    this.call.cancel();
    this.wake();
  }

  // Comes after the last message was pushed, though not after it was read.
  private finish(failure?: TalusError): void {
    this.failure ??= failure;
    this.ended = true;
    this.detach();
    this.wake();
  }
}
