#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/choice_option.h"
#include "clients/cli/commands.h"
#include "clients/cli/interruption.h"
#include "clients/cli/output_file.h"
#include "clients/cli/own_server.h"
#include "clients/cli/pending_output.h"
#include "clients/cli/psor_options.h"

namespace talus::cli {
namespace {

constexpr size_t kMostProblemMib = 256;  // more no server reads

struct SolveArguments {
  std::string file;
  v1::ContactLaw law = v1::CONTACT_LAW_NCP;
  v1::ProblemSolver solver = v1::PROBLEM_SOLVER_UNSPECIFIED;
  std::optional<double> tolerance;
  std::optional<int> max_sweeps;
  PsorOptions psor;
  std::optional<int> facets;
  std::optional<double> bristle_stiffness;
  std::optional<double> slip_threshold;
  std::optional<double> time_step;
  bool history = false;
  std::string out;
  OwnServer server;
};

const std::map<std::string, v1::ProblemSolver> kSolvers = {
    {"default", v1::PROBLEM_SOLVER_UNSPECIFIED},
    {"fixed_point", v1::PROBLEM_SOLVER_FIXED_POINT},
    {"extragradient", v1::PROBLEM_SOLVER_EXTRAGRADIENT},
    {"nsgs", v1::PROBLEM_SOLVER_NSGS},
    {"psor", v1::PROBLEM_SOLVER_PSOR},
    {"accelerated_psor", v1::PROBLEM_SOLVER_ACCELERATED_PSOR},
    {"alart_curnier", v1::PROBLEM_SOLVER_ALART_CURNIER},
    {"barzilai_borwein", v1::PROBLEM_SOLVER_BARZILAI_BORWEIN},
    {"admm", v1::PROBLEM_SOLVER_ADMM},
    {"newton", v1::PROBLEM_SOLVER_NEWTON},
    {"block_pivoting", v1::PROBLEM_SOLVER_BLOCK_PIVOTING},
    {"lemke", v1::PROBLEM_SOLVER_LEMKE}};

std::string OutcomeText(v1::SolveOutcome outcome) {
  switch (outcome) {
    case v1::SOLVE_OUTCOME_CONVERGED:
      return "converged";
    case v1::SOLVE_OUTCOME_SWEEP_LIMIT:
      return "sweep limit";
    case v1::SOLVE_OUTCOME_STALLED:
      return "stalled";
    case v1::SOLVE_OUTCOME_RAY:
      return "no solution found (a ray)";
    case v1::SOLVE_OUTCOME_SINGULAR:
      return "singular";
    case v1::SOLVE_OUTCOME_TOO_LARGE:
      return "too large for Lemke's method";
    default:
      return "unknown";
  }
}

// By the extension of the file that is to be written.
v1::ProblemFileFormat FormatOf(const std::string& path) {
  if (path.empty()) return v1::PROBLEM_FILE_FORMAT_UNSPECIFIED;
  const std::string extension = std::filesystem::path(path).extension();
  return extension == ".h5" || extension == ".hdf5" ? v1::PROBLEM_FILE_FORMAT_FCLIB
                                                    : v1::PROBLEM_FILE_FORMAT_JSON;
}

void PrintSolution(const Context& context, const v1::SolveContactProblemResponse& response) {
  if (context.json) {
    PrintJson(response);
    return;
  }
  std::printf("%s: %d blocks, %s after %d sweeps in %.3g s\n", response.name().c_str(),
              response.block_count(), OutcomeText(response.outcome()).c_str(),
              response.sweep_count(), response.solve_s());
  std::printf("residual %.3g  eta %.3g", response.residual(), response.worst_contact_residual());
  if (response.has_siconos_error()) std::printf("  siconos error %.3g", response.siconos_error());
  std::printf("\n");
  for (int i = 0; i < response.residual_history_size(); ++i) {
    std::printf("sweep %d residual %.6g\n", i + 1, response.residual_history(i));
  }
}

// Nothing where nothing was given: the server refuses these settings with another law.
void SetFlatLaw(const SolveArguments& arguments, v1::SolveContactProblemRequest& request) {
  if (arguments.facets) request.mutable_flat_law()->set_facet_count(*arguments.facets);
  if (arguments.bristle_stiffness) {
    request.mutable_flat_law()->set_bristle_stiffness_n_m(*arguments.bristle_stiffness);
  }
  if (arguments.slip_threshold) {
    request.mutable_flat_law()->set_slip_threshold_m_s(*arguments.slip_threshold);
  }
  if (arguments.time_step) request.mutable_flat_law()->set_time_step_s(*arguments.time_step);
}

// A file that is to be written once its bytes are known, begun before: where it cannot be, a solve
// of an hour would be for nothing.
class SolutionFile {
 public:
  static client::Result<SolutionFile> Begin(const std::string& path) {
    auto output = PendingOutput::Begin(path, PendingOutput::Kind::kFile, true);
    if (!output) return output.error();
    auto file = OutputFile::Create((*output)->beside());
    if (!file) return file.error();
    return SolutionFile(std::move(*output), std::move(*file));
  }

  client::Result<client::Done> Write(const std::string& bytes) {
    auto written = file_.Write(bytes);
    if (written) written = file_.Close();
    return written ? output_->Commit() : written;
  }

 private:
  SolutionFile(std::unique_ptr<PendingOutput> output, OutputFile file)
      : output_(std::move(output)), file_(std::move(file)) {}

  std::unique_ptr<PendingOutput> output_;
  OutputFile file_;
};

int SolveWith(const Context& context, const SolveArguments& arguments, std::string file,
              client::Client client) {
  std::optional<SolutionFile> out;
  if (!arguments.out.empty()) {
    auto begun = SolutionFile::Begin(arguments.out);
    if (!begun) return Complain(kExitFailure, begun.error().message);
    out.emplace(std::move(*begun));
  }
  v1::SolveContactProblemRequest request;
  request.set_file(std::move(file));
  request.set_law(arguments.law);
  request.set_solver(arguments.solver);
  if (arguments.tolerance) request.set_tolerance(*arguments.tolerance);
  if (arguments.max_sweeps) request.set_max_sweeps(*arguments.max_sweeps);
  // The server refuses it with another solver.
  if (arguments.psor.given()) ApplyPsorOptions(arguments.psor, *request.mutable_psor());
  SetFlatLaw(arguments, request);
  request.set_residual_history(arguments.history);
  request.set_solution_format(FormatOf(arguments.out));
  const Interruption interruption;
  client::CallOptions call = context.Call();
  call.stop = interruption.token();
  auto response = client.SolveContactProblem(request, call);
  if (!response) {
    client::Error error = response.error();
    if (error.detail.field().rfind("file", 0) == 0) {
      error.message = arguments.file + ": " + error.message;
    }
    const int code = context.Report(error);
    return interruption.requested() ? kExitInterrupted : code;
  }
  const std::unique_ptr<std::string> bytes(response->release_solution_file());
  PrintSolution(context, *response);
  if (out) {
    auto written = out->Write(bytes ? *bytes : "");
    if (!written) return Complain(kExitFailure, written.error().message);
  }
  return response->outcome() == v1::SOLVE_OUTCOME_CONVERGED ? kExitOk : kExitUnconverged;
}

int Solve(const Context& context, const SolveArguments& arguments) {
  auto file = ReadFile(arguments.file, kMostProblemMib);
  if (!file) return Complain(kExitUsage, file.error().message);
  return arguments.server.Use(context, [&](client::Client client) {
    return SolveWith(context, arguments, *std::move(file), std::move(client));
  });
}

struct ProblemArguments {
  std::string scene;
  std::string out;
};

int TakeProblem(const Context& context, const ProblemArguments& arguments) {
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, arguments.scene, context.Call());
  if (!scene) return context.Report(scene.error());
  v1::GetStepProblemRequest request;
  request.set_scene(*scene);
  request.set_file_format(FormatOf(arguments.out));
  auto response = client.GetStepProblem(request, context.Call());
  if (!response) return context.Report(response.error());
  auto written = WriteFileAtomically(arguments.out, response->file());
  response->clear_file();
  if (context.json) {
    PrintJson(*response);
  } else {
    std::printf("step %lld  blocks %d  %s  residual %.6g\n",
                static_cast<long long>(response->step_index()), response->impulses_size() / 6,
                OutcomeText(response->outcome()).c_str(), response->residual());
  }
  return written ? kExitOk : Complain(kExitFailure, written.error().message);
}

}  // namespace

void AddProblemCommands(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<SolveArguments>();
  SolveArguments& a = *arguments;
  CLI::App* solve = app.add_subcommand(
      "solve",
      "Solve a contact problem from a file: contact-problem/1, rolling-ccp/1 (JSON), FCLIB "
      "(HDF5).\n"
      "Starts a server of its own unless --server is given. Exit code 3: short of the tolerance.");
  solve->add_option("file", a.file, "File of the problem")->required();
  AddChoice(*solve, "--law", a.law, kContactLaws, "Contact law [ncp]");
  AddChoice(*solve, "--solver", a.solver, kSolvers, "Solver [default]");
  solve->add_option("--tolerance", a.tolerance, "Residual to stop at, 1e-14 to 1 [1e-8]");
  solve->add_option("--max-sweeps", a.max_sweeps, "Most sweeps or pivots, 1 to 1000000 [20000]");
  AddPsorOptions(*solve, a.psor, "psor, accelerated_psor", "1");
  solve->add_option("--facets", a.facets, "polygonal: directions of friction, even, 4 to 32 [8]");
  solve->add_option("--bristle-stiffness", a.bristle_stiffness,
                    "bristle: N/m, 1e-3 to 1e15 [1e10]; they begin unbent");
  solve->add_option("--slip-threshold", a.slip_threshold,
                    "bristle: m/s, above 0, at most 1e6 [0.01]");
  solve->add_option("--time-step", a.time_step,
                    "bristle: s, 1e-6 to 1 [1e-3]; gives way by 1 / (stiffness time_step^2)");
  solve->add_flag("--residual-history", a.history, "Residual after every sweep");
  solve->add_option(
      "--out,-o", a.out,
      "Write the problem with its solution to this file: .h5 or .hdf5 for FCLIB, else JSON");
  a.server.AddOption(*solve);
  solve->callback([arguments, &context] { context.exit_code = Solve(context, *arguments); });

  auto taken = std::make_shared<ProblemArguments>();
  CLI::App* problem = app.add_subcommand(
      "problem", "Write the contact problem that a step has kept (step --keep-problem) to a file");
  problem->add_option("scene", taken->scene,
                      "Scene; may be left out when the server holds one only");
  problem->add_option("--out,-o", taken->out, "File to write: .h5 or .hdf5 for FCLIB, else JSON")
      ->required();
  problem->callback([taken, &context] { context.exit_code = TakeProblem(context, *taken); });
}

}  // namespace talus::cli
