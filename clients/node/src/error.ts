// What a failed call says: the gRPC code, and the machine-readable detail that the server puts into the trailing
// metadata `talus-error-bin`. Every promise and every stream of this package fails with a TalusError and nothing else,
// save for mistakes in the arguments themselves (TypeError, RangeError).
import { Metadata, status as Status, type ServiceError } from "@grpc/grpc-js";

import { ErrorDetail, ErrorReason, type ErrorStatus } from "./gen/talus/v1/error";

/** Trailing metadata that carries a serialized talus.v1.ErrorDetail. */
export const ERROR_DETAIL_KEY = "talus-error-bin";

/** A call that failed. Fields the server did not give are empty strings or zero. */
export class TalusError extends Error {
  override readonly name = "TalusError";
  /** The canonical gRPC code. */
  readonly code: Status;
  /** Its name, as in `NOT_FOUND`. */
  readonly codeName: string;
  /** Why, finer than the code. */
  readonly reason: ErrorReason;
  /** Its name, as in `MAILBOX_FULL`. */
  readonly reasonName: string;
  /** Path of the offending field, as in `bodies[3].mass_kg`. */
  readonly field: string;
  /** The value that was met, as text. */
  readonly value: string;
  /** What would have been allowed, as in `must be > 0`. */
  readonly allowed: string;
  /** Steps completed before the call ended. */
  readonly stepsDone: bigint;
  /** The scene's step index now, where that is the question. */
  readonly stepIndex: bigint;
  /** Name of the limit that was reached, as in GetServerInfo. */
  readonly limitName: string;
  /** Its value. */
  readonly limitValue: bigint;
  /** When to try again, milliseconds; 0 when trying again does not help. */
  readonly retryAfterMs: number;

  constructor(code: Status, message: string, detail?: ErrorDetail, options?: ErrorOptions) {
    super(`${Status[code] ?? code}: ${message}`, options);
    const known = detail ?? ErrorDetail.fromPartial({});
    this.code = code;
    this.codeName = Status[code] ?? String(code);
    this.reason = known.reason;
    this.reasonName = ErrorReason[known.reason] ?? String(known.reason);
    this.field = known.field;
    this.value = known.value;
    this.allowed = known.allowed;
    this.stepsDone = known.stepsDone;
    this.stepIndex = known.stepIndex;
    this.limitName = known.limitName;
    this.limitValue = known.limitValue;
    this.retryAfterMs = Number(known.retryAfterMs);
  }

  /** Turns whatever a gRPC call failed with into a TalusError. */
  static from(error: unknown): TalusError {
    if (error instanceof TalusError) return error;
    if (isServiceError(error)) {
      return new TalusError(error.code, error.details, decodeDetail(error.metadata), { cause: error });
    }
    const text = error instanceof Error ? error.message : String(error);
    return new TalusError(Status.UNKNOWN, text, undefined, { cause: error });
  }

  /** A failure that came inside an answer. */
  static ofStatus({ code, message, detail }: ErrorStatus): TalusError {
    return new TalusError(code, message, detail);
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && typeof (error as Partial<ServiceError>).code === "number";
}

// A detail that does not parse is left out rather than allowed to hide the code and message it came with.
function decodeDetail(metadata: Metadata | undefined): ErrorDetail | undefined {
  const bytes = metadata?.get(ERROR_DETAIL_KEY)[0];
  if (!(bytes instanceof Uint8Array)) return undefined;
  try {
    return ErrorDetail.decode(bytes);
  } catch {
    return undefined;
  }
}
