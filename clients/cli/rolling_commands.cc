#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/commands.h"
#include "clients/cli/interruption.h"
#include "clients/cli/json_message.h"
#include "clients/cli/mesh_file.h"
#include "clients/cli/output_file.h"
#include "clients/cli/own_server.h"

namespace talus::cli {
namespace {

struct TransitionArguments {
  std::string file;
  OwnServer server;
};

struct LoadsArguments {
  std::string file;
  std::optional<double> reach;
  std::optional<int> cells;
  std::string out;
  OwnServer server;
};

struct TroughArguments {
  std::optional<double> sliding_friction;
  std::optional<double> inertia_ratio;
  std::optional<int> cells;
  bool all_faces = false;
  std::string out;
  OwnServer server;
};

// The request in a file.
template <typename Request>
struct RequestFile {
  std::string path;
  Request request;
  JsonPositions positions;

  static client::Result<RequestFile> Load(const std::string& path) {
    auto text = ReadFile(path);
    if (!text) return text.error();
    RequestFile file;
    file.path = path;
    auto positions = ParseJsonMessage(path, *text, file.request);
    if (!positions) return positions.error();
    file.positions = *std::move(positions);
    return file;
  }
  int Report(const Context& context, client::Error error) const {
    error.message = PlaceInFile(path, positions, error) + error.message;
    return context.Report(error);
  }
};

const char* PairStateName(v1::ContactPairState state) {
  switch (state) {
    case v1::CONTACT_PAIR_STATE_ROLL_ROLL:
      return "RR";
    case v1::CONTACT_PAIR_STATE_ROLL_SLIP:
      return "RS";
    case v1::CONTACT_PAIR_STATE_SLIP_ROLL:
      return "SR";
    case v1::CONTACT_PAIR_STATE_SLIP_SLIP:
      return "SS";
    default:
      return "?";
  }
}

std::string VectorText(const v1::Vector3& vector) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.6g, %.6g, %.6g)", vector.x(), vector.y(), vector.z());
  return text;
}

void PrintMotion(const v1::PairMotion& motion) {
  std::printf("%s  growth %.6g  acceleration %s m/s2, %s rad/s2\n", PairStateName(motion.state()),
              motion.growth(), VectorText(motion.acceleration_world_m_s2()).c_str(),
              VectorText(motion.angular_acceleration_world_rad_s2()).c_str());
  for (int i = 0; i < motion.contact_forces_world_n_size(); ++i) {
    std::printf("  contact %d  force %s N  slip acceleration %s m/s2\n", i,
                VectorText(motion.contact_forces_world_n(i)).c_str(),
                VectorText(motion.slip_accelerations_world_m_s2(i)).c_str());
  }
}

void PrintTransition(const v1::AnalyzeRollingTransitionResponse& response) {
  std::string states;
  for (const int state : response.realizable_states()) {
    states.append(" ").append(PairStateName(static_cast<v1::ContactPairState>(state)));
  }
  std::printf("realizable:%s\n", states.empty() ? " none, a contact opens" : states.c_str());
  for (const v1::PairMotion& motion : response.motions()) PrintMotion(motion);
  if (response.rolling_statically_possible()) {
    std::printf("rolling is statically possible, with %.6g to %.6g N along the line of contacts\n",
                response.least_line_force_n(), response.largest_line_force_n());
  } else {
    std::printf("rolling is not statically possible\n");
  }
  for (const v1::LimitDirection& direction : response.limit_directions()) {
    std::printf("limit direction %.6g %.6g rad  growth %.6g  %s\n", direction.angles_rad(0),
                direction.angles_rad(1), direction.motion().growth(),
                direction.repelling()    ? "repelling"
                : direction.attracting() ? "attracting"
                                         : "neither");
  }
  if (!response.normal_forces_unique()) {
    std::printf("normal forces are not unique: more motions may be possible\n");
  }
}

int Analyze(const Context& context, const TransitionArguments& arguments) {
  auto file = RequestFile<v1::AnalyzeRollingTransitionRequest>::Load(arguments.file);
  if (!file) return Complain(kExitUsage, file.error().message);
  return arguments.server.Use(context, [&](client::Client client) -> int {
    auto response = client.AnalyzeRollingTransition(file->request, context.Call());
    if (!response) return file->Report(context, response.error());
    if (context.json) {
      PrintJson(*response);
    } else {
      PrintTransition(*response);
    }
    return kExitOk;
  });
}

// Writes the mesh and says so.
template <typename Response>
int WriteMesh(const Context& context, Response& response, const std::string& out) {
  auto written = WriteFileAtomically(out, EncodeMesh(response, MeshFormatOf(out)));
  if (!written) return Complain(kExitFailure, written.error().message);
  if (context.json) {
    response.clear_obj();
    PrintJson(response);
  } else {
    std::printf("%s: %d vertices, %d triangles\n", out.c_str(), response.vertices_size() / 3,
                response.exits_size());
  }
  return kExitOk;
}

int MeshLoads(const Context& context, const LoadsArguments& arguments) {
  auto file = RequestFile<v1::MeshRollingLoadsRequest>::Load(arguments.file);
  if (!file) return Complain(kExitUsage, file.error().message);
  v1::MeshRollingLoadsRequest& request = file->request;
  if (arguments.reach) request.set_reach(*arguments.reach);
  if (arguments.cells) request.set_cells(*arguments.cells);
  request.set_obj(MeshFormatOf(arguments.out) == MeshFormat::kObj);
  return arguments.server.Use(context, [&](client::Client client) -> int {
    const Interruption interruption;
    client::CallOptions call = context.Call();
    call.stop = interruption.token();
    auto response = client.MeshRollingLoads(request, call);
    if (response) return WriteMesh(context, *response, arguments.out);
    const int code = file->Report(context, response.error());
    return interruption.requested() ? kExitInterrupted : code;
  });
}

int MeshTrough(const Context& context, const TroughArguments& arguments) {
  v1::MeshTroughSurfaceRequest request;
  if (arguments.sliding_friction) request.set_sliding_friction(*arguments.sliding_friction);
  if (arguments.inertia_ratio) request.set_inertia_ratio(*arguments.inertia_ratio);
  if (arguments.cells) request.set_cells(*arguments.cells);
  if (arguments.all_faces) request.set_body(v1::TROUGH_BODY_ALL_FACES);
  request.set_obj(MeshFormatOf(arguments.out) == MeshFormat::kObj);
  return arguments.server.Use(context, [&](client::Client client) -> int {
    auto response = client.MeshTroughSurface(request, context.Call());
    if (!response) return context.Report(response.error());
    return WriteMesh(context, *response, arguments.out);
  });
}

constexpr char kMeshFile[] = "File to write: .ply or .csv, else Wavefront OBJ";

}  // namespace

void AddRollingCommands(CLI::App& app, Context& context) {
  auto body = std::make_shared<TransitionArguments>();
  CLI::App* transition = app.add_subcommand(
      "transition",
      "What a body that rolls on two contact points does next: R rolls, S slips, at each.\n"
      "Starts a server of its own unless --server is given.");
  transition->add_option("file", body->file, "AnalyzeRollingTransitionRequest of the body, in JSON")
      ->required();
  body->server.AddOption(*transition);
  transition->callback([body, &context] { context.exit_code = Analyze(context, *body); });

  auto loads = std::make_shared<LoadsArguments>();
  CLI::App* rolling_loads = app.add_subcommand(
      "rolling-loads",
      "Write the surface between the loads under which a body rolls on at two contact points\n"
      "and those under which it does not, as triangles; --timeout bounds it.\n"
      "Starts a server of its own unless --server is given.");
  rolling_loads
      ->add_option("file", loads->file, "MeshRollingLoadsRequest, body and three axes, in JSON")
      ->required();
  rolling_loads->add_option("--reach", loads->reach,
                            "How far to look, in coordinates [the file's, else 1]");
  rolling_loads->add_option("--cells", loads->cells,
                            "Square root of an eighth of the triangles, 1 to 32 [the file's, "
                            "else 8]");
  rolling_loads->add_option("--out,-o", loads->out, kMeshFile)->required();
  loads->server.AddOption(*rolling_loads);
  rolling_loads->callback([loads, &context] { context.exit_code = MeshLoads(context, *loads); });

  auto ball = std::make_shared<TroughArguments>();
  CLI::App* trough = app.add_subcommand(
      "trough",
      "Write the surface between the torques under which a ball in a right-angled trough rolls on\n"
      "and those under which it slips (Antali & Stepan, Fig. 11), as triangles.\n"
      "Starts a server of its own unless --server is given.");
  trough->add_option("--friction", ball->sliding_friction,
                     "mu of both walls, 1e-100 to 1 - 1e-8 [0.3]");
  trough->add_option("--inertia-ratio", ball->inertia_ratio,
                     "J / (m r^2) of the ball, in (0, 2/3] [0.4, a solid one]");
  trough->add_option("--cells", ball->cells, "Steps along each side of a face, 1 to 64 [16]");
  trough->add_flag("--all-faces", ball->all_faces,
                   "The published body, cut by all faces, instead of that by limit directions");
  trough->add_option("--out,-o", ball->out, kMeshFile)->required();
  ball->server.AddOption(*trough);
  trough->callback([ball, &context] { context.exit_code = MeshTrough(context, *ball); });
}

}  // namespace talus::cli
