#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "clients/cli/commands.h"
#include "clients/cli/recording_download.h"

namespace talus::cli {
namespace {

struct RecordArguments {
  std::string scene;
  std::string recording;
  std::string out;
  bool velocities = false;
  bool contacts = false;
  bool diagnostics = false;
  bool inputs_only = false;
  bool stop_when_behind = false;
  int64_t every = 1;
};

const char* StateName(v1::RecordingState state) {
  switch (state) {
    case v1::RECORDING_STATE_RECORDING:
      return "recording";
    case v1::RECORDING_STATE_COMPLETE:
      return "complete";
    case v1::RECORDING_STATE_FAILED:
      return "failed";
    case v1::RECORDING_STATE_INCOMPLETE:
      return "incomplete";
    default:
      return "unknown";
  }
}

void PrintRecording(const v1::Recording& recording) {
  std::printf(
      "%-28s of %s  %s  steps %lld to %lld  %lld frames (%lld left out)  %lld bytes%s%s\n",
      recording.recording().c_str(), recording.scene().c_str(), StateName(recording.state()),
      static_cast<long long>(recording.first_step_index()),
      static_cast<long long>(recording.last_step_index()),
      static_cast<long long>(recording.frame_count()),
      static_cast<long long>(recording.dropped_frame_count()),
      static_cast<long long>(recording.byte_size()),
      recording.ended_because().empty() ? "" : "  ended: ", recording.ended_because().c_str());
}

int Answer(const Context& context, const v1::Recording& recording) {
  if (context.json) {
    PrintJson(recording);
  } else {
    PrintRecording(recording);
  }
  return kExitOk;
}

int Start(const Context& context, const RecordArguments& arguments) {
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, arguments.scene, context.Call());
  if (!scene) return context.Report(scene.error());
  v1::StartRecordingRequest request;
  request.set_scene(*scene);
  request.set_recording_id(arguments.recording);
  request.set_every_n_steps(arguments.every);
  if (arguments.stop_when_behind) request.set_when_behind(v1::BEHIND_POLICY_STOP);
  v1::RecordingSelection& selection = *request.mutable_selection();
  selection.set_positions(!arguments.inputs_only);
  selection.set_orientations(!arguments.inputs_only);
  selection.set_velocities(arguments.velocities);
  selection.set_contacts(arguments.contacts);
  selection.set_diagnostics(arguments.diagnostics);
  auto response = client.StartRecording(request, context.Call());
  if (!response) return context.Report(response.error());
  return Answer(context, response->recording());
}

int Stop(const Context& context, const RecordArguments& arguments) {
  v1::StopRecordingRequest request;
  request.set_recording(RecordingName(arguments.recording));
  auto response = context.Connect().StopRecording(request, context.Call());
  if (!response) return context.Report(response.error());
  return Answer(context, response->recording());
}

int ListRecordings(const Context& context) {
  client::Client client = context.Connect();
  v1::ListRecordingsResponse all;
  v1::ListRecordingsRequest request;
  do {
    auto page = client.ListRecordings(request, context.Call());
    if (!page) return context.Report(page.error());
    all.mutable_recordings()->MergeFrom(page->recordings());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  if (context.json) {
    PrintJson(all);
    return kExitOk;
  }
  for (const v1::Recording& recording : all.recordings()) PrintRecording(recording);
  return kExitOk;
}

int DeleteRecording(const Context& context, const RecordArguments& arguments) {
  v1::DeleteRecordingRequest request;
  request.set_recording(RecordingName(arguments.recording));
  auto response = context.Connect().DeleteRecording(request, context.Call());
  if (!response) return context.Report(response.error());
  if (context.json) PrintJson(*response);
  return kExitOk;
}

int DownloadRecording(const Context& context, const RecordArguments& arguments) {
  client::Client client = context.Connect();
  const auto bytes = DownloadRecordingFile(client, RecordingName(arguments.recording),
                                           arguments.out, context.Call());
  if (!bytes && bytes.code() == client::Code::kUnknown) {
    return Complain(kExitFailure, bytes.error().message);
  }
  if (!bytes) return context.Report(bytes.error());
  std::printf(context.json ? "{\"file\":\"%s\",\"byte_size\":%lld}\n" : "%s: %lld bytes\n",
              arguments.out.c_str(), static_cast<long long>(*bytes));
  return kExitOk;
}

int Replay(const Context& context, const RecordArguments& arguments) {
  v1::ReplayInputsRequest request;
  request.set_recording(RecordingName(arguments.recording));
  request.set_scene_id(arguments.scene);
  auto response = context.Connect().ReplayInputs(request, context.Call());
  if (!response) return context.Report(response.error());
  const v1::ReplayMismatch& mismatch = response->mismatch();
  if (context.json) {
    PrintJson(*response);
  } else {
    std::printf("%lld steps, %lld inputs replayed%s\n",
                static_cast<long long>(response->steps_replayed()),
                static_cast<long long>(response->inputs_replayed()),
                response->truncated() ? "; the recording was cut off there" : "");
    if (response->has_mismatch()) {
      std::printf("differs at step %lld: recorded %s, replayed %s%s%s\n",
                  static_cast<long long>(mismatch.step_index()),
                  HexHash(mismatch.recorded_hash()).c_str(),
                  HexHash(mismatch.replayed_hash()).c_str(), mismatch.error().empty() ? "" : ": ",
                  mismatch.error().c_str());
    }
  }
  return response->has_mismatch() ? kExitMismatch : kExitOk;
}

}  // namespace

void AddRecordCommands(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<RecordArguments>();
  const auto run = [arguments, &context](int (*command)(const Context&, const RecordArguments&)) {
    return [arguments, &context, command] { context.exit_code = command(context, *arguments); };
  };
  CLI::App* record = app.add_subcommand("record", "Record scenes on the server, as MCAP files");
  record->require_subcommand(1);
  record->fallthrough();

  CLI::App* start = record->add_subcommand("start", "Begin to record a scene");
  start->add_option("scene", arguments->scene,
                    "Scene; may be left out when the server holds one only");
  start->add_option("--id", arguments->recording, "Name; the server chooses when left out");
  start->add_option("--every", arguments->every, "A frame every so many steps [1]")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}));
  start->add_flag("--velocities", arguments->velocities, "Velocities beside the poses");
  start->add_flag("--contacts", arguments->contacts, "Contacts");
  start->add_flag("--diagnostics", arguments->diagnostics, "Step reports");
  start->add_flag("--inputs-only", arguments->inputs_only, "No poses");
  start->add_flag("--stop-when-behind", arguments->stop_when_behind,
                  "End, instead of leaving frames out, when the disk cannot follow");
  start->callback(run(Start));

  CLI::App* stop = record->add_subcommand("stop", "End a recording");
  stop->add_option("recording", arguments->recording, "Recording")->required();
  stop->callback(run(Stop));

  record->add_subcommand("list", "List the recordings on the server")->callback([&context] {
    context.exit_code = ListRecordings(context);
  });

  CLI::App* download = record->add_subcommand("download", "Write a recording into a file");
  download->add_option("recording", arguments->recording, "Recording")->required();
  download->add_option("--out,-o", arguments->out, "File")->required();
  download->callback(run(DownloadRecording));

  CLI::App* remove = record->add_subcommand("delete", "Delete a recording that has ended");
  remove->add_option("recording", arguments->recording, "Recording")->required();
  remove->callback(run(DeleteRecording));

  CLI::App* replay = app.add_subcommand("replay", "Make a recording again and compare every hash");
  replay->add_option("recording", arguments->recording, "Recording")->required();
  replay->add_option("--keep", arguments->scene, "Keep the scene it was made in under this name");
  replay->callback(run(Replay));
}

}  // namespace talus::cli
