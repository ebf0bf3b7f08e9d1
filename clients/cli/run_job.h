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
#include "clients/cpp/frame_file.h"
#include "clients/cpp/scene.h"

namespace talus::cli {

struct RunOptions {
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
      : client_(std::move(client)),
        address_(std::move(address)),
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
  client::Result<client::Done> RememberScene(client::Result<client::Scene> scene);
  void ForgetScene();
  client::Result<client::Done> Begin();
  client::Result<client::Done> Resume(RunFolder::Saved saved);
  client::Result<client::Done> StepOn(RunDisplay& display);
  client::Result<client::Done> StepChunk(RunDisplay& display);
  client::Result<client::Done> EndFaulted();
  client::Result<client::Done> WriteFrame(client::Result<v1::Frame> frame);
  client::Result<client::Done> WriteContacts();
  client::Result<client::Done> Save();
  client::Result<record::RunSummary> Summarize(const std::string& outcome, int exit_code);
  void Adopt(const v1::SceneInfo& info);
  bool FrameDue(int64_t step) const;
  bool SaveDue() const;
  int64_t ChunkEnd() const;
  v1::FrameSelection FrameParts() const;

  client::Client client_;
  std::string address_;
  RunFolder& folder_;
  const record::RunIdentity& identity_;
  const RunOptions& options_;
  const Interruption& interruption_;

  std::optional<client::Scene> scene_;
  std::optional<client::FrameWriter> frames_;
  int64_t steps_per_call_ = 1;  // the server's limit
  uint32_t threads_ = 0;        // the server's too
  int64_t last_step_ = 0;
  double time_step_s_ = 0;
  int64_t chunk_ = 1;  // steps that took about a fifth of a second
  double time_s_ = 0;
  std::string fault_;
  record::RunCheckpoint now_;  // where the run stands
  Clock::time_point next_save_{};
};

}  // namespace talus::cli
