// A scripted gRPC server in this process: each test says what it answers.
import * as grpc from "@grpc/grpc-js";
import { ERROR_DETAIL_KEY, v1 } from "talus";

/** Returns the response, or of one request a promise of it; a server-streaming method writes to the call instead. */
export type Answer = (call: any) => unknown;

/** `answers` by method name as in `step`. */
export class FakeServer {
  readonly requests: { method: string; request: any }[] = [];
  address = "";
  private readonly server = new grpc.Server();

  constructor(readonly answers: Record<string, Answer>) {}

  static async start(answers: Record<string, Answer> = {}): Promise<FakeServer> {
    const fake = new FakeServer(answers);
    for (const service of [
      v1.SceneServiceService,
      v1.SimulationServiceService,
      v1.QueryServiceService,
      v1.StreamServiceService,
      v1.SnapshotServiceService,
      v1.RecordingServiceService,
      v1.ServerServiceService,
    ]) {
      fake.add(service as unknown as grpc.ServiceDefinition);
    }
    const port = await new Promise<number>((resolve, reject) => {
      fake.server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    fake.address = `127.0.0.1:${port}`;
    return fake;
  }

  stop(): void {
    this.server.forceShutdown();
  }

  lastRequest(): any {
    return this.requests.at(-1)!.request;
  }

  private add(service: grpc.ServiceDefinition): void {
    const handlers: grpc.UntypedServiceImplementation = {};
    for (const [method, definition] of Object.entries(service)) {
      if (definition.requestStream && !definition.responseStream) {
        handlers[method] = this.readAll(method);
        continue;
      }
      handlers[method] = definition.responseStream
        ? (call: grpc.ServerWritableStream<any, any>) => {
            this.requests.push({ method, request: call.request });
            this.answers[method]!(call);
          }
        : (call: grpc.ServerUnaryCall<any, any>, done: grpc.sendUnaryData<any>) => {
            this.requests.push({ method, request: call.request });
            Promise.resolve()
              .then(() => this.answers[method]!(call))
              .then((response) => done(null, response), done);
          };
    }
    this.server.addService(service, handlers);
  }

  // Answers once all requests are there.
  private readAll(method: string): grpc.handleClientStreamingCall<any, any> {
    return (call, done) => {
      call.on("data", (request) => this.requests.push({ method, request }));
      call.on("end", () => done(null, this.answers[method]!(call)));
    };
  }
}

/** An error with its detail in the trailing metadata, as the server sends it. */
export function failure(code: grpc.status, details: string, detail: Parameters<typeof v1.ErrorDetail.fromPartial>[0]) {
  const metadata = new grpc.Metadata();
  const bytes = v1.ErrorDetail.encode(v1.ErrorDetail.fromPartial(detail)).finish();
  metadata.set(ERROR_DETAIL_KEY, Buffer.from(bytes));
  return Object.assign(new Error(details), { code, details, metadata });
}

/** A frame of `rows` bodies whose every position component is the step index. */
export function frameMessage(stepIndex: number, rows = 2): v1.Frame {
  const positions = new Float64Array(3 * rows).fill(stepIndex);
  return v1.Frame.fromPartial({
    stepIndex: BigInt(stepIndex),
    layoutVersion: 1n,
    bodies: v1.BodyColumns.fromPartial({ positionsWorldM: new Uint8Array(positions.buffer) }),
  });
}
