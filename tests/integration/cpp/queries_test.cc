// QueryService through the C++ client: one moment, seen from five sides, as spans.
#include <gtest/gtest.h>

#include <cmath>
#include <future>

#include "clients/cpp/columns.h"
#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

class Queries : public LiveServerTest {
 protected:
  void SetUp() override { StartServer(); }
};

TEST_F(Queries, ContactForcesCarryTheWeight) {
  Scene scene = Create("stones", PouringStones(40));
  ASSERT_TRUE(scene.Step(600));
  auto frame = scene.Contacts();
  auto layout = scene.Layout();
  ASSERT_TRUE(frame && layout);
  const ContactsView contacts = ViewContacts(*frame);
  ASSERT_GT(contacts.size(), 0u);
  double lift_n = 0;
  double mass_kg = 0;
  for (size_t i = 0; i < contacts.size(); ++i) {
    const double normal_n = contacts.wrenches_contact[6 * i];
    EXPECT_GE(normal_n, 0);
    if (contacts.body_a_rows[i] == 0) lift_n += contacts.forces_world_n[3 * i + 2];
    // The normal force is the force along the normal.
    double along = 0;
    for (size_t k = 0; k < 3; ++k) {
      along += contacts.forces_world_n[3 * i + k] * contacts.normals_world[3 * i + k];
    }
    EXPECT_NEAR(along, normal_n, 1e-9 * (1 + normal_n));
  }
  for (const double radius_m : layout->sphere_radii_m()) {
    mass_kg += 2000 * 4.0 / 3.0 * M_PI * radius_m * radius_m * radius_m;
  }
  // The heap has come to rest but for the solver's tolerance: 1 % covers what still moves.
  EXPECT_NEAR(lift_n, mass_kg * 9.81, 0.01 * mass_kg * 9.81);
}

TEST_F(Queries, AgreeOnOneMoment) {
  Scene scene = Create("ball", FallingBall());
  ASSERT_TRUE(scene.Step(4));
  auto state = scene.State(SelectAll());
  ASSERT_TRUE(state);
  const BodiesView bodies = ViewBodies(*state);
  EXPECT_EQ(bodies.position(0)[2], 98.75);
  EXPECT_EQ(bodies.linear_velocity(0)[2], -4);
  EXPECT_EQ(bodies.orientation(0)[0], 1);
  EXPECT_EQ(state->layout().body_names(0), "ball");
  EXPECT_EQ(state->state_hash(), Hash(scene));
  auto energy = scene.Energy();
  ASSERT_TRUE(energy);
  EXPECT_EQ(energy->kinetic_translation_j(), 16);
  EXPECT_EQ(energy->potential_j(), 1580);
  v1::GetDiagnosticsRequest request;
  request.set_scene(scene.name());
  auto diagnostics = client().GetDiagnostics(request);
  ASSERT_TRUE(diagnostics);
  EXPECT_EQ(diagnostics->report().state_hash(), state->state_hash());
  EXPECT_EQ(diagnostics->mailbox_depth(), 0);
}

TEST_F(Queries, TellOfTheBodiesThatWereChosen) {
  Scene scene = Create("ball", FallingBall());
  v1::AddBodiesRequest more;
  more.set_scene(scene.name());
  *more.add_bodies() = FallingBall().bodies(0);
  more.mutable_bodies(0)->set_name("other");
  more.mutable_bodies(0)->mutable_position_world_m()->set_x(5);
  ASSERT_TRUE(client().AddBodies(more));
  v1::BodySelection chosen;
  chosen.add_names("other");
  auto state = scene.State(SelectState(), chosen);
  ASSERT_TRUE(state) << state.error().ToString();
  ASSERT_EQ(ViewBodies(*state).positions_world_m.size(), 3u);
  EXPECT_EQ(ViewBodies(*state).position(0)[0], 5);
  chosen.add_names("nobody");
  EXPECT_EQ(scene.State(SelectState(), chosen).code(), Code::kNotFound);
}

TEST_F(Queries, AnswerWhileTheSceneSteps) {
  Scene scene = Create("stones", PouringStones(50));
  std::stop_source source;
  StepOptions options;
  options.call = {milliseconds{0}, source.get_token()};
  auto running = std::async(std::launch::async,
                            [scene, options]() mutable { return scene.Step(kEndless, options); });
  AwaitStep(scene, 3);
  int64_t last = 0;
  for (int i = 0; i < 50; ++i) {
    auto frame = scene.State(SelectAll());
    ASSERT_TRUE(frame) << frame.error().ToString();
    EXPECT_GE(frame->step_index(), last);
    EXPECT_EQ(frame->bodies().positions_world_m_size(), 3 * frame->layout().body_ids_size());
    EXPECT_EQ(frame->report().step_index(), frame->step_index());
    last = frame->step_index();
  }
  source.request_stop();
  EXPECT_EQ(running.get().code(), Code::kCancelled);
}

}  // namespace
}  // namespace talus::client::testing
