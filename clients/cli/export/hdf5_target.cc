// The groups /bodies, /contacts and /diagnostics with a row a moment in `step_index`, `time_s` and
// `state_hash`, and /names with a row a body. How many bodies or contacts there are differs from
// moment to moment: their rows stand one behind the other, those of moment i from offset[i] up to
// offset[i + 1].
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "clients/cli/export/export_target.h"
#include "clients/cli/export/hdf5_columns.h"
#include "clients/cli/pending_output.h"
#include "clients/cpp/columns.h"

namespace talus::cli {
namespace {

using Type = Hdf5Columns::Type;

// The columns of one group.
class Group {
 public:
  Group(Hdf5Columns& file, std::string path, bool ragged) : file_(file), path_(std::move(path)) {
    Add("step_index", Type::kInteger, 1, "1", "index of the state");
    Add("time_s", Type::kNumber, 1, "s", "simulated time");
    Add("state_hash", Type::kHash, 1, "1", "hash of the whole state");
    if (!ragged) return;
    Add("offset", Type::kInteger, 1, "1", "rows of moment i: offset[i] up to offset[i + 1]");
    PutInteger("offset", 0);
  }

  void Add(const std::string& name, Type type, int width, const std::string& units,
           const std::string& description) {
    columns_[name] = file_.AddColumn({path_ + "/" + name, type, width, units, description});
  }
  void PutMoment(int64_t step_index, double time_s, uint64_t state_hash) {
    PutInteger("step_index", step_index);
    PutNumber("time_s", time_s);
    file_.AppendHash(columns_.at("state_hash"), state_hash);
  }
  void PutRows(size_t count) {
    rows_ += static_cast<int64_t>(count);
    PutInteger("offset", rows_);
  }
  void Put(const std::string& name, std::span<const double> numbers) {
    file_.Append(columns_.at(name), numbers);
  }
  void Put(const std::string& name, std::span<const int64_t> integers) {
    file_.Append(columns_.at(name), integers);
  }
  void PutUnsigned(const std::string& name, std::span<const uint32_t> integers) {
    const std::vector<int64_t> wide(integers.begin(), integers.end());
    Put(name, wide);
  }
  void PutNumber(const std::string& name, double number) { Put(name, std::span(&number, 1)); }
  void PutInteger(const std::string& name, int64_t integer) {
    Put(name, std::span<const int64_t>(&integer, 1));
  }

 private:
  Hdf5Columns& file_;
  std::string path_;
  std::map<std::string, size_t> columns_;
  int64_t rows_ = 0;
};

// Of a report, in the order of their columns.
constexpr std::array kReportCounts = {"body_count",    "pair_count",    "contact_count",
                                      "emitted_count", "removed_count", "sleeping_body_count",
                                      "outcome",       "sweep_count"};
constexpr std::array<std::pair<const char*, const char*>, 13> kReportNumbers = {{
    {"residual", ""},
    {"worst_contact_residual", ""},
    {"worst_penetration_m", "m"},
    {"kinetic_translation_j", "J"},
    {"kinetic_rotation_j", "J"},
    {"potential_j", "J"},
    {"find_pairs_s", "s"},
    {"find_contacts_s", "s"},
    {"advance_velocities_s", "s"},
    {"assemble_problem_s", "s"},
    {"solve_contacts_s", "s"},
    {"apply_impulses_s", "s"},
    {"advance_poses_s", "s"},
}};

class Hdf5Target : public ExportTarget {
 public:
  Hdf5Target(std::unique_ptr<PendingOutput> output, std::unique_ptr<Hdf5Columns> file,
             const ExportTables& tables, const std::string& source)
      : output_(std::move(output)), file_(std::move(file)) {
    file_->AddAttribute("made_by", "talusctl export " TALUS_VERSION);
    file_->AddAttribute("source", source);
    if (tables.bodies) AddBodyColumns();
    if (tables.contacts) AddContactColumns();
    if (tables.diagnostics) AddReportColumns();
    name_id_ = file_->AddColumn({"/names/body_id", Type::kInteger, 1, "1", "id of a body"});
    name_ = file_->AddColumn({"/names/name", Type::kName, 1, "", "its name, empty when unnamed"});
    kind_ = file_->AddColumn(
        {"/names/kind", Type::kInteger, 1, "1", "1 dynamic, 2 static, 3 kinematic"});
    radius_ = file_->AddColumn({"/names/sphere_radius_m", Type::kNumber, 1, "m",
                                "radius of the first shape if that is a sphere, else 0"});
  }

  client::Result<client::Done> Add(const Moment& moment) override {
    PutNames(*moment.layout);
    if (bodies_ && moment.bodies) PutBodies(moment);
    if (contacts_ && moment.contacts) PutContacts(moment);
    if (diagnostics_ && moment.report) PutReport(*moment.report);
    return file_->Flush();
  }

  client::Result<client::Done> Finish() override {
    const auto closed = file_->Close();
    return closed ? output_->Commit() : closed;
  }

 private:
  void AddBodyColumns() {
    Group& group = bodies_.emplace(*file_, "/bodies", true);
    group.Add("body_id", Type::kInteger, 1, "1", "id of the body");
    group.Add("position_m", Type::kNumber, 3, "m", "centre of mass, world frame");
    group.Add("orientation_wxyz", Type::kNumber, 4, "1", "unit quaternion, world <- body");
    group.Add("linear_velocity_m_s", Type::kNumber, 3, "m/s", "of the centre of mass, world frame");
    group.Add("angular_velocity_rad_s", Type::kNumber, 3, "rad/s", "world frame");
  }

  void AddContactColumns() {
    Group& group = contacts_.emplace(*file_, "/contacts", true);
    for (const char* name : {"body_a_id", "body_b_id", "shape_a", "shape_b", "feature"}) {
      group.Add(name, Type::kInteger, 1, "1", "");
    }
    group.Add("mode", Type::kInteger, 1, "1", "bits: 1 closed, 2 sliding, 4 rolling, 8 spinning");
    group.Add("point_m", Type::kNumber, 3, "m", "world frame");
    group.Add("normal", Type::kNumber, 3, "1", "unit normal from a to b, world frame");
    group.Add("gap_m", Type::kNumber, 1, "m", "at the start of the step; negative: overlap");
    group.Add("force_n", Type::kNumber, 3, "N", "on body b, world frame");
    group.Add("torque_n_m", Type::kNumber, 3, "N m", "on body b about the point, world frame");
    group.Add("wrench_contact", Type::kNumber, 6, "N, N, N, N m, N m, N m",
              "on body b in the contact frame: normal, two tangential, spin, two rolling");
  }

  void AddReportColumns() {
    Group& group = diagnostics_.emplace(*file_, "/diagnostics", false);
    for (const char* name : kReportCounts) group.Add(name, Type::kInteger, 1, "1", "");
    for (const auto& [name, units] : kReportNumbers) {
      group.Add(name, Type::kNumber, 1, units, "");
    }
  }

  // Ids are not used again in a scene, so one row a body says it all.
  void PutNames(const v1::Layout& layout) {
    if (layout.layout_version() == names_version_) return;
    names_version_ = layout.layout_version();
    for (int row = 0; row < layout.body_ids_size(); ++row) {
      if (!named_.insert(layout.body_ids(row)).second) continue;
      const auto id = static_cast<int64_t>(layout.body_ids(row));
      const int64_t kind = layout.body_kinds(row);
      const double radius = layout.sphere_radii_m(row);
      file_->Append(name_id_, std::span<const int64_t>(&id, 1));
      file_->AppendName(name_, layout.body_names(row));
      file_->Append(kind_, std::span<const int64_t>(&kind, 1));
      file_->Append(radius_, std::span<const double>(&radius, 1));
    }
  }

  // A column that was not recorded stays empty.
  void PutBodies(const Moment& moment) {
    const client::BodiesView bodies = client::ViewBodies(*moment.bodies);
    std::vector<int64_t> ids;
    for (const int row : moment.rows) {
      ids.push_back(static_cast<int64_t>(moment.layout->body_ids(row)));
    }
    bodies_->PutMoment(moment.step_index, moment.time_s, moment.state_hash);
    bodies_->PutRows(ids.size());
    bodies_->Put("body_id", ids);
    bodies_->Put("position_m", bodies.positions_world_m);
    bodies_->Put("orientation_wxyz", bodies.orientations_wxyz);
    bodies_->Put("linear_velocity_m_s", bodies.linear_velocities_world_m_s);
    bodies_->Put("angular_velocity_rad_s", bodies.angular_velocities_world_rad_s);
  }

  void PutContacts(const Moment& moment) {
    const client::ContactsView contacts = client::ViewContacts(*moment.contacts);
    const auto put_ids = [&](const char* name, std::span<const uint32_t> rows) {
      std::vector<int64_t> ids;
      for (const uint32_t row : rows) {
        ids.push_back(static_cast<int64_t>(moment.layout->body_ids(static_cast<int>(row))));
      }
      contacts_->Put(name, ids);
    };
    contacts_->PutMoment(moment.step_index, moment.time_s, moment.state_hash);
    contacts_->PutRows(contacts.size());
    put_ids("body_a_id", contacts.body_a_rows);
    put_ids("body_b_id", contacts.body_b_rows);
    contacts_->PutUnsigned("shape_a", contacts.shape_a);
    contacts_->PutUnsigned("shape_b", contacts.shape_b);
    contacts_->PutUnsigned("feature", contacts.features);
    contacts_->PutUnsigned("mode", contacts.modes);
    contacts_->Put("point_m", contacts.points_world_m);
    contacts_->Put("normal", contacts.normals_world);
    contacts_->Put("gap_m", contacts.gaps_m);
    contacts_->Put("force_n", contacts.forces_world_n);
    contacts_->Put("torque_n_m", contacts.torques_world_n_m);
    contacts_->Put("wrench_contact", contacts.wrenches_contact);
  }

  void PutReport(const v1::StepReport& report) {
    diagnostics_->PutMoment(report.step_index(), report.time_s(), report.state_hash());
    const std::array<int64_t, kReportCounts.size()> counts = {
        report.body_count(),    report.pair_count(),    report.contact_count(),
        report.emitted_count(), report.removed_count(), report.sleeping_body_count(),
        report.outcome(),       report.sweep_count()};
    for (size_t i = 0; i < counts.size(); ++i) {
      diagnostics_->PutInteger(kReportCounts[i], counts[i]);
    }
    const v1::StageTimes& times = report.stage_times();
    const std::array<double, kReportNumbers.size()> numbers = {
        report.residual(),
        report.worst_contact_residual(),
        report.worst_penetration_m(),
        report.energy().kinetic_translation_j(),
        report.energy().kinetic_rotation_j(),
        report.energy().potential_j(),
        times.find_pairs_s(),
        times.find_contacts_s(),
        times.advance_velocities_s(),
        times.assemble_problem_s(),
        times.solve_contacts_s(),
        times.apply_impulses_s(),
        times.advance_poses_s()};
    for (size_t i = 0; i < numbers.size(); ++i) {
      diagnostics_->PutNumber(kReportNumbers[i].first, numbers[i]);
    }
  }

  std::unique_ptr<PendingOutput> output_;
  std::unique_ptr<Hdf5Columns> file_;
  std::optional<Group> bodies_;
  std::optional<Group> contacts_;
  std::optional<Group> diagnostics_;
  size_t name_id_ = 0;
  size_t name_ = 0;
  size_t kind_ = 0;
  size_t radius_ = 0;
  int64_t names_version_ = -1;
  std::set<uint64_t> named_;
};

}  // namespace

ExportTargetResult MakeHdf5Target(const ExportPlace& place, const ExportTables& tables,
                                  const std::string& source) {
  auto output = PendingOutput::Begin(place.path, PendingOutput::Kind::kFile, place.replace);
  if (!output) return output.error();
  auto file = Hdf5Columns::Create((*output)->beside());
  if (!file) return file.error();
  return std::unique_ptr<ExportTarget>(
      std::make_unique<Hdf5Target>(std::move(*output), std::move(*file), tables, source));
}

}  // namespace talus::cli
