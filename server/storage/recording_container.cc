#include "server/storage/recording_container.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "server/session/error.h"
#include "server/storage/mcap_reader.h"

namespace talus {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

uint16_t ChannelOf(RecordingTopic topic) {
  return static_cast<uint16_t>(static_cast<int>(topic) + 1);
}

uint64_t NanosecondsOf(double time_s) {
  return static_cast<uint64_t>(std::llround(std::clamp(time_s * 1e9, 0.0, 9e18)));
}

}  // namespace

RecordingContainer::RecordingContainer(RecordingInfo info, std::unique_ptr<RecordingFile> file,
                                       std::shared_ptr<const RecordingCodec> codec,
                                       int64_t most_bytes)
    : file_(std::move(file)),
      codec_(std::move(codec)),
      most_bytes_(most_bytes),
      writer_("", "talus", kChunkBytes),
      taken_(std::move(info)),
      stored_(taken_) {}

RecordingInfo RecordingContainer::info() const {
  RecordingInfo info = refused_ ? stored_ : taken_;
  info.byte_size = file_->size();
  return info;
}

void RecordingContainer::Open() {
  writer_.AddMetadata(kRecordingBegin, MakeBeginMetadata(taken_));
  for (int index = 0; index < kRecordingTopics; ++index) {
    const RecordingSchema schema = codec_->MakeSchema(static_cast<RecordingTopic>(index));
    const uint16_t id = writer_.AddSchema(schema.name, schema.encoding, schema.data);
    writer_.AddChannel(schema.topic, id, schema.encoding);
  }
}

absl::Status RecordingContainer::Write(const RecordStart& start) {
  Open();
  // The record and its index beside the state.
  const int64_t most =
      writer_.size() + writer_.most_rest() + static_cast<int64_t>(start.snapshot.size()) + 1024;
  const int64_t limit = std::min(most_bytes_, McapReader::kMostRecordBytes);
  if (most > limit) return LimitError("recording_bytes", limit, most);
  taken_.first_step_index = taken_.last_step_index = start.step_index;
  writer_.AddAttachment("start.snapshot", "application/octet-stream", NanosecondsOf(start.time_s),
                        start.snapshot);
  absl::Status status = WriteOut();
  if (status.ok()) status = file_->Flush();
  began_ = status.ok();
  return status;
}

absl::Status RecordingContainer::Write(const InputRecord& input) {
  RecordingInfo then = taken_;
  ++then.input_count;
  then.last_step_index = input.step_index;
  if (const auto* steps = std::get_if<StepsMade>(&input.input)) {
    then.last_step_index += static_cast<int64_t>(steps->state_hashes.size());
  }
  return WriteMessage(RecordingTopic::kInputs, input.time_s, codec_->Encode(input), then);
}

absl::Status RecordingContainer::Write(const FramePtr& frame) {
  const FrameParts& parts = taken_.parts;
  const FrameParts fixed = {false, false, false, parts.contacts, parts.report};
  std::vector<RecordingTopic> topics;
  if (frame->layout_version() != written_layout_) topics.push_back(RecordingTopic::kLayout);
  if (parts != fixed) topics.push_back(RecordingTopic::kFrames);
  if (parts.contacts) topics.push_back(RecordingTopic::kContacts);
  if (parts.report) topics.push_back(RecordingTopic::kDiagnostics);
  RecordingInfo then = taken_;
  for (const RecordingTopic topic : topics) {
    // A frame is there once the last of its messages is.
    if (topic == topics.back()) ++then.frame_count;
    absl::Status status =
        WriteMessage(topic, frame->time_s, codec_->Encode(topic, *frame, parts), then);
    if (!status.ok()) return status;
  }
  written_layout_ = frame->layout_version();
  return absl::OkStatus();
}

// `then`: what there is once the message is taken.
absl::Status RecordingContainer::WriteMessage(RecordingTopic topic, double time_s,
                                              const std::string& bytes, const RecordingInfo& then) {
  const int64_t message = static_cast<int64_t>(bytes.size()) + 64;
  const int64_t most = writer_.size() + writer_.most_rest() + 2 * message;
  if (most > most_bytes_) return LimitError("recording_bytes", most_bytes_, most);
  writer_.AddMessage(ChannelOf(topic), NanosecondsOf(time_s), bytes);
  taken_ = then;
  return WriteOut();
}

absl::Status RecordingContainer::CloseChunk() {
  writer_.CloseChunk();
  return WriteOut();
}

absl::Status RecordingContainer::WriteOut(bool last) {
  const std::string bytes = writer_.TakeBytes();
  if (bytes.empty()) return absl::OkStatus();
  const absl::Status status = file_->Append(bytes, last);
  absl::Status appended = status;
  // The quota is met by what the writer has made already; that and the end of the file still go in.
  if (began_ && FindErrorInfo(status).reason == ErrorReason::kLimitReached) {
    appended = file_->Append(bytes, true);
  }
  refused_ = refused_ || !appended.ok();
  // Bytes come when a chunk is closed, with all that was taken.
  if (appended.ok()) stored_ = taken_;
  return appended.ok() ? status : appended;
}

absl::Status RecordingContainer::Finish(const RecordingInfo& info) {
  writer_.AddMetadata(kRecordingEnd, MakeEndMetadata(info));
  writer_.Finish();
  absl::Status status = WriteOut(true);
  if (status.ok()) status = file_->Flush();
  return status;
}

}  // namespace talus
