#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "clients/cli/commands.h"
#include "clients/cli/output_file.h"

namespace talus::cli {
namespace {

struct TroughArguments {
  std::optional<double> sliding_friction;
  std::optional<double> inertia_ratio;
  std::optional<int> cells;
  bool all_faces = false;
  std::string out;
};

int WriteSurface(const Context& context, const TroughArguments& arguments) {
  v1::MeshTroughSurfaceRequest request;
  if (arguments.sliding_friction) request.set_sliding_friction(*arguments.sliding_friction);
  if (arguments.inertia_ratio) request.set_inertia_ratio(*arguments.inertia_ratio);
  if (arguments.cells) request.set_cells(*arguments.cells);
  if (arguments.all_faces) request.set_body(v1::TROUGH_BODY_ALL_FACES);
  request.set_obj(true);
  auto response = context.Connect().MeshTroughSurface(request, context.Call());
  if (!response) return context.Report(response.error());
  auto written = WriteFileAtomically(arguments.out, response->obj());
  if (!written) return Complain(kExitFailure, written.error().message);
  if (context.json) {
    response->clear_obj();
    PrintJson(*response);
  } else {
    std::printf("%s: %d vertices, %d triangles\n", arguments.out.c_str(),
                response->vertices_size() / 3, response->exits_size());
  }
  return kExitOk;
}

}  // namespace

void AddTroughCommand(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<TroughArguments>();
  CLI::App* trough = app.add_subcommand(
      "trough",
      "Write the surface between the torques under which a ball in a right-angled trough rolls on\n"
      "and those under which it slips (Antali & Stepan, Fig. 11) as a Wavefront OBJ file");
  trough->add_option("--friction", arguments->sliding_friction,
                     "mu of both walls, above 0 and below 1 [0.3]");
  trough->add_option("--inertia-ratio", arguments->inertia_ratio,
                     "J / (m r^2) of the ball, in (0, 2/3] [0.4, a solid one]");
  trough->add_option("--cells", arguments->cells, "Steps along each side of a face, 1 to 64 [16]");
  trough->add_flag("--all-faces", arguments->all_faces,
                   "The published body, cut by all faces, instead of that by limit directions");
  trough->add_option("--out,-o", arguments->out, "File to write")->required();
  trough->callback(
      [arguments, &context] { context.exit_code = WriteSurface(context, *arguments); });
}

}  // namespace talus::cli
