// One gRPC channel to a server, with calls as promises and async iterables. It knows deadlines, cancellation and errors,
// and nothing of scenes; Client and Scene say what is called.
import { isIPv4 } from "node:net";
import { Readable, type Writable } from "node:stream";

import { Client as GrpcClient, Metadata, credentials, status as Status } from "@grpc/grpc-js";
import type { ChannelCredentials, ChannelOptions, ClientReadableStream, ServiceError } from "@grpc/grpc-js";

import { DuplexStream } from "./duplex_stream";
import { TalusError } from "./error";
import { MessageStream } from "./message_stream";

/** What every call takes. */
export interface CallOptions {
  /** The call fails with DEADLINE_EXCEEDED after so long; unset: the connection's defaultTimeoutMs. */
  timeoutMs?: number | undefined;
  /** Aborting it cancels the call, which then fails with CANCELLED. */
  signal?: AbortSignal | undefined;
  /** While the server cannot be reached, wait (up to the deadline) instead of failing with UNAVAILABLE. */
  waitForReady?: boolean | undefined;
  /** Token of the lease on the scene (`Control.lease`), for calls that change it while somebody controls it. */
  lease?: string | undefined;
}

/** How to connect. */
export interface ConnectOptions {
  /** Deadline of calls with one answer that name none; unset: none. Others have one only when the call asks for it. */
  defaultTimeoutMs?: number;
  /** Speak TLS. Unset: plain text, for loopback and unix sockets. */
  tls?: TlsOptions;
  /** Sent with every call. Never in plain text beyond this machine: connecting throws a TypeError then. */
  token?: string;
  /** Credentials of @grpc/grpc-js, instead of `tls`. */
  credentials?: ChannelCredentials;
  /** Largest message either way, bytes; it must not be below the server's limit [64 MiB]. */
  maxMessageBytes?: number;
  /** While a call waits, the server is pinged so often [15 000]; it takes a ping every 10 s. */
  pingIntervalMs?: number;
  /** A server that leaves a ping without an answer for so long ends its calls with UNAVAILABLE [20 000]. */
  pingTimeoutMs?: number;
  /** Further options of @grpc/grpc-js. */
  channelOptions?: ChannelOptions;
}

/** Certificates, as PEM. */
export interface TlsOptions {
  /** Authorities the server's certificate must lead to [those Node knows]. */
  ca?: Buffer;
  /** The client's own certificate, where the server asks for one; with `key`. */
  certificate?: Buffer;
  /** Its private key. */
  key?: Buffer;
  /** Name the server's certificate must have [the address's]. */
  serverName?: string;
}

/** A method as ts-proto and grpc-js describe it. */
export interface MethodDefinition<Request, Response> {
  readonly path: string;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (value: Buffer) => Response;
}

/** Metadata that carries the token of a lease. */
const LEASE_KEY = "talus-lease";

const DEFAULT_MESSAGE_BYTES = 64 * 2 ** 20;
const DEFAULT_PING_INTERVAL_MS = 15_000;
const DEFAULT_PING_TIMEOUT_MS = 20_000;
/** A server that comes back is found within so long. */
const LONGEST_BACKOFF_MS = 2_000;

export class Connection {
  readonly address: string;
  private readonly channel: GrpcClient;
  private readonly defaultTimeoutMs: number | undefined;
  private readonly token: string | undefined;

  /** `host:port` or `unix:/absolute/path`. Connects with the first call. */
  constructor(address: string, options: ConnectOptions = {}) {
    const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES;
    this.address = address;
    this.defaultTimeoutMs = options.defaultTimeoutMs;
    this.token = options.token;
    if (options.token !== undefined && options.tls === undefined && options.credentials === undefined) {
      if (!isLocal(address)) throw new TypeError(`a token is not sent to ${address} in plain text: use TLS`);
    }
    this.channel = new GrpcClient(address, options.credentials ?? channelCredentials(options.tls), {
      ...(options.tls?.serverName === undefined ? {} : { "grpc.ssl_target_name_override": options.tls.serverName }),
      "grpc.max_receive_message_length": maxMessageBytes,
      "grpc.max_send_message_length": maxMessageBytes,
      "grpc.keepalive_time_ms": options.pingIntervalMs ?? DEFAULT_PING_INTERVAL_MS,
      "grpc.keepalive_timeout_ms": options.pingTimeoutMs ?? DEFAULT_PING_TIMEOUT_MS,
      "grpc.max_reconnect_backoff_ms": LONGEST_BACKOFF_MS,
      // What another connection has met there does not keep this one waiting.
      "grpc.use_local_subchannel_pool": 1,
      // A proxy from the environment must not come between a client and a socket on this machine.
      "grpc.enable_http_proxy": 0,
      ...options.channelOptions,
    });
  }

  /** Resolves once the server can be reached; fails with DEADLINE_EXCEEDED after timeoutMs. */
  waitForReady(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.channel.waitForReady(Date.now() + timeoutMs, (error) => {
        if (error === undefined) return resolve();
        const text = `${this.address} was not ready within ${timeoutMs} ms`;
        reject(new TalusError(Status.DEADLINE_EXCEEDED, text, undefined, { cause: error }));
      });
    });
  }

  unary<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    options: CallOptions = {},
  ): Promise<Response> {
    return oneAnswer(options.signal, (done: Answered<Response>) =>
      this.channel.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        this.metadata(options),
        callDeadline(options.timeoutMs ?? this.defaultTimeoutMs),
        done,
      ),
    );
  }

  /** Sends the requests one after the other, as fast as the transport takes them, and resolves to the one answer. */
  clientStream<Request, Response>(
    method: MethodDefinition<Request, Response>,
    requests: Iterable<Request>,
    options: CallOptions = {},
  ): Promise<Response> {
    return oneAnswer(options.signal, (done: Answered<Response>) => {
      const source = Readable.from(requests);
      const call = this.channel.makeClientStreamRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        this.metadata(options),
        callDeadline(options.timeoutMs ?? this.defaultTimeoutMs),
        (error: ServiceError | null, response?: Response) => {
          source.destroy(); // the server may have answered before it has read everything
          done(error, response);
        },
      );
      source.pipe(call as Writable);
      return call;
    });
  }

  /** Starts a server stream at once. `convert` turns each message into what the reader gets. */
  serverStream<Request, Response, Item>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    convert: (message: Response) => Item,
    options: CallOptions = {},
  ): MessageStream<Item> {
    const call: ClientReadableStream<Response> = this.channel.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      this.metadata(options),
      callDeadline(options.timeoutMs),
    );
    return new MessageStream(call, convert as (message: unknown) => Item, options.signal);
  }

  /** Starts a stream both ways at once; nothing is sent yet. Throws where the signal is aborted already. */
  duplexStream<Request, Response>(
    method: MethodDefinition<Request, Response>,
    options: CallOptions = {},
  ): DuplexStream<Request, Response> {
    if (options.signal?.aborted) throw cancelledBeforeStart();
    const call = this.channel.makeBidiStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      this.metadata(options),
      callDeadline(options.timeoutMs),
    );
    return new DuplexStream(call, options.signal);
  }

  close(): void {
    this.channel.close();
  }

  private metadata(options: CallOptions): Metadata {
    const metadata = new Metadata({ waitForReady: options.waitForReady ?? false });
    if (this.token !== undefined) metadata.set("authorization", `Bearer ${this.token}`);
    if (options.lease !== undefined) metadata.set(LEASE_KEY, options.lease);
    return metadata;
  }
}

type Answered<Response> = (error: ServiceError | null, response?: Response) => void;

/** What the call that `start` begins ends with; an abort of the signal cancels it. */
function oneAnswer<Response>(
  signal: AbortSignal | undefined,
  start: (done: Answered<Response>) => { cancel(): void },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelledBeforeStart());
    const call = start((error, response) => {
      signal?.removeEventListener("abort", cancel);
      if (error !== null) reject(TalusError.from(error));
      else resolve(response as Response);
    });
    const cancel = () => call.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
  });
}

function channelCredentials(tls: TlsOptions | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  if ((tls.certificate === undefined) !== (tls.key === undefined)) {
    throw new TypeError("a client certificate and its key need each other");
  }
  return credentials.createSsl(tls.ca ?? null, tls.key ?? null, tls.certificate ?? null);
}

/** Whether `address` is reached without leaving this machine. */
function isLocal(address: string): boolean {
  if (address.startsWith("unix:")) return true;
  const host = address.slice(0, address.lastIndexOf(":"));
  return host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}

function callDeadline(timeoutMs: number | undefined): { deadline?: number } {
  return timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
}

function cancelledBeforeStart(): TalusError {
  return new TalusError(Status.CANCELLED, "the signal was aborted before the call");
}
