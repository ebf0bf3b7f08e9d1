#include "clients/cli/run_job.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "clients/cli/contact_table.h"
#include "clients/cli/context.h"
#include "clients/cli/exit_code.h"
#include "clients/cli/output_file.h"
#include "clients/cli/patience.h"
#include "clients/cli/run_judgement.h"

namespace talus::cli {
namespace {

using client::Done;
using client::Result;

// A chunk is interrupted only at its end, so that the sums of its steps are never lost.
constexpr double kChunkSeconds = 0.2;
const client::CallOptions kNoDeadline{std::chrono::milliseconds{0}, {}};

}  // namespace

client::CallOptions RunJob::Making() const { return {options_.timeout, interruption_.token()}; }

Result<Done> RunJob::Adopt() {
  auto info = Patiently(Patience(), [&] { return scene_->Info(kNoDeadline); });
  if (!info) return info.error();
  now_.set_step_index(info->step_index());
  now_.set_state_hash(info->state_hash());
  now_.mutable_totals()->set_body_count(info->body_count());
  time_s_ = info->time_s();
  last_step_ = identity_.steps();
  if (last_step_ > 0) return Done{};
  const double steps = identity_.seconds() / info->settings().time_step_s();
  if (!(steps <= static_cast<double>(kMostRunSteps))) {
    std::ostringstream text;
    text << "--seconds " << identity_.seconds() << " are " << steps
         << " steps of this scene, must be at most " << kMostRunSteps;
    return MakeError(client::Code::kOutOfRange, text.str());
  }
  last_step_ = std::max<int64_t>(1, std::llround(steps));
  return Done{};
}

Result<v1::Frame> RunJob::State(const v1::FrameSelection& selection) {
  return Patiently(Patience(), [&] { return scene_->State(selection, kNoDeadline); });
}

v1::FrameSelection RunJob::FrameParts() const {
  v1::FrameSelection selection = client::SelectState();
  selection.set_report(true);
  selection.set_layout(true);
  selection.set_contacts(identity_.contacts() && fault_.empty());
  return selection;
}

Result<Done> RunJob::Begin() {
  auto made = scene_.Make(identity_.scene(), Making());
  if (made) made = Adopt();
  if (!made) return made;
  auto writer = client::FrameWriter::Open(folder_.PathOf("frames.binpb"));
  if (!writer) return writer.error();
  frames_.emplace(std::move(*writer));
  now_.set_written_layout_version(-1);
  return WriteFrame(State(FrameParts()));
}

Result<Done> RunJob::Resume(RunFolder::Saved saved) {
  auto made = scene_.Make(saved.snapshot, message_bytes_, Making());
  if (made) made = Adopt();
  if (!made) return made;
  const auto found =
      std::find_if(saved.progress.checkpoints().begin(), saved.progress.checkpoints().end(),
                   [&](const record::RunCheckpoint& checkpoint) {
                     return checkpoint.step_index() == now_.step_index() &&
                            checkpoint.state_hash() == now_.state_hash();
                   });
  if (found == saved.progress.checkpoints().end()) {
    return MakeError(client::Code::kDataLoss,
                     folder_.PathOf("snapshot.bin") + " does not belong to progress.json");
  }
  now_ = *found;
  folder_.GoOnFrom(now_);
  now_.mutable_totals()->set_resumed_count(now_.totals().resumed_count() + 1);
  const std::string path = folder_.PathOf("frames.binpb");
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  if (failure || static_cast<int64_t>(size) < now_.frame_bytes()) {
    return MakeError(client::Code::kDataLoss, path + " is shorter than progress.json says");
  }
  auto writer = client::FrameWriter::Open(path, now_.frame_bytes());
  if (!writer) return writer.error();
  frames_.emplace(std::move(*writer));
  return Done{};
}

Result<Done> RunJob::WriteFrame(Result<v1::Frame> frame) {
  if (!frame) return frame.error();
  // Stage times are wall clock: two runs of the same scene would differ by them alone.
  if (frame->has_report()) frame->mutable_report()->clear_stage_times();
  if (frame->layout_version() == now_.written_layout_version()) frame->clear_layout();
  auto written = frames_->Write(*frame);
  if (!written) return written;
  now_.set_written_layout_version(frame->layout_version());
  now_.set_last_frame_step(frame->step_index());
  now_.set_frame_bytes(frames_->byte_size());
  return Done{};
}

bool RunJob::FrameDue(int64_t step) const {
  return step == last_step_ ||
         (identity_.frames_every() > 0 && step % identity_.frames_every() == 0);
}

bool RunJob::SaveDue() const {
  if (options_.snapshot_every > 0) return now_.step_index() % options_.snapshot_every == 0;
  return Clock::now() >= next_save_;
}

int64_t RunJob::ChunkEnd() const {
  const int64_t step = now_.step_index();
  int64_t end = std::min(step + std::min(chunk_, steps_per_call_), last_step_);
  for (const int64_t every : {identity_.frames_every(), options_.snapshot_every}) {
    if (every > 0) end = std::min(end, (step / every + 1) * every);
  }
  return end;
}

Result<v1::StepResponse> RunJob::Step(int64_t first, int64_t step_count,
                                      const v1::FrameSelection& selection) {
  client::StepOptions step;
  step.expected_step_index = first;
  step.call = kNoDeadline;
  step.selection = selection;
  return Patiently(Patience(interruption_.token()), [&] {
    const Clock::time_point start = Clock::now();
    auto response = scene_->Step(step_count, step);
    call_wall_s_ = std::chrono::duration<double>(Clock::now() - start).count();
    return response;
  });
}

Result<Done> RunJob::StepChunk(RunDisplay& display) {
  const int64_t first = now_.step_index();
  const int64_t end = ChunkEnd();
  const bool frame_due = FrameDue(end);
  v1::FrameSelection selection;
  selection.set_report(true);
  if (frame_due) selection = FrameParts();
  auto response = Step(first, end - first, selection);
  if (!response) {
    const client::Error& error = response.error();
    if (error.detail.reason() == v1::ERROR_REASON_SCENE_FAULTED) {
      auto counted = CountUpToFault(error.detail.steps_done());
      if (!counted) return counted;
      fault_ = error.message;
      return EndFaulted();
    }
    // Told to end while it waited for its turn: what there is, is saved.
    if (Patience::AsksToWait(error) && interruption_.requested()) return Done{};
    return error;
  }
  chunk_ = std::clamp<int64_t>(static_cast<int64_t>(static_cast<double>(end - first) *
                                                    kChunkSeconds / std::max(call_wall_s_, 1e-6)),
                               1, 2 * chunk_);
  Count(*response);
  display.Show(now_.step_index(), time_s_, now_.totals().contact_count(),
               response->frame().report().residual());
  if (frame_due) return WriteFrame(std::move(*response->mutable_frame()));
  return Done{};
}

void RunJob::Count(const v1::StepResponse& response) {
  const v1::Frame& frame = response.frame();
  now_.set_step_index(frame.step_index());
  now_.set_state_hash(frame.state_hash());
  time_s_ = frame.time_s();
  record::RunTotals& totals = *now_.mutable_totals();
  totals.set_residual_worst(std::max(totals.residual_worst(), response.worst_residual()));
  totals.set_penetration_worst_m(
      std::max(totals.penetration_worst_m(), response.worst_penetration_m()));
  totals.set_unconverged_steps(totals.unconverged_steps() + response.unconverged_steps());
  totals.set_sweep_count(totals.sweep_count() + response.sweep_count());
  totals.set_wall_s(totals.wall_s() + call_wall_s_);
  totals.set_body_count(frame.report().body_count());
  totals.set_contact_count(frame.report().contact_count());
}

// The call that a fault ends does not tell the sums of its steps. They are made again, from the
// last checkpoint on, up to the step before the fault.
Result<Done> RunJob::CountUpToFault(int64_t steps_done) {
  if (steps_done == 0) return Done{};
  auto saved = folder_.LoadSaved();
  if (!saved) return saved.error();
  auto made = saved->has_value() ? scene_.Make((*saved)->snapshot, message_bytes_, Making())
                                 : scene_.Make(identity_.scene(), Making());
  if (!made) return made;
  auto info = Patiently(Patience(), [&] { return scene_->Info(kNoDeadline); });
  if (!info) return info.error();
  for (int64_t step = info->step_index(); step < now_.step_index();) {
    const int64_t count = std::min({now_.step_index() - step, chunk_, steps_per_call_});
    auto again = Step(step, count, {});
    if (!again) return again.error();
    if (interruption_.requested()) return MakeError(client::Code::kCancelled, "interrupted");
    step += count;
  }
  v1::FrameSelection report;
  report.set_report(true);
  auto again = Step(now_.step_index(), steps_done, report);
  if (!again) return again.error();
  Count(*again);
  return Done{};
}

// The scene keeps its last good state; that is the last frame.
Result<Done> RunJob::EndFaulted() {
  auto frame = State(FrameParts());
  if (!frame) return frame.error();
  if (frame->step_index() == now_.last_frame_step()) return Done{};
  return WriteFrame(std::move(frame));
}

Result<Done> RunJob::StepOn(RunDisplay& display) {
  next_save_ = Clock::now() + options_.snapshot_period;
  while (now_.step_index() < last_step_ && fault_.empty() && !interruption_.requested()) {
    auto done = StepChunk(display);
    if (!done) return done;
    if (now_.step_index() < last_step_ && fault_.empty() && SaveDue()) {
      done = Save();
      if (!done) return done;
      next_save_ = Clock::now() + options_.snapshot_period;
    }
  }
  return Done{};
}

Result<Done> RunJob::Save() {
  auto synced = frames_->Sync();
  if (!synced) return synced;
  auto snapshot = Patiently(Patience(), [&] { return scene_->DownloadSnapshot(kNoDeadline); });
  if (!snapshot) return snapshot.error();
  return folder_.Save(*snapshot, now_);
}

Result<Done> RunJob::WriteContacts() {
  v1::FrameSelection selection;
  // A step that faults leaves none; a scene that was made again up to it would have some.
  selection.set_contacts(fault_.empty());
  selection.set_layout(true);
  auto frame = State(selection);
  if (!frame) return frame.error();
  return WriteFileAtomically(folder_.PathOf("contacts.csv"), ContactTable(*frame, frame->layout()));
}

Result<record::RunSummary> RunJob::Summarize() {
  const record::RunTotals& totals = now_.totals();
  record::RunSummary summary;
  summary.set_steps(static_cast<uint32_t>(now_.step_index()));
  summary.set_seconds(time_s_);
  summary.set_state_hash(HexHash(now_.state_hash()));
  summary.set_residual_worst(totals.residual_worst());
  summary.set_penetration_worst_m(totals.penetration_worst_m());
  summary.set_unconverged_steps(static_cast<uint32_t>(totals.unconverged_steps()));
  summary.set_sweeps(static_cast<double>(totals.sweep_count()));
  summary.set_bodies(static_cast<uint32_t>(totals.body_count()));
  summary.set_contacts(static_cast<uint32_t>(totals.contact_count()));
  summary.set_wall_seconds(totals.wall_s());
  if (totals.wall_s() > 0) {
    summary.set_steps_per_second(static_cast<double>(now_.step_index()) / totals.wall_s());
    summary.set_real_time_factor(time_s_ / totals.wall_s());
  }
  if (identity_.has_seed() && identity_.scene().emitters_size() > 0) {
    summary.set_seed(std::to_string(identity_.seed()));
  }
  summary.set_threads(threads_);
  summary.set_resumed(static_cast<uint32_t>(totals.resumed_count()));
  summary.set_fault(fault_);
  if (!fault_.empty()) {
    summary.set_outcome("faulted");
    summary.set_exit_code(kExitFaulted);
  } else if (now_.step_index() < last_step_) {
    summary.set_outcome("interrupted");
    summary.set_exit_code(kExitInterrupted);
  } else {
    JudgeCompleteRun(options_.allowed_unconverged, summary);
  }
  auto written = folder_.WriteSummary(summary);
  if (!written) return written.error();
  return summary;
}

Result<record::RunSummary> RunJob::Execute() {
  scene_.Forget();
  auto summary = ExecuteOnServer();
  scene_.Forget();
  return summary;
}

Result<record::RunSummary> RunJob::ExecuteOnServer() {
  auto info = Patiently(Patience(), [&] { return client_.GetServerInfo({}, kNoDeadline); });
  if (!info) return info.error();
  steps_per_call_ = std::max<int64_t>(1, info->limits().steps_per_call());
  message_bytes_ = info->limits().message_bytes();
  threads_ = static_cast<uint32_t>(info->worker_threads_per_scene());
  auto saved = folder_.LoadSaved();
  if (!saved) return saved.error();
  const bool resumed = saved->has_value();
  auto ready = resumed ? Resume(std::move(**saved)) : Begin();
  if (!ready) return ready.error();
  // A run killed after its last checkpoint has its contacts already.
  const bool steps_left = now_.step_index() < last_step_;
  {
    RunDisplay display(options_.quiet, now_.step_index(), last_step_);
    auto stepped = StepOn(display);
    if (!stepped) return stepped.error();
  }
  const bool interrupted = now_.step_index() < last_step_ && fault_.empty();
  if (!interrupted && steps_left) {
    auto written = WriteContacts();
    if (!written) return written.error();
  }
  if (fault_.empty()) {
    auto stored = Save();
    if (!stored) return stored.error();
  }
  return Summarize();
}

}  // namespace talus::cli
