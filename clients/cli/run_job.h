// One run from its first step, or its last checkpoint, to its end: steps in chunks short enough to
// be interrupted, records frames, saves checkpoints. Promises that frames and final state do not
// depend on how often it was killed and resumed. It does not know where the server came from.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/interruption.h"
#include "clients/cli/run_display.h"
#include "clients/cli/run_folder.h"
#include "clients/cli/run_scene.h"
#include "clients/cpp/frame_file.h"

namespace talus::cli {

// The summary counts steps in 32 bits.
inline constexpr int64_t kMostRunSteps = 4'000'000'000;

struct RunOptions {
  // Of making the scene; 0: none. Steps have none.
  std::chrono::milliseconds timeout{60000};
  int64_t snapshot_every = 0;  // steps; 0: every `snapshot_period` of wall clock
  std::chrono::seconds snapshot_period{30};
  double allowed_unconverged = 0.01;  // share of the steps that may miss the tolerance
  bool quiet = false;
};

class RunJob {
 public:
  RunJob(client::Client client, std::string address, RunFolder& folder,
         const record::RunIdentity& identity, const RunOptions& options,
         const Interruption& interruption)
      : client_(client),
        scene_(std::move(client), std::move(address), folder),
        folder_(folder),
        identity_(identity),
        options_(options),
        interruption_(interruption) {}

  // The summary, written to the folder already; the scene is off the server again. An error leaves
  // the folder at its last checkpoint.
  client::Result<record::RunSummary> Execute();

 private:
  using Clock = std::chrono::steady_clock;

  client::Result<record::RunSummary> ExecuteOnServer();
  client::Result<client::Done> Begin();
  client::Result<client::Done> Resume(RunFolder::Saved saved);
  client::CallOptions Making() const;
  client::Result<client::Done> StepOn(RunDisplay& display);
  client::Result<client::Done> StepChunk(RunDisplay& display);
  client::Result<v1::StepResponse> Step(int64_t first, int64_t step_count,
                                        const v1::FrameSelection& selection);
  void Count(const v1::StepResponse& response);
  client::Result<client::Done> CountUpToFault(int64_t steps_done);
  client::Result<client::Done> EndFaulted();
  client::Result<v1::Frame> State(const v1::FrameSelection& selection);
  client::Result<client::Done> WriteFrame(client::Result<v1::Frame> frame);
  client::Result<client::Done> WriteContacts();
  client::Result<client::Done> Save();
  client::Result<record::RunSummary> Summarize();
  client::Result<client::Done> Adopt();
  bool FrameDue(int64_t step) const;
  bool SaveDue() const;
  int64_t ChunkEnd() const;
  v1::FrameSelection FrameParts() const;

  client::Client client_;
  RunScene scene_;
  RunFolder& folder_;
  const record::RunIdentity& identity_;
  const RunOptions& options_;
  const Interruption& interruption_;

  std::optional<client::FrameWriter> frames_;
  int64_t steps_per_call_ = 1;  // the server's limit
  int64_t message_bytes_ = 0;   // another
  uint32_t threads_ = 0;        // the server's too
  int64_t last_step_ = 0;
  int64_t chunk_ = 1;  // steps that took about a fifth of a second
  double time_s_ = 0;
  double call_wall_s_ = 0;  // of the last call that stepped
  std::string fault_;
  record::RunCheckpoint now_;  // where the run stands
  Clock::time_point next_save_{};
};

}  // namespace talus::cli
