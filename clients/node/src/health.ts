// The standard health check (grpc.health.v1.Health/Check), whose two one-field messages are coded here by hand.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

import type { MethodDefinition } from "./connection";

/** What a server says about itself. */
export type ServingStatus = "UNKNOWN" | "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";

const SERVING_STATUS: readonly ServingStatus[] = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];

/** HealthCheckRequest is the service's name (empty: the whole server); HealthCheckResponse is its status. */
export const HEALTH_CHECK: MethodDefinition<string, ServingStatus> = {
  path: "/grpc.health.v1.Health/Check",
  responseStream: false,
  requestSerialize: (service) => {
    const writer = new BinaryWriter();
    if (service !== "") writer.uint32(10).string(service);
    return Buffer.from(writer.finish());
  },
  responseDeserialize: (bytes) => {
    const reader = new BinaryReader(bytes);
    let serving: ServingStatus = "UNKNOWN";
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 8) serving = SERVING_STATUS[reader.int32()] ?? "UNKNOWN";
      else reader.skip(tag & 7);
    }
    return serving;
  },
};
