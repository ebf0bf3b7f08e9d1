#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "clients/cli/export/export_target.h"
#include "clients/cli/export/vtk_document.h"
#include "clients/cli/output_file.h"
#include "clients/cli/pending_output.h"
#include "clients/cpp/columns.h"

namespace talus::cli {
namespace {

// A viewer draws a sphere as a glyph of `radius_m`, any body by `orientation_wxyz`.
std::string BodyDocument(const Moment& moment) {
  const client::BodiesView bodies = client::ViewBodies(*moment.bodies);
  VtkDocument document(bodies.positions_world_m, moment.time_s);
  std::vector<int64_t> ids;
  std::vector<uint32_t> kinds;
  std::vector<double> radii;
  for (const int row : moment.rows) {
    ids.push_back(static_cast<int64_t>(moment.layout->body_ids(row)));
    kinds.push_back(static_cast<uint32_t>(moment.layout->body_kinds(row)));
    radii.push_back(moment.layout->sphere_radii_m(row));
  }
  document.AddArray("body_id", 1, ids);
  document.AddArray("kind", 1, kinds);
  document.AddArray("radius_m", 1, radii);
  const auto add = [&document](const char* name, int width, std::span<const double> column) {
    if (!column.empty()) document.AddArray(name, width, column);
  };
  add("orientation_wxyz", 4, bodies.orientations_wxyz);
  add("linear_velocity_m_s", 3, bodies.linear_velocities_world_m_s);
  add("angular_velocity_rad_s", 3, bodies.angular_velocities_world_rad_s);
  return document.Finish();
}

std::string ContactDocument(const Moment& moment) {
  const client::ContactsView contacts = client::ViewContacts(*moment.contacts);
  VtkDocument document(contacts.points_world_m, moment.time_s);
  const auto add_ids = [&](const char* name, std::span<const uint32_t> rows) {
    std::vector<int64_t> ids;
    for (const uint32_t row : rows) {
      ids.push_back(static_cast<int64_t>(moment.layout->body_ids(static_cast<int>(row))));
    }
    document.AddArray(name, 1, ids);
  };
  add_ids("body_a_id", contacts.body_a_rows);
  add_ids("body_b_id", contacts.body_b_rows);
  document.AddArray("mode", 1, contacts.modes);
  document.AddArray("normal", 3, contacts.normals_world);
  document.AddArray("gap_m", 1, contacts.gaps_m);
  document.AddArray("force_n", 3, contacts.forces_world_n);
  document.AddArray("torque_n_m", 3, contacts.torques_world_n_m);
  document.AddArray("wrench_contact", 6, contacts.wrenches_contact);
  return document.Finish();
}

class VtkTarget : public ExportTarget {
 public:
  VtkTarget(std::unique_ptr<PendingOutput> output, const ExportTables& tables)
      : output_(std::move(output)), tables_(tables) {}

  client::Result<client::Done> Add(const Moment& moment) override {
    client::Result<client::Done> written = client::Done{};
    if (tables_.bodies && moment.bodies) {
      written = WriteMoment("bodies", BodyDocument(moment), moment.time_s, &bodies_);
    }
    if (written && tables_.contacts && moment.contacts) {
      written = WriteMoment("contacts", ContactDocument(moment), moment.time_s, &contacts_);
    }
    ++count_;
    return written;
  }

  client::Result<client::Done> Finish() override {
    client::Result<client::Done> written = client::Done{};
    if (tables_.bodies) written = Write("bodies.pvd", bodies_.Finish());
    if (written && tables_.contacts) written = Write("contacts.pvd", contacts_.Finish());
    return written ? output_->Commit() : written;
  }

 private:
  client::Result<client::Done> WriteMoment(const std::string& name, const std::string& document,
                                           double time_s, VtkCollection* collection) {
    std::array<char, 24> number{};
    std::snprintf(number.data(), number.size(), "_%06lld.vtp", static_cast<long long>(count_));
    const std::string file = name + number.data();
    collection->Add(time_s, file);
    return Write(file, document);
  }

  client::Result<client::Done> Write(const std::string& name, const std::string& text) {
    auto file = OutputFile::Create(output_->beside() + "/" + name);
    if (!file) return file.error();
    const auto written = file->Write(text);
    return written ? file->Close() : written;
  }

  std::unique_ptr<PendingOutput> output_;
  ExportTables tables_;
  VtkCollection bodies_;
  VtkCollection contacts_;
  int64_t count_ = 0;
};

}  // namespace

ExportTargetResult MakeVtkTarget(const ExportPlace& place, const ExportTables& tables) {
  auto output = PendingOutput::Begin(place.path, PendingOutput::Kind::kFolder, place.replace);
  if (!output) return output.error();
  return std::unique_ptr<ExportTarget>(std::make_unique<VtkTarget>(std::move(*output), tables));
}

}  // namespace talus::cli
