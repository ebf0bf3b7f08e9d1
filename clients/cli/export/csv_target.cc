#include <array>
#include <charconv>
#include <utility>

#include "clients/cli/contact_table.h"
#include "clients/cli/export/export_target.h"
#include "clients/cli/output_file.h"
#include "clients/cli/pending_output.h"
#include "clients/cpp/columns.h"

namespace talus::cli {
namespace {

constexpr char kBodyHeader[] =
    "time_s,step_index,state_hash,body_id,body_name,position_x_m,position_y_m,position_z_m,"
    "orientation_w,orientation_x,orientation_y,orientation_z,velocity_x_m_s,velocity_y_m_s,"
    "velocity_z_m_s,angular_velocity_x_rad_s,angular_velocity_y_rad_s,angular_velocity_z_rad_s\n";

constexpr char kReportHeader[] =
    "time_s,step_index,state_hash,body_count,pair_count,contact_count,emitted_count,removed_count,"
    "sleeping_body_count,outcome,residual,worst_contact_residual,sweep_count,worst_penetration_m,"
    "kinetic_translation_j,kinetic_rotation_j,potential_j,find_pairs_s,find_contacts_s,"
    "advance_velocities_s,assemble_problem_s,solve_contacts_s,apply_impulses_s,advance_poses_s\n";

void AppendNumber(double number, std::string* line) {
  char text[32];
  line->append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

// Empty cells where a quantity was not recorded, so that a table's columns are always the same.
void AppendColumn(std::span<const double> column, size_t row, size_t width, std::string* line) {
  for (size_t part = 0; part < width; ++part) {
    *line += ',';
    if (!column.empty()) AppendNumber(column[width * row + part], line);
  }
}

std::string HashText(uint64_t hash) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

// Time, step and hash: what the lines of bodies and reports begin with.
std::string LineHead(double time_s, int64_t step_index, uint64_t state_hash) {
  std::string head;
  AppendNumber(time_s, &head);
  return head + ',' + std::to_string(step_index) + ',' + HashText(state_hash);
}

std::string BodyLines(const Moment& moment) {
  const client::BodiesView bodies = client::ViewBodies(*moment.bodies);
  const std::string head = LineHead(moment.time_s, moment.step_index, moment.state_hash);
  std::string lines;
  for (size_t i = 0; i < moment.rows.size(); ++i) {
    lines += head + ',' + std::to_string(moment.layout->body_ids(moment.rows[i])) + ',' +
             QuoteCell(moment.layout->body_names(moment.rows[i]));
    AppendColumn(bodies.positions_world_m, i, 3, &lines);
    AppendColumn(bodies.orientations_wxyz, i, 4, &lines);
    AppendColumn(bodies.linear_velocities_world_m_s, i, 3, &lines);
    AppendColumn(bodies.angular_velocities_world_rad_s, i, 3, &lines);
    lines += '\n';
  }
  return lines;
}

std::string ReportLine(const v1::StepReport& report) {
  std::string line = LineHead(report.time_s(), report.step_index(), report.state_hash());
  for (const int64_t count :
       {report.body_count(), report.pair_count(), report.contact_count(), report.emitted_count(),
        report.removed_count(), report.sleeping_body_count()}) {
    line += ',' + std::to_string(count);
  }
  line += ',' + v1::SolveOutcome_Name(report.outcome());
  const std::array<double, 2> residuals = {report.residual(), report.worst_contact_residual()};
  AppendColumn(residuals, 0, residuals.size(), &line);
  line += ',' + std::to_string(report.sweep_count());
  const v1::StageTimes& times = report.stage_times();
  const std::array<double, 11> rest = {report.worst_penetration_m(),
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
  AppendColumn(rest, 0, rest.size(), &line);
  return line + '\n';
}

class CsvTarget : public ExportTarget {
 public:
  explicit CsvTarget(std::unique_ptr<PendingOutput> output) : output_(std::move(output)) {}

  client::Result<client::Done> Open(const ExportTables& tables, bool single) {
    const std::string& base = output_->beside();
    const auto open = [&](bool wanted, const std::string& name, const std::string& header,
                          std::optional<OutputFile>* file) -> client::Result<client::Done> {
      if (!wanted) return client::Done{};
      auto created = OutputFile::Create(single ? base : base + "/" + name);
      if (!created) return created.error();
      file->emplace(std::move(*created));
      return (*file)->Write(header);
    };
    auto opened = open(tables.bodies, "bodies.csv", kBodyHeader, &bodies_);
    if (opened) {
      opened = open(tables.contacts, "contacts.csv", std::string("time_s,") + kContactHeader,
                    &contacts_);
    }
    if (opened) opened = open(tables.diagnostics, "diagnostics.csv", kReportHeader, &diagnostics_);
    return opened;
  }

  client::Result<client::Done> Add(const Moment& moment) override {
    client::Result<client::Done> written = client::Done{};
    if (bodies_ && moment.bodies) written = bodies_->Write(BodyLines(moment));
    if (written && contacts_ && moment.contacts) {
      std::string prefix;
      AppendNumber(moment.time_s, &prefix);
      std::string lines;
      AppendContactLines(*moment.contacts, *moment.layout, prefix + ',', &lines);
      written = contacts_->Write(lines);
    }
    if (written && diagnostics_ && moment.report) {
      written = diagnostics_->Write(ReportLine(*moment.report));
    }
    return written;
  }

  client::Result<client::Done> Finish() override {
    for (std::optional<OutputFile>* file : {&bodies_, &contacts_, &diagnostics_}) {
      if (!*file) continue;
      const auto closed = (*file)->Close();
      if (!closed) return closed;
    }
    return output_->Commit();
  }

 private:
  std::unique_ptr<PendingOutput> output_;
  std::optional<OutputFile> bodies_;
  std::optional<OutputFile> contacts_;
  std::optional<OutputFile> diagnostics_;
};

}  // namespace

ExportTargetResult MakeCsvTarget(const ExportPlace& place, const ExportTables& tables) {
  const int count = int{tables.bodies} + int{tables.contacts} + int{tables.diagnostics};
  const bool single = count == 1 && place.path.ends_with(".csv");
  auto output = PendingOutput::Begin(
      place.path, single ? PendingOutput::Kind::kFile : PendingOutput::Kind::kFolder,
      place.replace);
  if (!output) return output.error();
  auto target = std::make_unique<CsvTarget>(std::move(*output));
  const auto opened = target->Open(tables, single);
  if (!opened) return opened.error();
  return std::unique_ptr<ExportTarget>(std::move(target));
}

}  // namespace talus::cli
