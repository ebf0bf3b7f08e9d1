// What watchers of events are told, in which order, and what is lost when they do not listen.
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/runtime/scene_actor.h"
#include "server/stream/event_hub.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::kPatience;
using testing::MakeWorld;
using testing::RunawayBall;
using testing::Stage;
using testing::Steps;

SceneEvent EventOf(EventKind kind, std::vector<uint64_t> bodies = {},
                   std::vector<uint64_t> others = {}) {
  SceneEvent event;
  event.kind = kind;
  event.step_index = 0;
  event.body_ids = std::move(bodies);
  event.other_body_ids = std::move(others);
  return event;
}

// Watches everything, or what it is told to, and keeps it.
class EventLog {
 public:
  explicit EventLog(SceneActor& scene, const EventWatchOptions& options = {}) {
    auto subscription = scene.WatchEvents(options, [] {});
    EXPECT_TRUE(subscription.ok()) << subscription.status();
    subscription_ = *subscription;
    start_ = AwaitBatch().step_index;
  }
  ~EventLog() { subscription_->Close(); }

  int64_t start() const { return start_; }
  EventSubscription& subscription() { return *subscription_; }
  // The next event; fails the test when none comes.
  SceneEvent Next() {
    if (events_.empty()) {
      EventBatch batch = AwaitBatch();
      lost_ += batch.lost_since_last;
      events_.assign(batch.events.begin(), batch.events.end());
    }
    if (events_.empty()) return {};
    const SceneEvent event = *events_.front();
    events_.erase(events_.begin());
    return event;
  }
  bool quiet() { return events_.empty() && !subscription_->Take().has_value(); }

 private:
  EventBatch AwaitBatch() {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < until) {
      if (auto batch = subscription_->Take()) return *std::move(batch);
      std::this_thread::yield();
    }
    ADD_FAILURE() << "no events came";
    return {};
  }

  EventSubscriptionPtr subscription_;
  int64_t start_ = 0;
  int64_t lost_ = 0;
  std::vector<SceneEventPtr> events_;
};

void Step(SceneActor& scene, int64_t count) {
  Answer<StepAnswer> answer;
  scene.Step(Steps(count), nullptr, answer.Done());
  EXPECT_TRUE(answer.Get().ok());
}

// One ball 1 cm above a fixed slab, another far beside it. Ids: floor 1, ball 2, far 3.
SceneDef BallAboveFloor() {
  SceneDef scene;
  BodyDef floor;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  floor.pose_world.position = Vec3(0.0, 0.0, -0.5);
  ShapeDef slab;
  slab.geometry = Box{Vec3(1.0, 1.0, 0.5)};
  floor.shapes.push_back(slab);
  scene.bodies.push_back(floor);
  for (const char* name : {"ball", "far"}) {
    BodyDef ball;
    ball.name = name;
    ball.pose_world.position = Vec3(name[0] == 'f' ? 50.0 : 0.0, 0.0, 0.06);
    ball.mass_kg = 1.0;
    ShapeDef sphere;
    sphere.geometry = Sphere{0.05};
    ball.shapes.push_back(sphere);
    scene.bodies.push_back(ball);
  }
  return scene;
}

TEST(EventsTest, ContactsBeginAndEnd) {
  Stage stage(1);
  auto scene = stage.MakeActor(BallAboveFloor());
  EventLog log(*scene);
  EXPECT_EQ(log.start(), 0);
  Step(*scene, 200);
  const SceneEvent begin = log.Next();
  EXPECT_EQ(begin.kind, EventKind::kContactBegin);
  EXPECT_EQ(begin.body_ids, std::vector<uint64_t>{1});
  EXPECT_EQ(begin.other_body_ids, std::vector<uint64_t>{2});
  EXPECT_GT(begin.step_index, 0);
  EXPECT_LT(begin.step_index, 200);
  EXPECT_EQ(begin.sequence, 1);
  EXPECT_TRUE(log.quiet()) << "a ball at rest stays in contact";
  Answer<std::shared_ptr<const Layout>> removed;
  scene->RemoveBodies({{}, {"ball"}}, nullptr, removed.Done());
  ASSERT_TRUE(removed.Get().ok());
  const SceneEvent gone = log.Next();
  EXPECT_EQ(gone.kind, EventKind::kBodiesRemoved);
  EXPECT_EQ(gone.body_ids, std::vector<uint64_t>{2});
  EXPECT_EQ(gone.step_index, 200);
  Step(*scene, 1);
  const SceneEvent end = log.Next();
  EXPECT_EQ(end.kind, EventKind::kContactEnd);
  EXPECT_EQ(end.body_ids, std::vector<uint64_t>{1});
  EXPECT_EQ(end.step_index, 201);
  EXPECT_EQ(end.sequence, 3);
}

TEST(EventsTest, AStepThatIsNotMadeEndsNoContacts) {
  Stage stage(1);
  stage.limits.contacts_per_scene = 1;
  auto scene = stage.MakeActor(BallAboveFloor());
  Step(*scene, 200);
  EventLog log(*scene);
  AddBodiesCall one_more;
  one_more.bodies = {BallAboveFloor().bodies[1]};
  one_more.bodies[0].name = "second";
  one_more.bodies[0].pose_world.position = Vec3(0.5, 0.0, 0.05);
  Answer<AddBodiesAnswer> added;
  scene->AddBodies(one_more, nullptr, added.Done());
  ASSERT_TRUE(added.Get().ok());
  EXPECT_EQ(log.Next().kind, EventKind::kBodiesAdded);
  StepCall pushed = Steps(1);
  pushed.actuation = Actuation{
      {{ActuatorKind::kBodyWrench, 0, "far", 0}}, nullptr, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  Answer<StepAnswer> refused;
  scene->Step(pushed, nullptr, refused.Done());
  EXPECT_EQ(refused.GetError(absl::StatusCode::kResourceExhausted).limit_name,
            "contacts_per_scene");
  Answer<std::shared_ptr<const Layout>> removed;
  scene->RemoveBodies({{}, {"second"}}, nullptr, removed.Done());
  ASSERT_TRUE(removed.Get().ok());
  EXPECT_EQ(log.Next().kind, EventKind::kBodiesRemoved);
  Step(*scene, 2);
  EXPECT_TRUE(log.quiet()) << "the ball has lain there all along";
}

TEST(EventsTest, WatchingChangesNoBits) {
  Stage stage(1);
  auto watched = stage.MakeActor(BallAboveFloor(), "watched");
  auto alone = stage.MakeActor(BallAboveFloor(), "alone");
  EventLog log(*watched);
  Step(*watched, 100);
  Step(*alone, 100);
  EXPECT_EQ(watched->info().state_hash, alone->info().state_hash);
}

TEST(EventsTest, WhoComesLaterIsNotToldOfWhatWas) {
  Stage stage(1);
  auto scene = stage.MakeActor(BallAboveFloor());
  Step(*scene, 200);
  EventLog log(*scene);
  EXPECT_EQ(log.start(), 200);
  Step(*scene, 20);
  EXPECT_TRUE(log.quiet());
}

TEST(EventsTest, BodiesComeByHandAndARestoreTakesThemBack) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  EventLog log(*scene);
  AddBodiesCall call;
  call.bodies = FallingBalls(3).bodies;
  for (BodyDef& body : call.bodies) body.name += "-later";
  Answer<AddBodiesAnswer> added;
  scene->AddBodies(call, nullptr, added.Done());
  ASSERT_TRUE(added.Get().ok());
  const SceneEvent more = log.Next();
  EXPECT_EQ(more.kind, EventKind::kBodiesAdded);
  EXPECT_EQ(more.body_ids, (std::vector<uint64_t>{2, 3, 4}));
  Answer<SceneInfo> restored;
  scene->Restore(MakeWorld(FallingBalls(1)), nullptr, restored.Done());
  ASSERT_TRUE(restored.Get().ok());
  EXPECT_EQ(log.Next().kind, EventKind::kSceneRestored);
  const SceneEvent fewer = log.Next();
  EXPECT_EQ(fewer.kind, EventKind::kBodiesRemoved);
  EXPECT_EQ(fewer.body_ids, (std::vector<uint64_t>{2, 3, 4}));
}

TEST(EventsTest, AfterAResetOfTheTimeContactsBeginWithTheNextStep) {
  Stage stage(1);
  auto scene = stage.MakeActor(BallAboveFloor());
  Step(*scene, 200);
  EventLog log(*scene);
  ResetCall call;
  call.all = false;
  call.scope.time = true;
  Answer<SceneInfo> reset;
  scene->Reset(call, nullptr, reset.Done());
  ASSERT_TRUE(reset.Get().ok());
  EXPECT_EQ(log.Next().kind, EventKind::kSceneRestored);
  EXPECT_TRUE(log.quiet());
  Step(*scene, 1);
  EXPECT_EQ(log.Next().kind, EventKind::kContactBegin);
}

TEST(EventsTest, AFaultIsToldOnceWithItsReason) {
  Stage stage(1);
  auto scene = stage.MakeActor(RunawayBall());
  EventLog log(*scene);
  Answer<StepAnswer> answer;
  scene->Step(Steps(100'000), nullptr, answer.Done());
  answer.GetError(absl::StatusCode::kFailedPrecondition);
  const SceneEvent fault = log.Next();
  EXPECT_EQ(fault.kind, EventKind::kSceneFaulted);
  EXPECT_EQ(fault.text, scene->info().fault);
  EXPECT_EQ(fault.step_index, scene->info().step_index);
  Answer<StepAnswer> again;
  scene->Step(Steps(1), nullptr, again.Done());
  again.GetError(absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(log.quiet());
}

TEST(EventsTest, TheEndIsTheLastEvent) {
  for (const bool drain : {false, true}) {
    Stage stage(1);
    auto scene = stage.MakeActor(FallingBalls(1));
    EventLog log(*scene);
    Answer<int> ended;
    const auto done = [done = ended.Done()] { done(0); };
    drain ? scene->Drain(done) : scene->Delete(done);
    ASSERT_TRUE(ended.Get().ok());
    EXPECT_FALSE(log.subscription().FindEnd().has_value());
    EXPECT_EQ(log.Next().kind, drain ? EventKind::kSceneDraining : EventKind::kSceneDeleted);
    ASSERT_TRUE(log.subscription().FindEnd().has_value());
    EXPECT_EQ(FindErrorInfo(*log.subscription().FindEnd()).reason,
              drain ? ErrorReason::kDraining : ErrorReason::kSceneDeleted);
    EXPECT_FALSE(scene->WatchEvents({}, [] {}).ok());
  }
}

TEST(EventsTest, ADroppedWatcherIsTold) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  EventLog log(*scene);
  auto slow = *scene->Watch({.policy = SlowPolicy::kDisconnect}, [] {});
  Step(*scene, 5);
  const SceneEvent dropped = log.Next();
  EXPECT_EQ(dropped.kind, EventKind::kWatcherDropped);
  EXPECT_EQ(dropped.text, "DISCONNECT");
  EXPECT_TRUE(log.quiet());
}

TEST(EventsTest, WhatNoStateShowsIsPostedByWhoKnows) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  Step(*scene, 3);
  EventLog log(*scene);
  SceneEvent missed = EventOf(EventKind::kDeadlineMissed);
  missed.step_index = -1;
  missed.lateness_s = 0.25;
  missed.text = "HOLD_LAST";
  scene->PostEvent(missed);
  const SceneEvent told = log.Next();
  EXPECT_EQ(told.kind, EventKind::kDeadlineMissed);
  EXPECT_EQ(told.step_index, 3);
  EXPECT_EQ(told.lateness_s, 0.25);
  EXPECT_EQ(told.text, "HOLD_LAST");
}

Layout FourBodies() {
  Layout layout;
  layout.version = 1;
  layout.body_ids = {1, 2, 3, 4};
  layout.body_names = {"a", "b", "c", "d"};
  return layout;
}

EventSubscriptionPtr Begin(EventHub& hub, const EventWatchOptions& options) {
  auto subscription = *hub.Subscribe(options, [] {});
  hub.AdmitNewcomers(FourBodies(), 7);
  const auto greeting = subscription->Take();
  EXPECT_TRUE(greeting.has_value() && greeting->events.empty() && greeting->step_index == 7);
  return subscription;
}

TEST(EventsTest, OnlyChosenKindsAndBodiesAreTold) {
  EventHub hub(4);
  EventWatchOptions options;
  options.kinds.set(static_cast<size_t>(EventKind::kContactBegin));
  options.kinds.set(static_cast<size_t>(EventKind::kSceneFaulted));
  options.bodies.names = {"b"};
  auto watcher = Begin(hub, options);
  hub.Post(EventOf(EventKind::kContactBegin, {1, 2, 3}, {2, 3, 4}));
  hub.Post(EventOf(EventKind::kContactBegin, {1}, {3}));
  hub.Post(EventOf(EventKind::kContactEnd, {1}, {2}));
  hub.Post(EventOf(EventKind::kSceneFaulted));
  const auto batch = watcher->Take();
  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->events.size(), 2u);
  EXPECT_EQ(batch->events[0]->body_ids, (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(batch->events[0]->other_body_ids, (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(batch->events[1]->kind, EventKind::kSceneFaulted);
  EXPECT_EQ(batch->events[1]->sequence, 4);
}

TEST(EventsTest, AFullQueueLosesTheOldestAndCounts) {
  EventHub hub(4);
  EventWatchOptions options;
  options.queue_events = 10;
  auto watcher = Begin(hub, options);
  for (int i = 0; i < 25; ++i) hub.Post(EventOf(EventKind::kDeadlineMissed));
  auto batch = watcher->Take();
  ASSERT_TRUE(batch.has_value());
  EXPECT_EQ(batch->lost_since_last, 15);
  ASSERT_EQ(batch->events.size(), 10u);
  EXPECT_EQ(batch->events.front()->sequence, 16);
  EXPECT_EQ(batch->events.back()->sequence, 25);
  hub.Post(EventOf(EventKind::kDeadlineMissed));
  EXPECT_EQ(watcher->Take()->lost_since_last, 0);
}

TEST(EventsTest, ImpossibleOptionsAndMissingBodiesAreRefused) {
  EventHub hub(2);
  EventWatchOptions options;
  for (const int64_t events : {int64_t{0}, kMostQueuedEvents + 1}) {
    options.queue_events = events;
    EXPECT_EQ(FindErrorInfo(hub.Subscribe(options, [] {}).status()).field, "queue_events");
  }
  options = {};
  options.bodies.every_kth_row = 2;
  EXPECT_EQ(FindErrorInfo(hub.Subscribe(options, [] {}).status()).field, "bodies.every_kth_row");
  options = {};
  options.bodies.ids = {9};
  auto watcher = *hub.Subscribe(options, [] {});
  hub.AdmitNewcomers(FourBodies(), 0);
  EXPECT_FALSE(watcher->Take().has_value());
  ASSERT_TRUE(watcher->FindEnd().has_value());
  EXPECT_EQ(FindErrorInfo(*watcher->FindEnd()).field, "bodies.ids[0]");
  auto second = *hub.Subscribe({}, [] {});
  EXPECT_EQ(FindErrorInfo(hub.Subscribe({}, [] {}).status()).limit_name, "watchers_per_scene");
  watcher->Close();
  EXPECT_TRUE(hub.Subscribe({}, [] {}).ok());
}

}  // namespace
}  // namespace talus
