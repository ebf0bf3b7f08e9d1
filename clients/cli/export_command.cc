#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/cli/choice_option.h"
#include "clients/cli/commands.h"
#include "clients/cli/export/export_job.h"
#include "clients/cli/interruption.h"
#include "clients/cli/recording_download.h"

namespace talus::cli {
namespace {

const std::map<std::string, ExportFormat> kFormats = {
    {"csv", ExportFormat::kCsv}, {"hdf5", ExportFormat::kHdf5}, {"vtk", ExportFormat::kVtk}};

constexpr char kOnServer[] = "recordings/";

// A file of this process alone that is gone at its end.
class ScratchFile {
 public:
  ScratchFile() {
    std::error_code failed;
    std::string pattern = std::filesystem::temp_directory_path(failed).string() + "/talus-XXXXXX";
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
  }
  ~ScratchFile() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  bool ok() const { return !folder_.empty(); }
  std::string path() const { return folder_ + "/recording.mcap"; }

 private:
  std::string folder_;
};

int ExitCode(const Context& context, const client::Error& error) {
  switch (error.code) {
    case client::Code::kCancelled:
      return Complain(kExitInterrupted, "interrupted; nothing was written");
    case client::Code::kInvalidArgument:
    case client::Code::kNotFound:
    case client::Code::kAlreadyExists:
      return Complain(kExitUsage, error.message);
    case client::Code::kUnknown:
    case client::Code::kDataLoss:
      return Complain(kExitFailure, error.message);
    default:
      return context.Report(error);
  }
}

void Print(const Context& context, const ExportOptions& options, const ExportSummary& summary) {
  if (context.json) {
    nlohmann::json json = {{"output", options.place.path},
                           {"moments", summary.moments},
                           {"bodies", summary.tables.bodies},
                           {"contacts", summary.tables.contacts},
                           {"diagnostics", summary.tables.diagnostics},
                           {"body_rows", summary.body_rows},
                           {"contact_rows", summary.contact_rows},
                           {"first_step_index", summary.first_step_index},
                           {"last_step_index", summary.last_step_index},
                           {"first_time_s", summary.first_time_s},
                           {"last_time_s", summary.last_time_s},
                           {"cut_short", summary.cut_short}};
    std::printf("%s\n", json.dump().c_str());
    return;
  }
  std::printf("%s: %lld moments, steps %lld to %lld, %lld rows of bodies, %lld of contacts\n",
              options.place.path.c_str(), static_cast<long long>(summary.moments),
              static_cast<long long>(summary.first_step_index),
              static_cast<long long>(summary.last_step_index),
              static_cast<long long>(summary.body_rows),
              static_cast<long long>(summary.contact_rows));
}

int RunExport(const Context& context, ExportOptions options) {
  const Interruption interruption;
  options.interrupted = [&interruption] { return interruption.requested(); };
  options.recording = options.source;
  std::unique_ptr<ScratchFile> scratch;
  if (options.source.starts_with(kOnServer)) {
    scratch = std::make_unique<ScratchFile>();
    if (!scratch->ok()) return Complain(kExitFailure, "cannot make a folder in TMPDIR");
    client::Client client = context.Connect();
    client::CallOptions call = context.Call();
    call.stop = interruption.token();
    const auto bytes = DownloadRecordingFile(client, options.source, scratch->path(), call);
    if (!bytes && interruption.requested()) return kExitInterrupted;
    if (!bytes && bytes.code() == client::Code::kUnknown) {
      return Complain(kExitFailure, bytes.error().message);
    }
    if (!bytes) return context.Report(bytes.error());
    options.recording = scratch->path();
  } else if (std::error_code failed; !std::filesystem::exists(options.source, failed)) {
    return Complain(kExitUsage, "there is no file " + options.source +
                                    "; a recording on a server is named recordings/ID");
  }
  const auto summary = Export(options);
  if (!summary) return ExitCode(context, summary.error());
  Print(context, options, *summary);
  if (summary->cut_short.empty()) return kExitOk;
  return Complain(kExitPartial, summary->cut_short + "; what stood before it was exported");
}

}  // namespace

void AddExportCommand(CLI::App& app, Context& context) {
  auto options = std::make_shared<ExportOptions>();
  auto what = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("export", "Write a recording as CSV, HDF5 or VTK files");
  command
      ->add_option("recording", options->source,
                   "An MCAP file, or recordings/ID for one on the server")
      ->required();
  command
      ->add_option("--output,-o", options->place.path,
                   "HDF5: the file; CSV and VTK: the folder; CSV of one table may be a file *.csv")
      ->required();
  AddChoice(*command, "--format,-f", options->format, kFormats, "Format [csv]");
  command
      ->add_option("--what", *what,
                   "Tables, with commas between them: bodies, contacts, diagnostics [all recorded]")
      ->delimiter(',')
      ->check(CLI::IsMember({"bodies", "contacts", "diagnostics"}));
  command->add_option("--every", options->choice.every, "Only every n-th recorded frame [1]")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}));
  command->add_option("--from", options->choice.from_s, "From this simulated time on, seconds");
  command->add_option("--to", options->choice.to_s, "Up to this simulated time, seconds");
  command
      ->add_option("--bodies", options->choice.bodies,
                   "Only these bodies, and contacts of theirs: names or ids with commas between")
      ->delimiter(',');
  command->add_flag("--force", options->place.replace, "Replace what is at the output's place");
  command->callback([options, what, &context] {
    if (!what->empty()) {
      ExportTables& tables = options->tables.emplace();
      for (const std::string& table : *what) {
        (table == "bodies"     ? tables.bodies
         : table == "contacts" ? tables.contacts
                               : tables.diagnostics) = true;
      }
    }
    if (options->choice.from_s > options->choice.to_s) {
      throw CLI::ValidationError("--from", "must not be later than --to");
    }
    context.exit_code = RunExport(context, *options);
  });
}

}  // namespace talus::cli
