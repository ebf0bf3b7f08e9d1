// Watching: the first frame at once, each due frame once, slow readers dropped, events told.
#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

Verdict TheFirstFrameIsNow(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_OK(ground.Step(*scene, 3));
  v1::WatchStateRequest watch;
  watch.set_scene(*scene);
  watch.set_frame_limit(1);
  auto frames = ground.client().WatchState(watch, ground.call());
  const auto first = frames.Read();
  TALUS_DEMAND(first.has_value(), "no frame came");
  TALUS_DEMAND(first->frame().step_index() == 3, "the first frame is not of now");
  TALUS_DEMAND(first->frame().layout().body_ids_size() == 1, "the first frame has no layout");
  TALUS_DEMAND(!frames.Read().has_value(), "more frames than frame_limit");
  TALUS_DEMAND_OK(frames.Finish());
  return Verdict::Pass();
}

Verdict EachDueFrameComesOnce(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::WatchStateRequest watch;
  watch.set_scene(*scene);
  watch.set_every_n_steps(10);
  watch.set_policy(v1::SLOW_WATCHER_POLICY_BUFFER);
  watch.set_queue_frames(64);
  watch.set_frame_limit(11);
  auto frames = ground.client().WatchState(watch, ground.call());
  TALUS_DEMAND(frames.Read().has_value(), "no first frame came");
  TALUS_DEMAND_OK(ground.Step(*scene, 105));
  for (int64_t index = 10; index <= 100; index += 10) {
    const auto frame = frames.Read();
    TALUS_DEMAND(frame.has_value(), "the stream ended before step " + std::to_string(index));
    TALUS_DEMAND(frame->frame().step_index() == index && frame->dropped_since_last() == 0,
                 "a frame of step " + std::to_string(frame->frame().step_index()) +
                     " came in the place of " + std::to_string(index));
  }
  TALUS_DEMAND(!frames.Read().has_value(), "more frames than frame_limit");
  TALUS_DEMAND_OK(frames.Finish());
  return Verdict::Pass();
}

Verdict TheStreamEndsWithItsScene(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::WatchStateRequest watch;
  watch.set_scene(*scene);
  auto frames = ground.client().WatchState(watch, ground.call());
  TALUS_DEMAND(frames.Read().has_value(), "no first frame came");
  v1::DeleteSceneRequest request;
  request.set_scene(*scene);
  TALUS_DEMAND_OK(ground.client().DeleteScene(request, ground.call()));
  while (frames.Read().has_value()) {
  }
  TALUS_DEMAND_ERROR(frames.Finish(), kAborted, v1::ERROR_REASON_SCENE_DELETED);
  return Verdict::Pass();
}

Verdict ASlowWatcherIsDropped(Ground& ground) {
  // Frames of some 50 kB each, so that the transport's own buffers are soon full.
  v1::SceneSpec spec;
  const v1::BodySpec ball = FallingBall().bodies(0);
  constexpr int kBalls = 500;
  for (int i = 0; i < kBalls; ++i) {
    v1::BodySpec& body = *spec.add_bodies();
    body = ball;
    body.set_name("ball" + std::to_string(i));
    body.mutable_position_world_m()->set_x(i);
  }
  auto scene = ground.MakeScene(spec);
  TALUS_DEMAND_OK(scene);
  v1::WatchStateRequest watch;
  watch.set_scene(*scene);
  watch.set_policy(v1::SLOW_WATCHER_POLICY_DISCONNECT);
  watch.set_queue_frames(1);
  watch.mutable_selection()->set_positions(true);
  watch.mutable_selection()->set_orientations(true);
  watch.mutable_selection()->set_velocities(true);
  auto frames = ground.client().WatchState(watch, ground.call());
  TALUS_DEMAND(frames.Read().has_value(), "no first frame came");
  for (int round = 0; round < 40; ++round) TALUS_DEMAND_OK(ground.Step(*scene, 50));
  while (frames.Read().has_value()) {
  }
  TALUS_DEMAND_ERROR(frames.Finish(), kResourceExhausted, v1::ERROR_REASON_SLOW_WATCHER);
  TALUS_DEMAND_OK(ground.Step(*scene, 1));
  return Verdict::Pass();
}

Verdict EventsAreTold(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  v1::WatchEventsRequest watch;
  watch.set_scene(*scene);
  watch.add_kinds(v1::EVENT_KIND_CONTACT_BEGIN);
  watch.add_kinds(v1::EVENT_KIND_SCENE_DELETED);
  auto events = ground.client().WatchEvents(watch, ground.call());
  const auto first = events.Read();
  TALUS_DEMAND(first.has_value() && first->events_size() == 0, "the first message is not empty");
  TALUS_DEMAND_OK(ground.Step(*scene, 150));
  v1::DeleteSceneRequest request;
  request.set_scene(*scene);
  TALUS_DEMAND_OK(ground.client().DeleteScene(request, ground.call()));
  std::vector<v1::SceneEvent> met;
  while (const auto batch = events.Read())
    met.insert(met.end(), batch->events().begin(), batch->events().end());
  TALUS_DEMAND_ERROR(events.Finish(), kAborted, v1::ERROR_REASON_SCENE_DELETED);
  TALUS_DEMAND(!met.empty() && met.front().kind() == v1::EVENT_KIND_CONTACT_BEGIN,
               "the ball's touch was not told");
  TALUS_DEMAND(met.front().step_index() > 80 && met.front().step_index() < 92,
               "the ball's touch was told of step " + std::to_string(met.front().step_index()));
  TALUS_DEMAND(met.back().kind() == v1::EVENT_KIND_SCENE_DELETED, "the end was not told last");
  return Verdict::Pass();
}

Verdict AnUnknownBodyIsRefused(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::WatchStateRequest watch;
  watch.set_scene(*scene);
  watch.mutable_bodies()->add_names("nobody");
  auto frames = ground.client().WatchState(watch, ground.call());
  while (frames.Read().has_value()) {
  }
  TALUS_DEMAND_ERROR(frames.Finish(), kNotFound, v1::ERROR_REASON_NOT_FOUND);
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListStreamChecks() {
  return {{"streams", "the_first_frame_is_now", TheFirstFrameIsNow, {"ENTITY_STATE_GETTING"}},
          {"streams", "each_due_frame_comes_once", EachDueFrameComesOnce},
          {"streams", "the_stream_ends_with_its_scene", TheStreamEndsWithItsScene},
          {"streams", "a_slow_watcher_is_dropped", ASlowWatcherIsDropped},
          {"streams", "events_are_told", EventsAreTold},
          {"streams", "an_unknown_body_is_refused", AnUnknownBodyIsRefused}};
}

}  // namespace talus::cli::conformance
