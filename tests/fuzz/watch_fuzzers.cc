// Watching a scene: what a watcher asks for, and what a client makes of the frames it gets.
#include <algorithm>
#include <memory>
#include <string>

#include "clients/cpp/columns.h"
#include "clients/cpp/frame_decoder.h"
#include "server/rpc/watch_request.h"
#include "solver/base/check.h"
#include "talus/v1/frame.pb.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

Layout MakeLayout() {
  Layout layout;
  layout.version = 1;
  layout.body_ids = {1, 2, 5};
  layout.body_names = {"floor", "ball", ""};
  layout.body_kinds = {BodyKind::kStatic, BodyKind::kDynamic, BodyKind::kDynamic};
  layout.sphere_radii_m = {0.0, 0.1, 0.1};
  return layout;
}

FramePtr MakeFrame(int64_t step_index, double shift) {
  auto frame = std::make_shared<FrameData>();
  frame->moment = step_index;
  frame->step_index = step_index;
  frame->parts = {true, true, true, true, true};
  frame->layout = std::make_shared<const Layout>(MakeLayout());
  frame->positions_world_m = {0.0, 0.0, -0.5, shift, 0.25, 0.1, 1e6 * shift, 0.0, 3.0};
  frame->orientations_wxyz = {1.0, 0.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, 0.5, -0.5, 0.5, -0.5};
  frame->linear_velocities_world_m_s.assign(9, shift);
  frame->angular_velocities_world_rad_s.assign(9, -shift);
  return frame;
}

}  // namespace

void FeedWatchRequest(std::string_view text) {
  v1::WatchStateRequest message;
  if (!ReadText(text, message)) return;
  absl::StatusOr<rpc::WatchRequest> request = rpc::DecodeWatchRequest(message);
  if (!request.ok()) return CheckRefusal(request.status());
  const absl::Status valid = ValidateWatch(request->options);
  if (!valid.ok()) return CheckRefusal(valid);
  if (!request->options.bodies.all()) {
    auto bodies = SelectedBodies::Resolve(request->options.bodies, MakeLayout());
    if (!bodies.ok()) return CheckRefusal(bodies.status());
    request->view.bodies = *std::move(bodies);
  }
  // As the server sends frames and a client reads them: a key frame, then one told by it.
  client::FrameDecoder decoder;
  const FramePtr key = MakeFrame(0, 0.0);
  wire::FrameView view = request->view;
  for (const FramePtr& frame : {key, MakeFrame(1, 0.01), MakeFrame(2, -40.0)}) {
    v1::Frame sent;
    wire::EncodeFrame(*frame, view, sent);
    TALUS_CHECK(decoder.Decode(sent).ok());
    view.base = key;
  }
}

void FeedEventRequest(std::string_view text) {
  v1::WatchEventsRequest message;
  if (!ReadText(text, message)) return;
  const absl::StatusOr<EventWatchOptions> options = rpc::DecodeEventWatch(message);
  if (!options.ok()) return CheckRefusal(options.status());
  const absl::Status valid = ValidateEventWatch(*options);
  if (!valid.ok()) return CheckRefusal(valid);
  const auto bodies = SelectedBodies::Resolve(options->bodies, MakeLayout());
  if (!bodies.ok()) CheckRefusal(bodies.status());
}

void FeedFrames(std::string_view bytes) {
  client::FrameDecoder decoder;
  // A length of two bytes before each frame.
  while (bytes.size() >= 2) {
    const size_t size =
        static_cast<unsigned char>(bytes[0]) + 256u * static_cast<unsigned char>(bytes[1]);
    bytes.remove_prefix(2);
    v1::Frame frame;
    if (!frame.ParseFromString(std::string(bytes.substr(0, size)))) return;
    const v1::Frame before = frame;
    const auto decoded = decoder.Decode(frame);
    if (!decoded.ok()) {
      TALUS_CHECK(!decoded.error().message.empty());
      TALUS_CHECK(frame.SerializeAsString() == before.SerializeAsString());
    }
    bytes.remove_prefix(std::min(size, bytes.size()));
  }
}

}  // namespace talus::fuzz
