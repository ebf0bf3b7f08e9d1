#include "clients/cli/export/export_job.h"

#include <utility>

#include "clients/cli/progress_line.h"

namespace talus::cli {
namespace {

// What is written, or why that cannot be.
client::Result<ExportTables> ChooseTables(const ExportOptions& options,
                                          const RecordingReader& recording) {
  const auto parts = recording.about().find("parts");
  const std::string recorded = parts == recording.about().end() ? "" : parts->second;
  const auto has = [&recorded](const char* part) {
    return recorded.find(part) != std::string::npos;
  };
  const bool vtk = options.format == ExportFormat::kVtk;
  // Points without a place are no picture.
  const bool bodies =
      vtk ? has("positions") : has("positions") || has("orientations") || has("velocities");
  const ExportTables possible = {bodies, has("contacts"), !vtk && has("diagnostics")};
  const ExportTables asked = options.tables.value_or(possible);
  const auto lacks = [&](const std::string& what, const std::string& option) {
    return MakeError(
        client::Code::kInvalidArgument,
        options.source + " holds no " + what + "; `talusctl record start` records " +
            (option.empty() ? "them unless --inputs-only is given" : "them with " + option));
  };
  if (vtk && options.tables && asked.diagnostics) {
    return MakeError(client::Code::kInvalidArgument,
                     "VTK files hold no diagnostics; --format csv or hdf5 does");
  }
  if (asked.bodies && !possible.bodies) return lacks("bodies", "");
  if (asked.contacts && !possible.contacts) return lacks("contacts", "--contacts");
  if (asked.diagnostics && !possible.diagnostics) return lacks("diagnostics", "--diagnostics");
  if (!asked.bodies && !asked.contacts && !asked.diagnostics) {
    return lacks("frames, only inputs", "");
  }
  return asked;
}

ExportTargetResult MakeTarget(const ExportOptions& options, const ExportTables& tables) {
  switch (options.format) {
    case ExportFormat::kHdf5:
      return MakeHdf5Target(options.place, tables, options.source);
    case ExportFormat::kVtk:
      return MakeVtkTarget(options.place, tables);
    case ExportFormat::kCsv:
      break;
  }
  return MakeCsvTarget(options.place, tables);
}

void Count(const Moment& moment, ExportSummary* summary) {
  if (summary->moments++ == 0) {
    summary->first_step_index = moment.step_index;
    summary->first_time_s = moment.time_s;
  }
  summary->last_step_index = moment.step_index;
  summary->last_time_s = moment.time_s;
  if (summary->tables.bodies && moment.bodies) {
    summary->body_rows += static_cast<int64_t>(moment.rows.size());
  }
  if (summary->tables.contacts && moment.contacts) {
    summary->contact_rows += moment.contacts->contacts().body_a_rows_size();
  }
}

}  // namespace

client::Result<ExportSummary> Export(const ExportOptions& options) {
  auto recording = RecordingReader::Open(options.recording);
  if (!recording) return recording.error();
  const auto tables = ChooseTables(options, *recording);
  if (!tables) return tables.error();
  auto target = MakeTarget(options, *tables);
  if (!target) return target.error();
  ExportSummary summary;
  summary.tables = *tables;
  MomentReader moments(*recording, options.choice);
  ProgressLine progress("exporting " + options.source);
  Moment moment;
  while (true) {
    if (options.interrupted()) return MakeError(client::Code::kCancelled, "interrupted");
    const auto more = moments.Next(&moment);
    if (!more) {
      summary.cut_short = more.error().message;
      break;
    }
    if (!*more) break;
    const auto added = (*target)->Add(moment);
    if (!added) return added.error();
    Count(moment, &summary);
    progress.Show(recording->bytes_read(), recording->byte_size());
  }
  if (summary.cut_short.empty() && recording->truncated()) {
    summary.cut_short = "the recording was cut off at byte " +
                        std::to_string(recording->bytes_read()) + ", or is still being written";
  }
  if (const auto unseen = moments.FindUnseenBodies(); !unseen.empty()) {
    return MakeError(client::Code::kNotFound,
                     "no body of " + options.source + " has the name or id " + unseen.front());
  }
  const auto finished = (*target)->Finish();
  if (!finished) return finished.error();
  return summary;
}

}  // namespace talus::cli
