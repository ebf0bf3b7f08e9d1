#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "clients/cli/commands.h"
#include "clients/cli/interruption.h"
#include "clients/cpp/frame_file.h"
#include "clients/cpp/scene.h"

namespace talus::cli {
namespace {

struct WatchArguments {
  std::string scene;
  std::optional<double> rate_hz;
  std::optional<int64_t> every;
  int64_t frames = 0;
  bool contacts = false;
  std::string out;
};

void PrintFrame(const Context& context, const v1::WatchStateResponse& response) {
  if (context.json) {
    PrintJson(response);
    return;
  }
  const v1::Frame& frame = response.frame();
  std::printf(
      "step %lld  time %.6g s  bodies %lld  contacts %lld  residual %.3g  hash %s  dropped %lld\n",
      static_cast<long long>(frame.step_index()), frame.time_s(),
      static_cast<long long>(frame.report().body_count()),
      static_cast<long long>(frame.report().contact_count()), frame.report().residual(),
      HexHash(frame.state_hash()).c_str(), static_cast<long long>(response.dropped_since_last()));
  std::fflush(stdout);
}

int Watch(const Context& context, const WatchArguments& arguments) {
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, arguments.scene, context.Call());
  if (!scene) return context.Report(scene.error());
  v1::WatchStateRequest request;
  request.set_scene(*scene);
  if (arguments.rate_hz) request.set_rate_hz(*arguments.rate_hz);
  if (arguments.every) request.set_every_n_steps(*arguments.every);
  request.set_frame_limit(arguments.frames);
  v1::FrameSelection& selection = *request.mutable_selection();
  selection.set_report(true);
  selection.set_contacts(arguments.contacts);
  // Poses only where somebody reads them.
  const bool poses = context.json || !arguments.out.empty();
  if (poses) {
    selection.MergeFrom(client::SelectState());
  }
  std::optional<client::FrameWriter> writer;
  if (!arguments.out.empty()) {
    auto opened = client::FrameWriter::Open(arguments.out);
    if (!opened) return Complain(kExitFailure, opened.error().message);
    writer.emplace(std::move(*opened));
  }
  std::optional<client::Error> write_error;
  const Interruption interruption;
  auto end = client.WatchState(request,
                               [&](const v1::WatchStateResponse& response) {
                                 if (!writer) {
                                   PrintFrame(context, response);
                                   return true;
                                 }
                                 auto written = writer->Write(response.frame());
                                 if (!written) write_error = written.error();
                                 return written.ok();
                               },
                               {std::chrono::milliseconds{0}, interruption.token()});
  if (write_error) return Complain(kExitFailure, write_error->message);
  if (!end && !interruption.requested()) return context.Report(end.error());
  return kExitOk;
}

}  // namespace

void AddWatchCommand(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<WatchArguments>();
  CLI::App* watch = app.add_subcommand("watch", "Follow a scene until Ctrl-C, a line a frame");
  watch->add_option("scene", arguments->scene,
                    "Scene; may be left out when the server holds one only");
  auto* rate = watch->add_option("--rate", arguments->rate_hz, "Frames a second at most");
  watch->add_option("--every", arguments->every, "Every n-th step")->excludes(rate);
  watch->add_option("--frames", arguments->frames, "Stop after so many frames; 0: never")
      ->capture_default_str();
  watch->add_flag("--contacts", arguments->contacts, "Contacts in JSON and recorded frames");
  watch->add_option("--out", arguments->out, "Record the frames into this file instead");
  watch->callback([arguments, &context] { context.exit_code = Watch(context, *arguments); });
}

}  // namespace talus::cli
