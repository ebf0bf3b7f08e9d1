// Bare contact problems and their solutions between the wire and the solver's matrices.
//
// Decoding promises a valid problem: what it refuses names the field of the message, as in
// `problem.sliding_frictions[3]`.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "solver/lcp/flat_problem.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "solver/problem_io/problem_file.h"
#include "solver/world/step_problem.h"
#include "talus/v1/analysis_service.pb.h"
#include "talus/v1/contact_problem.pb.h"
#include "talus/v1/query_service.pb.h"

namespace talus::wire {

// INVALID_ARGUMENT, also where delassus and free_rows stand beside velocities and are not theirs;
// RESOURCE_EXHAUSTED beyond solver/base/limits.h.
absl::StatusOr<MatrixProblem> DecodeProblem(const v1::ContactProblem& message);
void EncodeProblem(const MatrixProblem& problem, v1::ContactProblem& message);

// Whether the law is one with flat sides, so that the settings are those of the second function.
bool AsksForFlatLaw(const v1::SolveContactProblemRequest& request);
// Law, solver and limits; the rest of the request is the problem. INVALID_ARGUMENT: a value that
// the schema lacks, a solver of other laws, or parameters of another solver or law; ranges are
// SolveProblem's and SolveFlatProblem's to check.
absl::StatusOr<matrix::ProblemSettings> DecodeProblemSettings(
    const v1::SolveContactProblemRequest& request);
absl::StatusOr<lcp::FlatProblemSettings> DecodeFlatProblemSettings(
    const v1::SolveContactProblemRequest& request);
// Impulses, velocities and how good they are.
void EncodeSolution(const matrix::ProblemSolution& solution,
                    v1::SolveContactProblemResponse& response);

// INVALID_ARGUMENT naming `field`: an unknown format, or one that cannot hold the problem.
absl::StatusOr<std::string> EncodeProblemFile(const ProblemFile& file, v1::ProblemFileFormat format,
                                              const std::string& field);

// All but the problem itself.
void EncodeStepProblem(const StepProblem& problem, v1::GetStepProblemResponse& response);

}  // namespace talus::wire
