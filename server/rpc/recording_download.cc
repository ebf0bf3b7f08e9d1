#include "server/rpc/recording_download.h"

#include "server/rpc/status.h"
#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus::rpc {
namespace {

// With its frame it must fit the smallest limit on messages, 1 MiB.
constexpr int64_t kRecordingChunk = int64_t{1} << 19;

v1::RecordingState EncodeState(RecordingState state) {
  switch (state) {
    case RecordingState::kRecording:
      return v1::RECORDING_STATE_RECORDING;
    case RecordingState::kComplete:
      return v1::RECORDING_STATE_COMPLETE;
    case RecordingState::kFailed:
      return v1::RECORDING_STATE_FAILED;
    case RecordingState::kIncomplete:
      return v1::RECORDING_STATE_INCOMPLETE;
  }
  return v1::RECORDING_STATE_UNSPECIFIED;
}

}  // namespace

void EncodeRecording(const RecordingInfo& info, v1::Recording& message) {
  message.set_recording(FormatRecordingName(info.id));
  if (!info.scene_id.empty()) message.set_scene(FormatSceneName(info.scene_id));
  message.set_state(EncodeState(info.state));
  message.set_ended_because(info.ended_because);
  v1::RecordingSelection& selection = *message.mutable_selection();
  selection.set_positions(info.parts.positions);
  selection.set_orientations(info.parts.orientations);
  selection.set_velocities(info.parts.velocities);
  selection.set_contacts(info.parts.contacts);
  selection.set_diagnostics(info.parts.report);
  message.set_every_n_steps(info.every_n_steps);
  message.set_first_step_index(info.first_step_index);
  message.set_last_step_index(info.last_step_index);
  message.set_frame_count(info.frame_count);
  message.set_input_count(info.input_count);
  message.set_dropped_frame_count(info.dropped_frames);
  message.set_byte_size(info.byte_size);
  message.set_created_unix_ms(info.created_unix_ms);
}

void RecordingDownload::Send(absl::StatusOr<Opened> opened) {
  if (!opened.ok()) return End(opened.status());
  EncodeRecording(opened->first, *chunk_.mutable_recording());
  view_ = std::move(opened->second);
  ReadNextChunk();
}

void RecordingDownload::ReadNextChunk() {
  archive_.Read(view_, sent_, kRecordingChunk, [this](absl::StatusOr<std::string> bytes) {
    if (!bytes.ok()) return End(bytes.status());
    const auto count = static_cast<int64_t>(bytes->size());
    // A file that was cut back while it was read has nothing more to give.
    if (count == 0 && sent_ > 0) return End(absl::OkStatus());
    sent_ += count;
    chunk_.set_chunk(*std::move(bytes));
    StartWrite(&chunk_);
  });
}

void RecordingDownload::OnWriteDone(bool ok) {
  if (!ok) return End(CancelledError());
  if (sent_ >= view_->size()) return End(absl::OkStatus());
  chunk_.Clear();
  ReadNextChunk();
}

void RecordingDownload::End(const absl::Status& status) {
  Finish(EncodeStatus(status, "RecordingService/DownloadRecording", context_));
}

}  // namespace talus::rpc
