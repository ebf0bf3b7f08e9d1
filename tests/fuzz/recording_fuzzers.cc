// Recordings: as the server replays them, as talusctl exports them, and the frames a run keeps.
#include <algorithm>
#include <string>
#include <vector>

#include "clients/cli/contact_table.h"
#include "clients/cli/export/moment_reader.h"
#include "clients/cli/export/recording_reader.h"
#include "clients/cpp/frame_file.h"
#include "server/storage/mcap_reader.h"
#include "server/storage/mcap_writer.h"
#include "server/wire/recording_codec.h"
#include "solver/base/check.h"
#include "talus/v1/simulation_service.pb.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/scratch_file.h"

namespace talus::fuzz {
namespace {

// The cells of each line of a table; commas and line ends between quotes are text.
std::vector<int> CountCells(const std::string& table) {
  std::vector<int> counts;
  int cells = 1;
  bool quoted = false;
  for (const char letter : table) {
    if (letter == '"') quoted = !quoted;
    if (quoted) continue;
    cells += letter == ',' ? 1 : 0;
    if (letter == '\n') counts.push_back(std::exchange(cells, 1));
  }
  TALUS_CHECK(!quoted);
  return counts;
}

// What whoever writes a moment relies on.
void CheckMoment(const cli::Moment& moment, const cli::MomentChoice& choice) {
  TALUS_CHECK(moment.time_s >= choice.from_s && moment.time_s <= choice.to_s);
  const v1::Layout& layout = *moment.layout;
  for (const int row : moment.rows) TALUS_CHECK(row >= 0 && row < layout.body_ids_size());
  TALUS_CHECK(!choice.bodies.empty() ||
              static_cast<int>(moment.rows.size()) == layout.body_ids_size());
  if (moment.bodies) {
    const int count = static_cast<int>(moment.rows.size());
    const auto fits = [count](int size, int width) { return size == 0 || size == width * count; };
    const v1::BodyColumns& bodies = moment.bodies->bodies();
    TALUS_CHECK(fits(bodies.positions_world_m_size(), 3));
    TALUS_CHECK(fits(bodies.orientations_wxyz_size(), 4));
    TALUS_CHECK(fits(bodies.linear_velocities_world_m_s_size(), 3));
    TALUS_CHECK(fits(bodies.angular_velocities_world_rad_s_size(), 3));
  }
  if (moment.contacts) {
    const std::vector<int> cells = CountCells(cli::ContactTable(*moment.contacts, layout));
    TALUS_CHECK(static_cast<int>(cells.size()) ==
                1 + moment.contacts->contacts().body_a_rows_size());
    for (const int count : cells) TALUS_CHECK(count == cells.front());
  }
}

// Whether all of it was read.
bool ReadMoments(const std::string& path, const cli::MomentChoice& choice) {
  auto recording = cli::RecordingReader::Open(path);
  if (!recording) {
    TALUS_CHECK(!recording.error().message.empty());
    return false;
  }
  cli::MomentReader moments(*recording, choice);
  cli::Moment moment;
  while (true) {
    // Each moment takes a message, so that this ends.
    const auto more = moments.Next(&moment);
    if (!more) {
      TALUS_CHECK(!more.error().message.empty());
      return false;
    }
    if (!*more) return !recording->truncated();
    CheckMoment(moment, choice);
  }
}

struct RecordedMessage {
  uint16_t channel;
  std::string data;
};

constexpr const char* kTopics[] = {"/layout", "/frames", "/contacts", "/diagnostics"};

// What a recorder makes of a frame: a message for each part of it, by the topic's number.
void AppendMessages(const v1::Frame& frame, std::vector<RecordedMessage>* messages) {
  v1::Frame bodies = frame;
  bodies.clear_contacts();
  bodies.clear_report();
  bodies.clear_layout();
  v1::Frame contacts = bodies;
  contacts.clear_bodies();
  *contacts.mutable_contacts() = frame.contacts();
  if (frame.has_layout()) messages->push_back({0, frame.layout().SerializeAsString()});
  if (frame.has_bodies()) messages->push_back({1, bodies.SerializeAsString()});
  if (frame.has_contacts()) messages->push_back({2, contacts.SerializeAsString()});
  if (frame.has_report()) messages->push_back({3, frame.report().SerializeAsString()});
}

std::string WriteRecording(const std::vector<RecordedMessage>& messages) {
  constexpr size_t kChunkBytes = 500;
  McapWriter writer("", "talus", kChunkBytes);
  writer.AddMetadata("talus.recording", {{"parts", "positions contacts diagnostics"}});
  std::vector<uint16_t> channels;
  for (const char* topic : kTopics) channels.push_back(writer.AddChannel(topic, 0, "protobuf"));
  uint64_t time_ns = 0;
  for (const RecordedMessage& message : messages) {
    writer.AddMessage(channels[message.channel], ++time_ns, message.data);
  }
  writer.Finish();
  return writer.TakeBytes();
}

// What was written comes back, in its order.
void CheckMessages(const std::string& path, const std::vector<RecordedMessage>& messages) {
  auto reader = McapReader::Open(path);
  TALUS_CHECK(reader.ok());
  size_t count = 0;
  while (true) {
    const absl::StatusOr<McapItem> item = reader->Next();
    TALUS_CHECK(item.ok());
    if (item->kind == McapItem::Kind::kEnd) break;
    if (item->kind != McapItem::Kind::kMessage) continue;
    TALUS_CHECK(count < messages.size());
    TALUS_CHECK(item->name == kTopics[messages[count].channel]);
    TALUS_CHECK(item->data == messages[count].data);
    ++count;
  }
  TALUS_CHECK(count == messages.size() && !reader->truncated());
}

cli::MomentChoice ChooseSome() {
  cli::MomentChoice some;
  some.every = 2;
  some.from_s = 0.0;
  some.bodies = {"ball", "1"};
  return some;
}

// How many whole frames a file begins with, and where they end.
struct WholeFrames {
  int count = 0;
  int64_t byte_count = 0;
  bool torn = false;
};

WholeFrames CountFrames(std::string_view bytes) {
  auto reader = client::FrameReader::Open(Scratch().Write(bytes));
  TALUS_CHECK(reader);
  WholeFrames whole;
  v1::Frame frame;
  while (reader->Read(&frame)) {
    TALUS_CHECK(reader->byte_offset() > whole.byte_count);
    whole.byte_count = reader->byte_offset();
    ++whole.count;
  }
  whole.torn = reader->torn();
  return whole;
}

}  // namespace

void FeedRecording(std::string_view bytes) {
  auto reader = McapReader::Open(Scratch().Write(bytes));
  if (!reader.ok()) return CheckRefusal(reader.status());
  const wire::ProtobufRecordingCodec codec;
  // Each record takes bytes of the file or of a chunk, so that this ends.
  while (true) {
    const absl::StatusOr<McapItem> item = reader->Next();
    if (!item.ok()) return CheckRefusal(item.status());
    if (item->kind == McapItem::Kind::kEnd) return;
    if (item->kind != McapItem::Kind::kMessage) continue;
    const absl::StatusOr<InputRecord> input = codec.DecodeInput(item->data);
    if (!input.ok()) CheckRefusal(input.status());
  }
}

void FeedExportFile(std::string_view bytes) {
  const std::string& path = Scratch().Write(bytes);
  ReadMoments(path, {});
  ReadMoments(path, ChooseSome());
}

void FeedMoments(std::string_view text) {
  v1::BatchStepResponse response;
  if (!ReadText(text, response)) return;
  std::vector<RecordedMessage> messages;
  for (const v1::BatchStepResult& result : response.results()) {
    AppendMessages(result.step().frame(), &messages);
  }
  const std::string file = WriteRecording(messages);
  const std::string& path = Scratch().Write(file);
  CheckMessages(path, messages);
  const bool whole = ReadMoments(path, {});
  ReadMoments(path, ChooseSome());
  // Cut off anywhere it is never the whole of it.
  const size_t cut = file.size() - 1 - text.size() % std::min<size_t>(file.size() - 1, 200);
  Scratch().Write(std::string_view(file).substr(0, cut));
  if (whole) TALUS_CHECK(!ReadMoments(path, {}));
}

void FeedFrameFile(std::string_view bytes) {
  const WholeFrames found = CountFrames(bytes);
  const auto size = static_cast<int64_t>(bytes.size());
  TALUS_CHECK(found.byte_count <= size && (found.torn || found.byte_count == size));
  // Without the torn tail they are the same, and nothing is torn.
  const WholeFrames again = CountFrames(bytes.substr(0, static_cast<size_t>(found.byte_count)));
  TALUS_CHECK(again.count == found.count && again.byte_count == found.byte_count && !again.torn);
}

}  // namespace talus::fuzz
