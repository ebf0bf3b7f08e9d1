// Which rows a selection stands for, and who is told that a body is not there.
#include "server/stream/body_selection.h"

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/stream/hub.h"

namespace talus {
namespace {

Layout MakeLayout(int64_t version, std::vector<uint64_t> ids, std::vector<std::string> names) {
  Layout layout;
  layout.version = version;
  layout.body_ids = std::move(ids);
  layout.body_names = std::move(names);
  return layout;
}

std::vector<uint32_t> RowsOf(const SelectedBodiesPtr& bodies, const Layout& layout) {
  return *bodies->FindRows(layout);
}

TEST(BodySelectionTest, IdsNamesAndStridesAddUp) {
  const Layout layout = MakeLayout(1, {2, 3, 5, 8, 13, 21}, {"a", "", "c", "", "e", ""});
  const auto rows = [&](const BodySelection& selection) {
    return RowsOf(*SelectedBodies::Resolve(selection, layout), layout);
  };
  EXPECT_EQ(rows({.ids = {13, 3, 13}}), (std::vector<uint32_t>{1, 4}));
  EXPECT_EQ(rows({.names = {"e", "a"}}), (std::vector<uint32_t>{0, 4}));
  EXPECT_EQ(rows({.every_kth_row = 3}), (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(rows({.ids = {21}, .names = {"a"}, .every_kth_row = 4}),
            (std::vector<uint32_t>{0, 4, 5}));
}

TEST(BodySelectionTest, WhatIsNotThereIsNamed) {
  const Layout layout = MakeLayout(1, {2, 3}, {"a", ""});
  const absl::Status id = SelectedBodies::Resolve({.ids = {3, 4}}, layout).status();
  EXPECT_EQ(id.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FindErrorInfo(id).field, "bodies.ids[1]");
  EXPECT_EQ(FindErrorInfo(id).value, "4");
  const absl::Status name = SelectedBodies::Resolve({.names = {"a", "b"}}, layout).status();
  EXPECT_EQ(FindErrorInfo(name).field, "bodies.names[1]");
  EXPECT_FALSE(SelectedBodies::Resolve({.names = {""}}, layout).ok()) << "unnamed is no name";
}

TEST(BodySelectionTest, BodiesThatGoDropOutAndNobodyTakesTheirPlace) {
  const Layout before = MakeLayout(1, {2, 3, 5}, {"a", "b", "c"});
  const auto bodies = *SelectedBodies::Resolve({.names = {"a", "c"}}, before);
  const Layout after = MakeLayout(2, {3, 5, 8}, {"b", "c", "a"});
  EXPECT_EQ(RowsOf(bodies, after), std::vector<uint32_t>{1});
  EXPECT_EQ(RowsOf(bodies, MakeLayout(3, {}, {})), std::vector<uint32_t>{});
  // Back to an earlier state: the ids are there again.
  EXPECT_EQ(RowsOf(bodies, before), (std::vector<uint32_t>{0, 2}));
}

TEST(BodySelectionTest, RowsAreFoundOnceALayout) {
  const Layout layout = MakeLayout(1, {2, 3}, {"a", "b"});
  const auto bodies = *SelectedBodies::Resolve({.ids = {3}}, layout);
  EXPECT_EQ(bodies->FindRows(layout), bodies->FindRows(layout));
}

FramePtr FrameOf(const Layout& layout, int64_t moment) {
  auto frame = std::make_shared<FrameData>();
  frame->moment = moment;
  frame->layout = std::make_shared<Layout>(layout);
  return frame;
}

TEST(BodySelectionTest, WatchersWithOneSelectionShareIt) {
  Hub hub(4);
  const Layout layout = MakeLayout(1, {2, 3, 5}, {"a", "b", "c"});
  WatchOptions by_name;
  by_name.bodies.names = {"b", "a"};
  WatchOptions by_id;
  by_id.bodies.ids = {2, 3};
  auto first = *hub.Subscribe(by_name, [] {});
  auto second = *hub.Subscribe(by_id, [] {});
  auto all = *hub.Subscribe({}, [] {});
  hub.Publish(FrameOf(layout, 1), {1, 0, 1}, {});
  const SelectedBodiesPtr selection = first->Take()->bodies;
  EXPECT_NE(selection, nullptr);
  EXPECT_EQ(second->Take()->bodies, selection);
  EXPECT_EQ(all->Take()->bodies, nullptr);
}

TEST(BodySelectionTest, AWatcherOfNobodyIsToldAtTheStartAndOnlyThen) {
  Hub hub(4);
  WatchOptions options;
  options.bodies.names = {"gone"};
  auto watcher = *hub.Subscribe(options, [] {});
  hub.Publish(FrameOf(MakeLayout(1, {2}, {"a"}), 1), {1, 0, 1}, {});
  EXPECT_FALSE(watcher->Take().has_value());
  ASSERT_TRUE(watcher->FindEnd().has_value());
  EXPECT_EQ(watcher->FindEnd()->code(), absl::StatusCode::kNotFound);
  auto other = *hub.Subscribe(options, [] {});
  hub.Publish(FrameOf(MakeLayout(2, {2, 3}, {"a", "gone"}), 2), {2, 0, 2}, {});
  hub.Publish(FrameOf(MakeLayout(3, {2}, {"a"}), 3), {3, 0, 3}, {});
  EXPECT_TRUE(other->Take().has_value());
  EXPECT_FALSE(other->FindEnd().has_value());
}

}  // namespace
}  // namespace talus
