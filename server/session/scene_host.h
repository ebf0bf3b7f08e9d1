// Everything between the sockets and the solver, put together: clock, threads, core budget, scenes,
// stored snapshots, analyses. The RPC layer holds one of these and nothing else of the middle ring.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/runtime/analysis_queue.h"
#include "server/runtime/clock.h"
#include "server/runtime/step_statistics.h"
#include "server/session/limits.h"
#include "server/session/memory_quota.h"
#include "server/session/recording_archive.h"
#include "server/session/scene_library.h"
#include "server/session/scene_registry.h"
#include "server/session/snapshot_archive.h"
#include "server/session/storage_event.h"

namespace talus {

struct SceneHostOptions {
  Limits limits;
  int workers = 1;                               // cores lent in all, >= 1
  int workers_per_scene = 1;                     // most cores lent to one step, >= 1
  std::string data_directory;                    // empty: snapshots cannot be stored
  std::chrono::milliseconds autosave_period{0};  // 0: scenes are stored by CreateSnapshot only
  int autosave_keep = 2;                         // newest states stored of each scene, >= 1
  // Scenes that nobody used for so long are evicted to the data directory, but those with an
  // idle_ttl_s of their own; 0: never.
  std::chrono::milliseconds evict_after{0};
  // Between short steps no farther apart than this cores stay awake; 0: they need not.
  std::chrono::microseconds keep_awake{0};
  // Of the threads that step, store and record; 0: those of the thread that makes the host.
  std::chrono::microseconds time_slice{0};
  // Nice value of those that step; 0: that of the thread that makes the host.
  int step_nice = 0;
  // Scenes that callers make by name; not null.
  std::shared_ptr<const SceneLibrary> library = std::make_shared<const SceneLibrary>();
  StorageReport report;                           // may be empty
  MemoryQuota::ReadResident read_resident_bytes;  // empty: limits.memory_bytes is not kept
  bool accept_hdf5 = false;                       // contact problems may come as HDF5 files
  std::chrono::microseconds quantum{
      5000};  // a scene yields its thread after so long, at a step boundary
};

// How busy the server is at one moment.
struct HostLoad {
  SceneLoad scenes;
  int64_t executor_busy = 0;  // scenes that step or wait for a thread
  int64_t cores_lent = 0;
  int64_t analyses = 0;  // and conversions held, those at work included
  RecordingLoad recordings;
  int64_t evictions = 0;  // so far
  int64_t returns = 0;    // of evicted scenes to memory
  bool draining = false;
};

class SceneHost {
 public:
  // Brings the scenes back that the data directory holds, each reported. UNAVAILABLE (STORAGE) when
  // the data directory cannot be used. `clock` must outlive the host;
  // null: the machine's.
  static absl::StatusOr<std::unique_ptr<SceneHost>> Open(const SceneHostOptions& options,
                                                         Clock* clock = nullptr);
  // Drains without patience, then joins all threads.
  ~SceneHost();

  SceneRegistry& registry();
  SnapshotArchive& archive();
  RecordingArchive& recordings();
  // Contact mechanics, which may take long.
  AnalysisQueue& analyses();
  // What is over soon: between our forms and those of files, which is bounded by their size, and
  // transitions. Who comes with a robot does not wait for somebody's analysis.
  AnalysisQueue& conversions();
  const SceneLibrary& library() const;
  Clock& clock();
  const SceneHostOptions& options() const;
  // What its steps are solved with (solver/world/instruction_set.h).
  static std::string_view instruction_set();
  const StepStatistics& steps() const;
  HostLoad load() const;
  // For who takes bytes in before anything is made of them: RESOURCE_EXHAUSTED (memory_bytes).
  absl::Status AdmitMemory();
  // Ids of stored snapshots that are damaged, for the log at start; empty without a data directory.
  std::vector<std::string> FindDamagedSnapshots() const;

  // Refuses new work, ends what runs at its next step boundary, ends the streams and stores the
  // scenes that are autosaved; true when all came to rest within `patience`. Steps that have not
  // ended after three quarters of it are given up. Blocks.
  bool Drain(std::chrono::milliseconds patience);

 private:
  struct Impl;
  explicit SceneHost(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus
