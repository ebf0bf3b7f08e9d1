#include "server/rpc/analysis_service.h"

#include <chrono>
#include <functional>
#include <utility>

#include "server/rpc/field_names.h"
#include "server/rpc/unary_call.h"
#include "server/session/error.h"
#include "server/wire/problem_codec.h"
#include "server/wire/transition_codec.h"
#include "solver/analysis/rolling_transition.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/lcp/flat_problem.h"
#include "solver/problem_io/hdf5_reader.h"
#include "solver/problem_io/stored_problem.h"

namespace talus::rpc {
namespace {

// What a file is refused for, as a field of the request.
absl::Status NameFile(const absl::Status& status) {
  const auto parts = GetFieldError(status);
  if (!parts) {
    return InvalidFieldError("file", "the bytes given",
                             "must hold a contact problem: " + std::string(status.message()));
  }
  return FieldError("file." + parts->field, parts->value, parts->allowed, status.code());
}

absl::StatusOr<ProblemFile> DecodeInput(const v1::SolveContactProblemRequest& request,
                                        bool accept_hdf5) {
  switch (request.input_case()) {
    case v1::SolveContactProblemRequest::kProblem: {
      ProblemFile file;
      file.name = request.problem().name();
      TALUS_ASSIGN_OR_RETURN(file.problem, wire::DecodeProblem(request.problem()));
      return file;
    }
    case v1::SolveContactProblemRequest::kFile: {
      if (!accept_hdf5 && HasHdf5Signature(request.file())) {
        return InvalidFieldError("file", "HDF5", "must be JSON: the server has no --accept-hdf5");
      }
      absl::StatusOr<ProblemFile> file = ReadProblem(request.file());
      if (!file.ok()) return NameFile(file.status());
      return file;
    }
    default:
      return InvalidFieldError("input", "nothing", "must be problem or file");
  }
}

// What the answer tells beside the solution itself.
struct SolvedProblem {
  std::string name;
  matrix::ProblemSolution solution;
  double solve_s = 0.0;
  std::string file;
};

using ProblemSolve =
    std::function<absl::StatusOr<matrix::ProblemSolution>(const ProblemFile& file)>;

// By what the settings of the request ask for; it refuses those before it looks at the problem.
absl::StatusOr<ProblemSolve> ChooseSolve(const v1::SolveContactProblemRequest& request,
                                         const AnalysisQueue::Stop& stop) {
  if (wire::AsksForFlatLaw(request)) {
    TALUS_ASSIGN_OR_RETURN(lcp::FlatProblemSettings settings,
                           wire::DecodeFlatProblemSettings(request));
    settings.stop = stop;
    return [settings](const ProblemFile& file) mutable {
      // What the step remembered stands in its file.
      const bool bristle = settings.law.law == ContactLaw::kBristle;
      if (bristle && settings.old_impulse.size() == 0 && file.old_impulse) {
        settings.old_impulse = *file.old_impulse;
      }
      return lcp::SolveFlatProblem(file.problem, settings);
    };
  }
  TALUS_ASSIGN_OR_RETURN(matrix::ProblemSettings settings, wire::DecodeProblemSettings(request));
  settings.stop = stop;
  return
      [settings](const ProblemFile& file) { return matrix::SolveProblem(file.problem, settings); };
}

absl::StatusOr<SolvedProblem> Solve(const v1::SolveContactProblemRequest& request, bool accept_hdf5,
                                    const AnalysisQueue::Stop& stop) {
  TALUS_ASSIGN_OR_RETURN(const ProblemSolve solve, ChooseSolve(request, stop));
  TALUS_ASSIGN_OR_RETURN(ProblemFile file, DecodeInput(request, accept_hdf5));
  const auto begin = std::chrono::steady_clock::now();
  SolvedProblem solved;
  solved.name = file.name;
  TALUS_ASSIGN_OR_RETURN(solved.solution, solve(file));
  solved.solve_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (request.solution_format() != v1::PROBLEM_FILE_FORMAT_UNSPECIFIED) {
    file.reference_impulse = solved.solution.impulse;
    file.reference_velocity = solved.solution.velocity;
    TALUS_ASSIGN_OR_RETURN(
        solved.file, wire::EncodeProblemFile(file, request.solution_format(), "solution_format"));
  }
  return solved;
}

absl::StatusOr<RealizabilityMesh> Mesh(const v1::MeshRollingLoadsRequest& request,
                                       const AnalysisQueue::Stop& stop) {
  absl::StatusOr<TwoPointBody> body = wire::DecodeTwoPointBody(request.body());
  if (!body.ok()) return PrefixField(body.status(), "body");
  TALUS_ASSIGN_OR_RETURN(wire::LoadSpace space, wire::DecodeLoadSpace(request));
  space.settings.stop = stop;
  return MeshRollingLoads(*body, space.axes, space.settings);
}

}  // namespace

grpc::ServerUnaryReactor* AnalysisService::SolveContactProblem(
    grpc::CallbackServerContext* call_context, const v1::SolveContactProblemRequest* request,
    v1::SolveContactProblemResponse* response) {
  auto* call = new UnaryCall("AnalysisService/SolveContactProblem", *call_context, *response);
  // gRPC keeps the request until the call has ended.
  context_.host.analyses().Submit<SolvedProblem>(
      context_.gate.NameClient(*call_context), call->control(),
      [request, accept_hdf5 = context_.host.options().accept_hdf5](
          const AnalysisQueue::Stop& stop) { return Solve(*request, accept_hdf5, stop); },
      [call](absl::StatusOr<SolvedProblem> solved) {
        if (!solved.ok()) return call->End(solved.status());
        v1::SolveContactProblemResponse& out = call->response();
        wire::EncodeSolution(solved->solution, out);
        out.set_name(solved->name);
        out.set_solve_s(solved->solve_s);
        out.set_solution_file(std::move(solved->file));
        out.set_block_count(static_cast<int32_t>(solved->solution.impulse.size() / 6));
        call->End(absl::OkStatus());
      });
  return call;
}

grpc::ServerUnaryReactor* AnalysisService::AnalyzeRollingTransition(
    grpc::CallbackServerContext* call_context, const v1::AnalyzeRollingTransitionRequest* request,
    v1::AnalyzeRollingTransitionResponse* response) {
  auto* call = new UnaryCall("AnalysisService/AnalyzeRollingTransition", *call_context, *response);
  // Takes milliseconds.
  context_.host.conversions().Submit<RollingTransition>(
      context_.gate.NameClient(*call_context), call->control(),
      [request](const AnalysisQueue::Stop&) -> absl::StatusOr<RollingTransition> {
        TALUS_ASSIGN_OR_RETURN(const TwoPointBody body, wire::DecodeTwoPointBody(*request));
        return ::talus::AnalyzeRollingTransition(body);
      },
      [call](absl::StatusOr<RollingTransition> transition) {
        if (transition.ok()) wire::EncodeTransition(*transition, call->response());
        call->End(transition.status());
      });
  return call;
}

grpc::ServerUnaryReactor* AnalysisService::MeshRollingLoads(
    grpc::CallbackServerContext* call_context, const v1::MeshRollingLoadsRequest* request,
    v1::MeshRollingLoadsResponse* response) {
  auto* call = new UnaryCall("AnalysisService/MeshRollingLoads", *call_context, *response);
  context_.host.analyses().Submit<RealizabilityMesh>(
      context_.gate.NameClient(*call_context), call->control(),
      [request](const AnalysisQueue::Stop& stop) { return Mesh(*request, stop); },
      [call, obj = request->obj()](absl::StatusOr<RealizabilityMesh> mesh) {
        if (mesh.ok()) {
          wire::EncodeMesh(*mesh, call->response());
          if (obj) call->response().set_obj(EncodeObj(*mesh));
        }
        call->End(mesh.status());
      });
  return call;
}

grpc::ServerUnaryReactor* AnalysisService::MeshTroughSurface(
    grpc::CallbackServerContext* call_context, const v1::MeshTroughSurfaceRequest* request,
    v1::MeshTroughSurfaceResponse* response) {
  auto* call = new UnaryCall("AnalysisService/MeshTroughSurface", *call_context, *response);
  context_.host.analyses().Submit<RealizabilityMesh>(
      context_.gate.NameClient(*call_context), call->control(),
      [request](const AnalysisQueue::Stop&) -> absl::StatusOr<RealizabilityMesh> {
        TALUS_ASSIGN_OR_RETURN(const wire::TroughSurface surface,
                               wire::DecodeTroughSurface(*request));
        return MeshRealizability(surface.ball, surface.body, surface.cells);
      },
      [call, obj = request->obj()](absl::StatusOr<RealizabilityMesh> mesh) {
        if (mesh.ok()) {
          wire::EncodeMesh(*mesh, call->response());
          if (obj) call->response().set_obj(EncodeObj(*mesh));
        }
        call->End(mesh.status());
      });
  return call;
}

}  // namespace talus::rpc
