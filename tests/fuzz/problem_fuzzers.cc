// Bare contact problems, in messages and in files, and the analysis of two contact points.
#include <algorithm>
#include <string>

#include "server/wire/problem_codec.h"
#include "server/wire/transition_codec.h"
#include "solver/base/check.h"
#include "solver/base/status.h"
#include "solver/lcp/flat_problem.h"
#include "solver/problem_io/json_problem.h"
#include "solver/problem_io/stored_problem.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

constexpr size_t kMostBlocks = 16;
constexpr int32_t kMostProblemSweeps = 50;

// What was read is a problem that can be written, and reads back the same.
void CheckProblem(const absl::StatusOr<ProblemFile>& file) {
  if (!file.ok()) return CheckRefusal(file.status());
  const std::string once = WriteJsonProblem(*file);
  const absl::StatusOr<ProblemFile> back = ReadJsonProblem(once);
  TALUS_CHECK(back.ok());
  TALUS_CHECK(WriteJsonProblem(*back) == once);
}

absl::StatusOr<matrix::ProblemSolution> SolveBriefly(const v1::SolveContactProblemRequest& message,
                                                     const MatrixProblem& problem) {
  if (wire::AsksForFlatLaw(message)) {
    TALUS_ASSIGN_OR_RETURN(lcp::FlatProblemSettings settings,
                           wire::DecodeFlatProblemSettings(message));
    settings.max_pivots = std::min(settings.max_pivots, kMostProblemSweeps);
    return lcp::SolveFlatProblem(problem, settings);
  }
  TALUS_ASSIGN_OR_RETURN(matrix::ProblemSettings settings, wire::DecodeProblemSettings(message));
  settings.max_sweeps = std::min(settings.max_sweeps, kMostProblemSweeps);
  return matrix::SolveProblem(problem, settings);
}

}  // namespace

void FeedContactProblem(std::string_view text) {
  v1::SolveContactProblemRequest message;
  if (!ReadText(text, message)) return;
  absl::StatusOr<MatrixProblem> problem = wire::DecodeProblem(message.problem());
  if (!problem.ok()) return CheckRefusal(problem.status());
  v1::ContactProblem once;
  wire::EncodeProblem(*problem, once);
  const absl::StatusOr<MatrixProblem> back = wire::DecodeProblem(once);
  TALUS_CHECK(back.ok());
  v1::ContactProblem again;
  wire::EncodeProblem(*back, again);
  TALUS_CHECK(again.SerializeAsString() == once.SerializeAsString());
  if (problem->block_count() > kMostBlocks) return;
  const absl::StatusOr<matrix::ProblemSolution> solution = SolveBriefly(message, *problem);
  if (!solution.ok()) return CheckRefusal(solution.status());
  v1::SolveContactProblemResponse response;
  wire::EncodeSolution(*solution, response);
}

void FeedProblemFile(std::string_view bytes) { CheckProblem(ReadJsonProblem(bytes)); }

void FeedHdf5Problem(std::string_view bytes) {
  // ReadProblem goes by the signature, so bytes without it are the other fuzzer's.
  if (bytes.starts_with("\x89HDF")) CheckProblem(ReadProblem(bytes));
}

void FeedTransition(std::string_view text) {
  v1::AnalyzeRollingTransitionRequest message;
  if (!ReadText(text, message)) return;
  const absl::StatusOr<TwoPointBody> body = wire::DecodeTwoPointBody(message);
  if (!body.ok()) return CheckRefusal(body.status());
  const absl::StatusOr<RollingTransition> found = AnalyzeRollingTransition(*body);
  if (!found.ok()) return CheckRefusal(found.status());
  v1::AnalyzeRollingTransitionResponse response;
  wire::EncodeTransition(*found, response);
}

void FeedRollingLoads(std::string_view text) {
  v1::MeshRollingLoadsRequest message;
  if (!ReadText(text, message)) return;
  const absl::StatusOr<TwoPointBody> body = wire::DecodeTwoPointBody(message.body());
  if (!body.ok()) return CheckRefusal(body.status());
  absl::StatusOr<wire::LoadSpace> space = wire::DecodeLoadSpace(message);
  if (!space.ok()) return CheckRefusal(space.status());
  space->settings.cells = std::min(space->settings.cells, 1);
  int analyses_left = 8;
  space->settings.stop = [&analyses_left] { return analyses_left-- == 0; };
  const auto mesh = MeshRollingLoads(*body, space->axes, space->settings);
  if (absl::IsCancelled(mesh.status())) return;
  if (!mesh.ok()) return CheckRefusal(mesh.status());
  v1::MeshRollingLoadsResponse response;
  wire::EncodeMesh(*mesh, response);
}

void FeedTroughSurface(std::string_view text) {
  v1::MeshTroughSurfaceRequest message;
  if (!ReadText(text, message)) return;
  absl::StatusOr<wire::TroughSurface> surface = wire::DecodeTroughSurface(message);
  if (!surface.ok()) return CheckRefusal(surface.status());
  surface->cells = std::min(surface->cells, 6);
  const auto mesh = MeshRealizability(surface->ball, surface->body, surface->cells);
  if (!mesh.ok()) return CheckRefusal(mesh.status());
  v1::MeshTroughSurfaceResponse response;
  wire::EncodeMesh(*mesh, response);
}

}  // namespace talus::fuzz
