#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/commands.h"
#include "clients/cli/contact_table.h"
#include "clients/cpp/columns.h"
#include "clients/cpp/scene.h"

namespace talus::cli {
namespace {

int PrintState(const Context& context, client::Scene& scene, const v1::BodySelection& chosen) {
  v1::FrameSelection selection = client::SelectState();
  selection.set_layout(true);
  auto frame = scene.State(selection, chosen, context.Call());
  if (!frame) return context.Report(frame.error());
  if (context.json) {
    PrintJson(*frame);
    return kExitOk;
  }
  std::printf("step %lld  time %.6g s  hash %s\n", static_cast<long long>(frame->step_index()),
              frame->time_s(), HexHash(frame->state_hash()).c_str());
  const client::BodiesView bodies = client::ViewBodies(*frame);
  for (size_t told = 0; 3 * told < bodies.positions_world_m.size(); ++told) {
    const auto index = static_cast<int>(told);
    const int row =
        frame->has_selected_rows() ? static_cast<int>(frame->selected_rows().rows(index)) : index;
    const auto x = bodies.position(told);
    const auto q = bodies.orientation(told);
    const auto v = bodies.linear_velocity(told);
    const auto w = bodies.angular_velocity(told);
    std::printf(
        "%llu %s  x %.9g %.9g %.9g m  q %.9g %.9g %.9g %.9g  v %.9g %.9g %.9g m/s"
        "  w %.9g %.9g %.9g rad/s\n",
        static_cast<unsigned long long>(frame->layout().body_ids(row)),
        frame->layout().body_names(row).c_str(), x[0], x[1], x[2], q[0], q[1], q[2], q[3], v[0],
        v[1], v[2], w[0], w[1], w[2]);
  }
  return kExitOk;
}

int Layout(const Context& context, client::Scene& scene) {
  auto layout = scene.Layout(context.Call());
  if (!layout) return context.Report(layout.error());
  if (context.json) {
    PrintJson(*layout);
    return kExitOk;
  }
  std::printf("layout version %lld\n", static_cast<long long>(layout->layout_version()));
  for (int row = 0; row < layout->body_ids_size(); ++row) {
    std::printf("row %d  id %llu  %s  %s  radius %.9g m\n", row,
                static_cast<unsigned long long>(layout->body_ids(row)),
                v1::BodyKindCode_Name(layout->body_kinds(row)).c_str(),
                layout->body_names(row).c_str(), layout->sphere_radii_m(row));
  }
  return kExitOk;
}

int Contacts(const Context& context, client::Scene& scene, const v1::BodySelection& chosen) {
  v1::FrameSelection selection;
  selection.set_contacts(true);
  selection.set_layout(true);
  auto frame = scene.State(selection, chosen, context.Call());
  if (!frame) return context.Report(frame.error());
  if (context.json) {
    PrintJson(*frame);
  } else {
    std::printf("%s", ContactTable(*frame, frame->layout()).c_str());
  }
  return kExitOk;
}

int Joints(const Context& context, client::Scene& scene) {
  v1::GetJointsRequest request;
  request.set_scene(scene.name());
  auto answer = scene.client().GetJoints(request, context.Call());
  if (!answer) return context.Report(answer.error());
  if (context.json) {
    PrintJson(*answer);
    return kExitOk;
  }
  std::printf("step %lld\n", static_cast<long long>(answer->step_index()));
  for (const v1::JointState& joint : answer->joints()) {
    const v1::Vector3& force = joint.force_n();
    const v1::Vector3& torque = joint.torque_n_m();
    std::printf("%llu %s  force %.9g %.9g %.9g N  torque %.9g %.9g %.9g N m\n",
                static_cast<unsigned long long>(joint.joint_id()), joint.name().c_str(), force.x(),
                force.y(), force.z(), torque.x(), torque.y(), torque.z());
  }
  return kExitOk;
}

int Energy(const Context& context, client::Scene& scene) {
  auto energy = scene.Energy(context.Call());
  if (!energy) return context.Report(energy.error());
  if (context.json) {
    PrintJson(*energy);
    return kExitOk;
  }
  std::printf(
      "kinetic, translation  %.12g J\nkinetic, rotation     %.12g J\n"
      "potential             %.12g J\n",
      energy->kinetic_translation_j(), energy->kinetic_rotation_j(), energy->potential_j());
  return kExitOk;
}

int Diagnostics(const Context& context, client::Scene& scene) {
  v1::GetDiagnosticsRequest request;
  request.set_scene(scene.name());
  auto answer = scene.client().GetDiagnostics(request, context.Call());
  if (!answer) return context.Report(answer.error());
  if (context.json) {
    PrintJson(*answer);
    return kExitOk;
  }
  const v1::StepReport& report = answer->report();
  std::printf(
      "step %lld  bodies %lld  asleep %lld  pairs %lld  contacts %lld  outcome %s\n",
      static_cast<long long>(report.step_index()), static_cast<long long>(report.body_count()),
      static_cast<long long>(report.sleeping_body_count()),
      static_cast<long long>(report.pair_count()), static_cast<long long>(report.contact_count()),
      v1::SolveOutcome_Name(report.outcome()).c_str());
  std::printf("residual %.6g  worst contact %.6g  sweeps %d  penetration %.6g m\n",
              report.residual(), report.worst_contact_residual(), report.sweep_count(),
              report.worst_penetration_m());
  std::printf("waiting commands %d  watchers %d  %s%s\n", answer->mailbox_depth(),
              answer->watcher_count(),
              answer->fault().empty() ? "" : "FAULTED: ", answer->fault().c_str());
  return kExitOk;
}

using Query = std::function<int(const Context&, client::Scene&)>;

CLI::App* AddQuery(CLI::App& app, Context& context, const std::string& name,
                   const std::string& help, const Query& query) {
  auto scene_name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(name, help);
  command->add_option("scene", *scene_name,
                      "Scene; may be left out when the server holds one only");
  command->callback([scene_name, query, &context] {
    client::Client client = context.Connect();
    auto chosen = ChooseScene(client, *scene_name, context.Call());
    if (!chosen) {
      context.exit_code = context.Report(chosen.error());
      return;
    }
    client::Scene scene = client::Scene::Attach(client, *chosen);
    context.exit_code = query(context, scene);
  });
  return command;
}

// One that may be asked of some bodies only.
void AddBodyQuery(CLI::App& app, Context& context, const std::string& name, const std::string& help,
                  int (*query)(const Context&, client::Scene&, const v1::BodySelection&)) {
  auto names = std::make_shared<std::vector<std::string>>();
  const Query of_chosen = [names, query](const Context& asked, client::Scene& scene) {
    v1::BodySelection chosen;
    for (const std::string& body : *names) chosen.add_names(body);
    return query(asked, scene, chosen);
  };
  CLI::App* command = AddQuery(app, context, name, help, of_chosen);
  command->add_option("--body", *names, "Only this body, by name; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

void AddQueryCommands(CLI::App& app, Context& context) {
  AddBodyQuery(app, context, "state", "Poses and velocities of the bodies", PrintState);
  AddQuery(app, context, "layout", "Bodies by row: id, kind, name", Layout);
  AddBodyQuery(app, context, "contacts", "Contacts of the last step with full wrench, as CSV",
               Contacts);
  AddQuery(app, context, "joints", "Force and torque of each joint in the last step", Joints);
  AddQuery(app, context, "energy", "Energies of the dynamic bodies", Energy);
  AddQuery(app, context, "diagnostics", "Certificate of the last step, load of the scene",
           Diagnostics);
}

}  // namespace talus::cli
