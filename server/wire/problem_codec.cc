#include "server/wire/problem_codec.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/wire/report_codec.h"
#include "server/wire/settings_codec.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/delassus.h"
#include "solver/matrix/range_check.h"
#include "solver/matrix/velocity_form.h"
#include "solver/problem_io/fclib_problem.h"
#include "solver/problem_io/json_problem.h"

namespace talus::wire {
namespace {

using Doubles = google::protobuf::RepeatedField<double>;
using Indices = google::protobuf::RepeatedField<uint32_t>;

// The message's names for what the solver calls by the symbols of the papers.
std::string FieldOf(std::string_view field) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"compliance", "compliances"},
      {"size(blocks)", "size(sliding_frictions)"},
      {"W", "delassus"},
      {"M", "velocities.mass"},
      {"H", "velocities.directions"},
      {"f", "velocities.free_impulses"},
      {"w", "velocities.offsets"},
      {"q", "free_rows"}};
  for (const auto& [symbol, name] : kNames) {
    const std::string_view rest = field.substr(std::min(field.size(), symbol.size()));
    if (field.substr(0, symbol.size()) == symbol &&
        (rest.empty() || rest.front() == '[' || rest.front() == '.')) {
      return std::string(name) + std::string(rest);
    }
  }
  return std::string(field);
}

absl::Status NameFields(const absl::Status& status) {
  const auto parts = GetFieldError(status);
  if (!parts) return status;
  return FieldError("problem." + FieldOf(parts->field), parts->value, parts->allowed,
                    status.code());
}

absl::Status CheckCount(std::string_view field, int count, int64_t expected) {
  if (count == expected) return absl::OkStatus();
  return FieldError("size(problem." + std::string(field) + ")", FormatValue(int64_t{count}),
                    "must be " + std::to_string(expected));
}

absl::Status CheckIndices(const std::string& field, const Indices& indices, int64_t count) {
  for (int i = 0; i < indices.size(); ++i) {
    if (indices[i] < count) continue;
    return FieldError("problem." + field + "[" + std::to_string(i) + "]",
                      FormatValue(uint64_t{indices[i]}), "must be < " + std::to_string(count));
  }
  return absl::OkStatus();
}

absl::Status CheckCoefficients(const char* field, const Doubles& values) {
  for (int i = 0; i < values.size(); ++i) {
    if (IsCoefficient(values[i])) continue;
    return CheckCoefficient("problem." + std::string(field) + "[" + std::to_string(i) + "]",
                            values[i]);
  }
  return absl::OkStatus();
}

Eigen::VectorXd DecodeNumbers(const Doubles& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), values.size());
}

absl::StatusOr<std::vector<BlockLaw>> DecodeLaws(const v1::ContactProblem& message) {
  const int count = message.sliding_frictions_size();
  if (static_cast<size_t>(count) > kMaxProblemBlocks) {
    return FieldError("size(problem.sliding_frictions)", FormatValue(int64_t{count}),
                      "must be <= " + std::to_string(kMaxProblemBlocks),
                      absl::StatusCode::kResourceExhausted);
  }
  for (const auto& [field, values] :
       {std::pair<const char*, const Doubles*>{"sliding_frictions", &message.sliding_frictions()},
        {"spinning_frictions_m", &message.spinning_frictions_m()},
        {"rolling_frictions_m", &message.rolling_frictions_m()}}) {
    TALUS_RETURN_IF_ERROR(CheckCount(field, values->size(), count));
    TALUS_RETURN_IF_ERROR(CheckCoefficients(field, *values));
  }
  std::vector<BlockLaw> laws(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    laws[static_cast<size_t>(i)].cone = {.sliding = message.sliding_frictions(i),
                                         .spinning = message.spinning_frictions_m(i),
                                         .rolling = message.rolling_frictions_m(i)};
  }
  for (int i = 0; i < message.bounds_size(); ++i) {
    const v1::BlockBounds& bounds = message.bounds(i);
    const std::string path = "problem.bounds[" + std::to_string(i) + "]";
    if (bounds.block() >= laws.size()) {
      return FieldError(path + ".block", FormatValue(uint64_t{bounds.block()}),
                        "must be < " + std::to_string(laws.size()));
    }
    if (bounds.lower_size() != 6 || bounds.upper_size() != 6) {
      return FieldError(path, "bounds", "must be 6 lower and 6 upper ones");
    }
    BlockLaw& law = laws[bounds.block()];
    if (law.kind == BlockLawKind::kBounds) {
      return FieldError(path + ".block", FormatValue(uint64_t{bounds.block()}),
                        "must be named by one of the bounds alone");
    }
    law.kind = BlockLawKind::kBounds;
    law.lower = DecodeNumbers(bounds.lower());
    law.upper = DecodeNumbers(bounds.upper());
    TALUS_RETURN_IF_ERROR(CheckBounds(path, law));
  }
  return laws;
}

absl::StatusOr<BlockMatrix> DecodeDelassus(const v1::BlockMatrixColumns& message,
                                           size_t block_count) {
  const int count = message.rows_size();
  if (static_cast<size_t>(count) > kMaxDelassusBlocks) {
    return FieldError("size(problem.delassus.rows)", FormatValue(int64_t{count}),
                      "must be <= " + std::to_string(kMaxDelassusBlocks),
                      absl::StatusCode::kResourceExhausted);
  }
  TALUS_RETURN_IF_ERROR(CheckCount("delassus.columns", message.columns_size(), count));
  TALUS_RETURN_IF_ERROR(CheckCount("delassus.values", message.values_size(), 36 * int64_t{count}));
  const auto blocks = static_cast<int64_t>(block_count);
  TALUS_RETURN_IF_ERROR(CheckIndices("delassus.rows", message.rows(), blocks));
  TALUS_RETURN_IF_ERROR(CheckIndices("delassus.columns", message.columns(), blocks));
  std::vector<BlockMatrix::Entry> entries;
  entries.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    using RowMajor = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
    entries.push_back({message.rows(i), message.columns(i),
                       Eigen::Map<const RowMajor>(message.values().data() + 36 * i)});
  }
  return BlockMatrix(block_count, std::move(entries));
}

absl::StatusOr<SparseMatrix> DecodeSparse(const std::string& field,
                                          const v1::SparseMatrixColumns& message, Eigen::Index rows,
                                          Eigen::Index columns) {
  const int count = message.rows_size();
  TALUS_RETURN_IF_ERROR(CheckCount(field + ".columns", message.columns_size(), count));
  TALUS_RETURN_IF_ERROR(CheckCount(field + ".values", message.values_size(), count));
  TALUS_RETURN_IF_ERROR(CheckIndices(field + ".rows", message.rows(), rows));
  TALUS_RETURN_IF_ERROR(CheckIndices(field + ".columns", message.columns(), columns));
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    triplets.emplace_back(static_cast<int>(message.rows(i)), static_cast<int>(message.columns(i)),
                          message.values(i));
  }
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

absl::StatusOr<VelocityForm> DecodeVelocities(const v1::VelocityForm& message,
                                              Eigen::Index row_count) {
  VelocityForm form;
  form.free_impulse = DecodeNumbers(message.free_impulses());
  form.offset = DecodeNumbers(message.offsets());
  const Eigen::Index size = form.free_impulse.size();
  TALUS_ASSIGN_OR_RETURN(form.mass, DecodeSparse("velocities.mass", message.mass(), size, size));
  TALUS_ASSIGN_OR_RETURN(form.directions, DecodeSparse("velocities.directions",
                                                       message.directions(), size, row_count));
  return form;
}

absl::Status CheckSolver(v1::ProblemSolver solver) {
  if (v1::ProblemSolver_IsValid(solver)) return absl::OkStatus();
  return FieldError("solver", FormatValue(int64_t{solver}), "must be a value of ProblemSolver");
}

bool IsPivoting(v1::ProblemSolver solver) {
  return solver == v1::PROBLEM_SOLVER_BLOCK_PIVOTING || solver == v1::PROBLEM_SOLVER_LEMKE;
}

absl::Status PsorError() {
  return FieldError("psor", "given", "must be left out unless solver is PSOR or ACCELERATED_PSOR");
}

bool IsPsor(matrix::ProblemSolver solver) {
  return solver == matrix::ProblemSolver::kPsor ||
         solver == matrix::ProblemSolver::kAcceleratedPsor;
}

void EncodeNumbers(const Eigen::VectorXd& values, Doubles& column) {
  column.Assign(values.data(), values.data() + values.size());
}

void EncodeSparse(const SparseMatrix& matrix, v1::SparseMatrixColumns& message) {
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      message.add_rows(static_cast<uint32_t>(entry.row()));
      message.add_columns(static_cast<uint32_t>(column));
      message.add_values(entry.value());
    }
  }
}

}  // namespace

absl::StatusOr<MatrixProblem> DecodeProblem(const v1::ContactProblem& message) {
  MatrixProblem problem;
  TALUS_ASSIGN_OR_RETURN(problem.laws, DecodeLaws(message));
  problem.compliance = message.compliances().empty()
                           ? Eigen::VectorXd(Eigen::VectorXd::Zero(problem.row_count()))
                           : DecodeNumbers(message.compliances());
  if (message.has_velocities()) {
    TALUS_ASSIGN_OR_RETURN(problem.velocities,
                           DecodeVelocities(message.velocities(), problem.row_count()));
  }
  const bool given = !problem.velocities || message.has_delassus() || !message.free_rows().empty();
  if (given) {
    TALUS_ASSIGN_OR_RETURN(problem.delassus,
                           DecodeDelassus(message.delassus(), problem.block_count()));
    problem.free_rows = DecodeNumbers(message.free_rows());
  } else {
    TALUS_RETURN_IF_ERROR(NameFields(FormDelassus(problem)));
  }
  TALUS_RETURN_IF_ERROR(NameFields(Validate(problem)));
  if (given && problem.velocities) TALUS_RETURN_IF_ERROR(NameFields(UnifyForms(problem)));
  return problem;
}

void EncodeProblem(const MatrixProblem& problem, v1::ContactProblem& message) {
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const BlockLaw& law = problem.laws[i];
    message.add_sliding_frictions(law.cone.sliding);
    message.add_spinning_frictions_m(law.cone.spinning);
    message.add_rolling_frictions_m(law.cone.rolling);
    if (law.kind != BlockLawKind::kBounds) continue;
    v1::BlockBounds& bounds = *message.add_bounds();
    bounds.set_block(static_cast<uint32_t>(i));
    EncodeNumbers(law.lower, *bounds.mutable_lower());
    EncodeNumbers(law.upper, *bounds.mutable_upper());
  }
  EncodeNumbers(problem.compliance, *message.mutable_compliances());
  if (problem.velocities) {
    v1::VelocityForm& form = *message.mutable_velocities();
    EncodeSparse(problem.velocities->mass, *form.mutable_mass());
    EncodeSparse(problem.velocities->directions, *form.mutable_directions());
    EncodeNumbers(problem.velocities->free_impulse, *form.mutable_free_impulses());
    EncodeNumbers(problem.velocities->offset, *form.mutable_offsets());
    return;
  }
  EncodeNumbers(problem.free_rows, *message.mutable_free_rows());
  v1::BlockMatrixColumns& delassus = *message.mutable_delassus();
  for (size_t row = 0; row < problem.block_count(); ++row) {
    const auto columns = problem.delassus.Columns(row);
    for (size_t k = 0; k < columns.size(); ++k) {
      delassus.add_rows(static_cast<uint32_t>(row));
      delassus.add_columns(columns[k]);
      const Matrix6 transposed = problem.delassus.Blocks(row)[k].transpose();
      delassus.mutable_values()->Add(transposed.data(), transposed.data() + 36);
    }
  }
}

bool AsksForFlatLaw(const v1::SolveContactProblemRequest& request) {
  const auto law = DecodeLaw(request.law(), FieldPath("law"));
  return law.ok() && HasFlatSides(*law);
}

absl::StatusOr<matrix::ProblemSettings> DecodeProblemSettings(
    const v1::SolveContactProblemRequest& request) {
  matrix::ProblemSettings settings;
  TALUS_ASSIGN_OR_RETURN(settings.law, DecodeLaw(request.law(), FieldPath("law")));
  TALUS_RETURN_IF_ERROR(CheckSolver(request.solver()));
  if (IsPivoting(request.solver())) {
    return FieldError("solver", v1::ProblemSolver_Name(request.solver()),
                      "must be one that solves " + matrix::SolversOf(settings.law));
  }
  if (request.has_flat_law()) {
    return FieldError("flat_law", "given", "must be left out where the law is NCP or CCP");
  }
  // The numbers are the same.
  settings.solver = static_cast<matrix::ProblemSolver>(request.solver());
  if (request.has_tolerance()) settings.tolerance = request.tolerance();
  if (request.has_max_sweeps()) settings.max_sweeps = request.max_sweeps();
  settings.residual_history = request.residual_history();
  if (request.has_psor()) {
    if (!IsPsor(settings.solver)) return PsorError();
    settings.psor = DecodePsor(request.psor());
  }
  return settings;
}

namespace {

// What was given of another law than the one asked for would be lost.
absl::Status CheckFlatLaw(const v1::FlatLawSettings& settings, ContactLaw law) {
  const auto check = [law](bool given, ContactLaw its, const char* field, const char* name) {
    if (!given || law == its) return absl::OkStatus();
    return FieldError(std::string("flat_law.") + field, "given",
                      std::string("must be left out unless the law is ") + name);
  };
  const auto bristle = [&](bool given, const char* field) {
    return check(given, ContactLaw::kBristle, field, "BRISTLE");
  };
  TALUS_RETURN_IF_ERROR(
      check(settings.has_facet_count(), ContactLaw::kPolygonal, "facet_count", "POLYGONAL"));
  TALUS_RETURN_IF_ERROR(bristle(settings.has_bristle_stiffness_n_m(), "bristle_stiffness_n_m"));
  TALUS_RETURN_IF_ERROR(bristle(settings.has_slip_threshold_m_s(), "slip_threshold_m_s"));
  TALUS_RETURN_IF_ERROR(bristle(settings.has_time_step_s(), "time_step_s"));
  return bristle(settings.old_impulses_size() > 0, "old_impulses");
}

}  // namespace

absl::StatusOr<lcp::FlatProblemSettings> DecodeFlatProblemSettings(
    const v1::SolveContactProblemRequest& request) {
  lcp::FlatProblemSettings settings;
  TALUS_ASSIGN_OR_RETURN(settings.law.law, DecodeLaw(request.law(), FieldPath("law")));
  TALUS_RETURN_IF_ERROR(CheckSolver(request.solver()));
  if (!IsPivoting(request.solver()) && request.solver() != v1::PROBLEM_SOLVER_UNSPECIFIED) {
    return FieldError("solver", v1::ProblemSolver_Name(request.solver()),
                      "must be BLOCK_PIVOTING or LEMKE where the law has flat sides");
  }
  if (request.has_psor()) return PsorError();
  if (request.solver() == v1::PROBLEM_SOLVER_LEMKE) settings.method = lcp::PivotMethod::kLemkeAlone;
  if (request.has_tolerance()) settings.tolerance = request.tolerance();
  if (request.has_max_sweeps()) settings.max_pivots = request.max_sweeps();
  settings.residual_history = request.residual_history();
  const v1::FlatLawSettings& law = request.flat_law();
  TALUS_RETURN_IF_ERROR(CheckFlatLaw(law, settings.law.law));
  if (law.has_facet_count()) settings.law.facet_count = law.facet_count();
  lcp::BristleSettings& bristles = settings.law.bristles;
  if (law.has_bristle_stiffness_n_m()) bristles.stiffness = law.bristle_stiffness_n_m();
  if (law.has_slip_threshold_m_s()) bristles.slip_threshold = law.slip_threshold_m_s();
  if (law.has_time_step_s()) bristles.time_step_s = law.time_step_s();
  settings.old_impulse = DecodeNumbers(law.old_impulses());
  return settings;
}

void EncodeSolution(const matrix::ProblemSolution& solution,
                    v1::SolveContactProblemResponse& response) {
  EncodeNumbers(solution.impulse, *response.mutable_impulses());
  EncodeNumbers(solution.velocity, *response.mutable_velocities());
  response.set_outcome(EncodeOutcome(solution.report.outcome));
  response.set_residual(solution.certificate.residual);
  response.set_worst_contact_residual(solution.certificate.worst_contact_residual);
  if (!std::isnan(solution.certificate.siconos_error)) {
    response.set_siconos_error(solution.certificate.siconos_error);
  }
  response.set_sweep_count(solution.report.sweep_count);
  response.mutable_residual_history()->Assign(solution.report.residual_history.begin(),
                                              solution.report.residual_history.end());
}

absl::StatusOr<std::string> EncodeProblemFile(const ProblemFile& file, v1::ProblemFileFormat format,
                                              const std::string& field) {
  switch (format) {
    case v1::PROBLEM_FILE_FORMAT_UNSPECIFIED:
      return std::string();
    case v1::PROBLEM_FILE_FORMAT_JSON:
      return WriteJsonProblem(file);
    case v1::PROBLEM_FILE_FORMAT_FCLIB: {
      absl::StatusOr<std::string> bytes = WriteFclibProblem(file);
      if (bytes.ok()) return bytes;
      return FieldError(
          field, v1::ProblemFileFormat_Name(format),
          "must be one that can hold the problem: " + std::string(bytes.status().message()));
    }
    default:
      return FieldError(field, FormatValue(int64_t{format}),
                        "must be a value of ProblemFileFormat");
  }
}

void EncodeStepProblem(const StepProblem& problem, v1::GetStepProblemResponse& response) {
  response.set_step_index(problem.step_index);
  EncodeSolverSettings(problem.settings, *response.mutable_settings());
  EncodeNumbers(problem.impulse, *response.mutable_impulses());
  EncodeNumbers(problem.old_impulse, *response.mutable_old_impulses());
  response.set_outcome(EncodeOutcome(problem.outcome));
  response.set_residual(problem.residual);
}

}  // namespace talus::wire
