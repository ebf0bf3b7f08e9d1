// A user's first program: starts a server, drops a ball, prints where it is, ends the server.
#include <cstdio>

#include "clients/cpp/columns.h"
#include "clients/cpp/scene.h"
#include "clients/cpp/server_process.h"

int main() {
  using namespace talus::client;
  auto server = ServerProcess::Start();
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().ToString().c_str());
    return 1;
  }
  talus::v1::SceneSpec spec;
  spec.mutable_settings()->set_time_step_s(0.125);
  spec.mutable_settings()->mutable_gravity_world_m_s2()->set_z(-8);
  talus::v1::BodySpec& ball = *spec.add_bodies();
  ball.add_shapes()->mutable_sphere()->set_radius_m(0.1);
  ball.set_mass_kg(1);
  auto scene = Scene::Create(Client(server->address()), spec);
  if (!scene) return 1;
  StepOptions options;
  options.selection = SelectState();
  auto response = scene->Step(4, options);
  if (!response) return 1;
  const double z = ViewBodies(response->frame()).position(0)[2];
  std::printf("z = %g m\n", z);
  const bool ended_well = server->Terminate() == 0;
  return z == -1.25 && ended_well ? 0 : 1;
}
