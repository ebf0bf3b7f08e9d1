// Events as lines for people and for programs.
#include "clients/cli/event_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace talus::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

v1::WatchEventsResponse Touch() {
  v1::WatchEventsResponse batch;
  v1::SceneEvent& event = *batch.add_events();
  event.set_kind(v1::EVENT_KIND_CONTACT_BEGIN);
  event.set_step_index(7);
  for (const uint64_t id : {1, 2}) event.add_body_ids(id);
  for (const uint64_t id : {3, 4}) event.add_other_body_ids(id);
  return batch;
}

TEST(EventLines, TellPeople) {
  v1::WatchEventsResponse batch = Touch();
  v1::SceneEvent& late = *batch.add_events();
  late.set_kind(v1::EVENT_KIND_DEADLINE_MISSED);
  late.set_step_index(8);
  late.set_text("HOLD_LAST");
  late.set_lateness_s(0.25);
  batch.set_lost_since_last(5);
  EXPECT_EQ(EventLines(batch, false),
            "lost 5 events\nstep 7  contact-begin  1-3  2-4\n"
            "step 8  deadline-missed  HOLD_LAST  late by 0.25 s\n");
}

TEST(EventLines, TellProgramsWhatWasLostToo) {
  v1::WatchEventsResponse batch = Touch();
  EXPECT_THAT(EventLines(batch, true), StartsWith("{\"kind\":\"EVENT_KIND_CONTACT_BEGIN\""));
  batch.set_lost_since_last(5);
  EXPECT_THAT(EventLines(batch, true),
              StartsWith("{\"lost_since_last\":\"5\"}\n{\"kind\":\"EVENT_KIND_CONTACT_BEGIN\""));
}

TEST(EventLines, ANewerServersKindIsItsNumber) {
  EXPECT_EQ(NameOf(v1::EVENT_KIND_SCENE_EVICTED), "scene-evicted");
  EXPECT_EQ(NameOf(static_cast<v1::EventKind>(99)), "99");
}

}  // namespace
}  // namespace talus::cli
