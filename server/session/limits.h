// The limits the server holds its callers to. Each is an option of the server and is published by
// GetServerInfo; an error that reports one names it as the field is named here.
#pragma once

#include <cstdint>

namespace talus {

struct Limits {
  int64_t message_bytes = int64_t{64} << 20;  // one message, either way; kept by the RPC layer
  int64_t memory_bytes = 0;                   // resident, of the process; 0: any
  int64_t connections = 4096;                 // at once; kept by the RPC layer
  int64_t scenes = 1024;                      // held at once
  int64_t scenes_per_client = 0;              // that one client made and that are held; 0: any
  int64_t bodies_per_scene = 200'000;         // those still owed by emitters included
  int64_t contacts_per_scene = 4'000'000;     // a step may find
  int64_t steps_per_call = 1'000'000;
  int64_t steps_per_second = 0;  // of one scene; 0: any number
  int64_t mailbox_depth = 256;   // changes waiting for one scene, and as many reads
  int64_t watchers_per_scene = 64;
  int64_t snapshot_bytes = int64_t{1} << 30;   // one stored snapshot
  int64_t snapshots = 1024;                    // stored
  int64_t model_bytes = int64_t{64} << 20;     // of imports under way, their files all together
  int64_t storage_bytes = int64_t{64} << 30;   // in the data directory, all together
  int64_t recordings = 256;                    // stored, those under way included
  int64_t recording_bytes = int64_t{4} << 30;  // one recording
  int64_t recordings_per_scene = 4;            // under way at once
  int64_t analyses = 16;                       // calls held at once, and as many conversions
  int64_t pipeline_depth = 16;                 // requests of one Control without an answer
  int64_t lease_seconds = 86'400;              // longest max_wait_s; >= 1
  int64_t calls_per_second = 0;  // one client may begin; 0: any number; kept by the RPC layer
  int64_t call_burst = 0;        // and at once; 0: as many as in a second
};

}  // namespace talus
