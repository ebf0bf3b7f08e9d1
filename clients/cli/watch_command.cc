#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/choice_option.h"
#include "clients/cli/commands.h"
#include "clients/cli/interruption.h"
#include "clients/cpp/frame_decoder.h"
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
  v1::SlowWatcherPolicy policy = v1::SLOW_WATCHER_POLICY_LATEST;
  std::optional<int64_t> queue;
  std::optional<double> max_wait_s;
  std::vector<std::string> bodies;
  int64_t every_kth_row = 0;
  v1::EncodingProfile profile = v1::ENCODING_PROFILE_F64;
  std::optional<double> grid_m;
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

void ApplyStreamOptions(const WatchArguments& arguments, v1::WatchStateRequest& request) {
  request.set_policy(arguments.policy);
  if (arguments.queue) request.set_queue_frames(*arguments.queue);
  if (arguments.max_wait_s) request.set_max_wait_s(*arguments.max_wait_s);
  for (const std::string& name : arguments.bodies) request.mutable_bodies()->add_names(name);
  if (arguments.every_kth_row != 0) {
    request.mutable_bodies()->set_every_kth_row(arguments.every_kth_row);
  }
  request.set_profile(arguments.profile);
  if (arguments.grid_m) request.mutable_quantization()->set_position_step_m(*arguments.grid_m);
}

// A file that is there is emptied for the first frame, not before: the scene may be none.
client::Result<client::Done> Record(const std::string& path, const v1::Frame& frame,
                                    std::optional<client::FrameWriter>& writer) {
  if (!writer) {
    auto opened = client::FrameWriter::Open(path);
    if (!opened) return opened.error();
    writer.emplace(std::move(*opened));
  }
  return writer->Write(frame);
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
  ApplyStreamOptions(arguments, request);
  v1::FrameSelection& selection = *request.mutable_selection();
  selection.set_report(true);
  selection.set_contacts(arguments.contacts);
  // Poses only where somebody reads them.
  const bool poses = context.json || !arguments.out.empty();
  if (poses) {
    selection.MergeFrom(client::SelectState());
  }
  std::optional<client::FrameWriter> writer;
  client::FrameDecoder decoder;
  std::optional<client::Error> write_error;
  const Interruption interruption;
  auto end = client.WatchState(request,
                               [&](const v1::WatchStateResponse& received) {
                                 v1::WatchStateResponse response = received;
                                 auto decoded = decoder.Decode(*response.mutable_frame());
                                 if (!decoded) write_error = decoded.error();
                                 if (!decoded) return false;
                                 if (arguments.out.empty()) {
                                   PrintFrame(context, response);
                                   return true;
                                 }
                                 auto written = Record(arguments.out, response.frame(), writer);
                                 if (!written) write_error = written.error();
                                 return written.ok();
                               },
                               {std::chrono::milliseconds{0}, interruption.token()});
  if (write_error) return Complain(kExitFailure, write_error->message);
  if (!end && !interruption.requested()) return context.Report(end.error());
  return kExitOk;
}

void AddStreamOptions(CLI::App& watch, WatchArguments& arguments) {
  static const std::map<std::string, v1::SlowWatcherPolicy> policies = {
      {"latest", v1::SLOW_WATCHER_POLICY_LATEST},
      {"buffer", v1::SLOW_WATCHER_POLICY_BUFFER},
      {"block", v1::SLOW_WATCHER_POLICY_BLOCK},
      {"disconnect", v1::SLOW_WATCHER_POLICY_DISCONNECT}};
  static const std::map<std::string, v1::EncodingProfile> profiles = {
      {"f64", v1::ENCODING_PROFILE_F64},
      {"f32", v1::ENCODING_PROFILE_F32},
      {"quantized", v1::ENCODING_PROFILE_QUANTIZED}};
  AddChoice(watch, "--policy", arguments.policy, policies,
            "When this end is slow (under block the scene waits)");
  watch.add_option("--queue", arguments.queue, "Frames that may wait for this end");
  watch.add_option("--max-wait", arguments.max_wait_s, "Seconds the scene waits under block");
  watch.add_option("--body", arguments.bodies, "Only this body, by name; may be repeated");
  watch.add_option("--every-kth-row", arguments.every_kth_row, "Only every k-th row of the layout");
  AddChoice(watch, "--profile", arguments.profile, profiles, "How numbers travel");
  watch.add_option("--grid", arguments.grid_m, "The grid of positions of quantized, metres");
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
  AddStreamOptions(*watch, *arguments);
  watch->callback([arguments, &context] { context.exit_code = Watch(context, *arguments); });
}

}  // namespace talus::cli
