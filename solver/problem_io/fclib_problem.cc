#include "solver/problem_io/fclib_problem.h"

#include <Eigen/SparseCholesky>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/delassus.h"
#include "solver/matrix/range_check.h"
#include "solver/problem_io/fclib_matrix.h"
#include "solver/problem_io/fclib_rows.h"
#include "solver/problem_io/hdf5_reader.h"
#include "solver/problem_io/hdf5_writer.h"

namespace talus {
namespace {

constexpr char kLocal[] = "/fclib_local";
constexpr char kGlobal[] = "/fclib_global";
constexpr char kDescription[] =
    "Rows of a contact: normal first, then the tangents, then rolling about the tangents; SI units";

// How many blocks have something in them.
size_t CountBlocks(const SparseMatrix& matrix, size_t block_count) {
  std::vector<size_t> last(block_count, block_count);  // block column that met a block row last
  size_t count = 0;
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column) {
    const auto block_column = static_cast<size_t>(column / 6);
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      size_t& met = last[static_cast<size_t>(entry.row() / 6)];
      count += met == block_column ? 0 : 1;
      met = block_column;
    }
  }
  return count;
}

absl::StatusOr<BlockMatrix> ToBlocks(const SparseMatrix& matrix, size_t block_count) {
  TALUS_RETURN_IF_ERROR(CheckDelassusCount(CountBlocks(matrix, block_count)));
  std::vector<BlockMatrix::Entry> entries;
  for (size_t column = 0; column < block_count; ++column) {
    std::map<uint32_t, size_t> places;  // of the blocks of this column among the entries
    for (int k = 0; k < 6; ++k) {
      const Eigen::Index scalar_column = 6 * static_cast<Eigen::Index>(column) + k;
      for (SparseMatrix::InnerIterator entry(matrix, scalar_column); entry; ++entry) {
        const auto row = static_cast<uint32_t>(entry.row() / 6);
        const auto [place, added] = places.try_emplace(row, entries.size());
        if (added) entries.push_back({row, static_cast<uint32_t>(column), Matrix6::Zero()});
        entries[place->second].block(entry.row() % 6, k) = entry.value();
      }
    }
  }
  return BlockMatrix(block_count, std::move(entries));
}

SparseMatrix ToSparse(const BlockMatrix& matrix, const Eigen::VectorXd& compliance) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (size_t row = 0; row < matrix.block_count(); ++row) {
    for (size_t k = 0; k < matrix.Columns(row).size(); ++k) {
      const Matrix6& block = matrix.Blocks(row)[k];
      for (int i = 0; i < 36; ++i) {
        if (block(i % 6, i / 6) == 0.0) continue;
        triplets.emplace_back(6 * static_cast<int>(row) + i % 6,
                              6 * static_cast<int>(matrix.Columns(row)[k]) + i / 6,
                              block(i % 6, i / 6));
      }
    }
  }
  for (Eigen::Index i = 0; i < compliance.size(); ++i) {
    if (compliance[i] == 0.0) continue;
    triplets.emplace_back(static_cast<int>(i), static_cast<int>(i), compliance[i]);
  }
  SparseMatrix result(compliance.size(), compliance.size());
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

// The group of one problem, and what both forms have in it.
class ProblemGroup {
 public:
  ProblemGroup(const Hdf5Reader& reader, std::string path)
      : reader_(reader), path_(std::move(path)) {}

  std::string Path(const char* name) const { return absl::StrCat(path_, "/", name); }
  bool Has(const char* name) const { return reader_.Has(Path(name)); }
  // Of any size but none, each magnitude at most `most`.
  absl::StatusOr<Eigen::VectorXd> Vector(const char* name, double most) const {
    const std::string path = absl::StrCat(path_, "/vectors/", name);
    TALUS_ASSIGN_OR_RETURN(Eigen::VectorXd values, reader_.Numbers(path));
    if (values.size() == 0) return FieldError(path + ".size", "0", "must be at least 1");
    TALUS_RETURN_IF_ERROR(CheckRange(path, values, most));
    return values;
  }
  absl::StatusOr<Eigen::VectorXd> Coefficients(const char* name, Eigen::Index count) const {
    TALUS_ASSIGN_OR_RETURN(Eigen::VectorXd values, reader_.Numbers(Path(name), count));
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      TALUS_RETURN_IF_ERROR(CheckCoefficient(absl::StrCat(Path(name), "[", i, "]"), values[i]));
    }
    return values;
  }
  absl::StatusOr<SparseMatrix> Matrix(const char* name, Eigen::Index row_count,
                                      Eigen::Index column_count, double most) const {
    TALUS_ASSIGN_OR_RETURN(SparseMatrix matrix,
                           ReadFclibMatrix(reader_, Path(name), row_count, column_count));
    TALUS_RETURN_IF_ERROR(CheckRange(Path(name), matrix, most));
    return matrix;
  }

  // Rows and laws, the number of the contacts' rows being that of the vector `name`.
  absl::StatusOr<FclibRows> ReadLaws(const char* name, Eigen::Index contact_row_count,
                                     Eigen::Index equality_count, ProblemFile& file) const {
    TALUS_ASSIGN_OR_RETURN(const int64_t dimension, reader_.Integer(Path("spacedim"), 2, 5));
    if (dimension == 4) return FieldError(Path("spacedim"), "4", "must be 2, 3 or 5");
    if (contact_row_count % dimension != 0) {
      return FieldError(absl::StrCat(path_, "/vectors/", name, ".size"),
                        FormatValue(int64_t{contact_row_count}),
                        absl::StrCat("must be a multiple of spacedim, ", dimension));
    }
    const Eigen::Index count = contact_row_count / dimension;
    TALUS_RETURN_IF_ERROR(CheckBlockCount(static_cast<size_t>(count + (equality_count + 5) / 6)));
    TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd sliding, Coefficients("vectors/mu", count));
    Eigen::VectorXd rolling = Eigen::VectorXd::Zero(count);
    if (dimension == 5) {
      TALUS_ASSIGN_OR_RETURN(rolling, Coefficients("vectors/mu_r", count));
    } else if (Has("vectors/mu_r")) {
      return FieldError(Path("spacedim"), FormatValue(dimension),
                        "must be 5 where there is vectors/mu_r");
    }
    for (Eigen::Index i = 0; i < count; ++i) {
      file.problem.laws.push_back({.cone = {.sliding = sliding[i], .rolling = rolling[i]}});
    }
    for (const BlockLaw& law : LawsOfEqualities(equality_count)) file.problem.laws.push_back(law);
    return RowsOfFclibFile(static_cast<int>(dimension), count, equality_count);
  }

  absl::Status ReadTitle(ProblemFile& file) const {
    if (!Has("info/title")) return absl::OkStatus();
    TALUS_ASSIGN_OR_RETURN(file.name, reader_.Text(Path("info/title")));
    return absl::OkStatus();
  }

 private:
  const Hdf5Reader& reader_;
  std::string path_;
};

absl::StatusOr<FclibRows> ReadLocal(const ProblemGroup& group, ProblemFile& file) {
  MatrixProblem& problem = file.problem;
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd q, group.Vector("q", kMaxProblemSpeed));
  Eigen::VectorXd s(0);
  const bool has_equalities = group.Has("V") || group.Has("R") || group.Has("vectors/s");
  if (has_equalities) {
    TALUS_ASSIGN_OR_RETURN(s, group.Vector("s", kMaxProblemSpeed));
  }
  TALUS_ASSIGN_OR_RETURN(const FclibRows rows, group.ReadLaws("q", q.size(), s.size(), file));
  TALUS_ASSIGN_OR_RETURN(const SparseMatrix contacts,
                         group.Matrix("W", q.size(), q.size(), kMaxMobility));
  const SparseMatrix spread = rows.SpreadContacts();
  SparseMatrix delassus = spread * contacts * spread.transpose();
  problem.free_rows = spread * q;
  if (has_equalities) {
    TALUS_ASSIGN_OR_RETURN(const SparseMatrix coupling,
                           group.Matrix("V", q.size(), s.size(), kMaxMobility));
    TALUS_ASSIGN_OR_RETURN(const SparseMatrix equalities,
                           group.Matrix("R", s.size(), s.size(), kMaxMobility));
    const SparseMatrix spread_equalities = rows.SpreadEqualities();
    const SparseMatrix mixed = spread * coupling * spread_equalities.transpose();
    delassus += mixed;
    delassus += SparseMatrix(mixed.transpose());
    delassus += SparseMatrix(spread_equalities * equalities * spread_equalities.transpose());
    problem.free_rows += spread_equalities * s;
  }
  TALUS_ASSIGN_OR_RETURN(problem.delassus, ToBlocks(delassus, problem.block_count()));
  return rows;
}

// An error of M by the name that it has in the file.
absl::Status NameMass(const ProblemGroup& group, const absl::Status& status) {
  const auto parts = GetFieldError(status);
  if (!parts || !parts->field.starts_with('M')) return status;
  return FieldError(group.Path(parts->field.c_str()), parts->value, parts->allowed, status.code());
}

absl::StatusOr<FclibRows> ReadGlobal(const ProblemGroup& group, ProblemFile& file) {
  MatrixProblem& problem = file.problem;
  VelocityForm& form = problem.velocities.emplace();
  TALUS_ASSIGN_OR_RETURN(form.free_impulse, group.Vector("f", kMaxProblemImpulse));
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd w, group.Vector("w", kMaxProblemSpeed));
  Eigen::VectorXd b(0);
  const bool has_equalities = group.Has("G") || group.Has("vectors/b");
  if (has_equalities) {
    TALUS_ASSIGN_OR_RETURN(b, group.Vector("b", kMaxProblemSpeed));
  }
  TALUS_ASSIGN_OR_RETURN(const FclibRows rows, group.ReadLaws("w", w.size(), b.size(), file));
  const Eigen::Index size = form.free_impulse.size();
  TALUS_ASSIGN_OR_RETURN(form.mass, group.Matrix("M", size, size, kMaxProblemMass));
  TALUS_ASSIGN_OR_RETURN(const SparseMatrix directions,
                         group.Matrix("H", size, w.size(), kMaxDirection));
  const SparseMatrix spread = rows.SpreadContacts();
  form.directions = directions * spread.transpose();
  form.offset = spread * w;
  if (has_equalities) {
    TALUS_ASSIGN_OR_RETURN(const SparseMatrix equalities,
                           group.Matrix("G", size, b.size(), kMaxDirection));
    const SparseMatrix spread_equalities = rows.SpreadEqualities();
    form.directions += SparseMatrix(equalities * spread_equalities.transpose());
    form.offset += spread_equalities * b;
  }
  TALUS_RETURN_IF_ERROR(NameMass(group, FormDelassus(problem)));
  return rows;
}

absl::Status ReadSolution(const Hdf5Reader& reader, const FclibRows& rows, ProblemFile& file) {
  if (!reader.Has("/solution")) return absl::OkStatus();
  // Older releases leave datasets behind for a solution that they were not given.
  if (reader.IsUnwritten("/solution/r") || reader.IsUnwritten("/solution/u")) {
    return absl::OkStatus();
  }
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd r,
                         reader.Numbers("/solution/r", rows.contact_row_count()));
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd u,
                         reader.Numbers("/solution/u", rows.contact_row_count()));
  file.reference_impulse = rows.SpreadContacts() * r;
  file.reference_velocity = rows.SpreadContacts() * u;
  if (rows.equality_count() == 0) return absl::OkStatus();
  TALUS_ASSIGN_OR_RETURN(const Eigen::VectorXd l,
                         reader.Numbers("/solution/l", rows.equality_count()));
  *file.reference_impulse += rows.SpreadEqualities() * l;
  return absl::OkStatus();
}

// Group, rows and laws of either form.
void WriteContacts(const ProblemFile& file, const FclibRows& rows, const std::string& group,
                   Hdf5Writer& writer) {
  std::vector<double> sliding;
  std::vector<double> rolling;
  for (const BlockLaw& law : file.problem.laws) {
    if (law.kind != BlockLawKind::kContact) continue;
    sliding.push_back(law.cone.sliding);
    rolling.push_back(law.cone.rolling);
  }
  const auto count = static_cast<Eigen::Index>(sliding.size());
  writer.AddGroup(group);
  writer.AddInteger(group + "/spacedim", rows.dimension);
  writer.AddGroup(group + "/info");
  writer.AddText(group + "/info/title", file.name);
  writer.AddText(group + "/info/description", kDescription);
  writer.AddText(group + "/info/math_info", "");
  writer.AddGroup(group + "/vectors");
  writer.AddNumbers(group + "/vectors/mu",
                    Eigen::Map<const Eigen::VectorXd>(sliding.data(), count));
  if (rows.dimension == 5) {
    writer.AddNumbers(group + "/vectors/mu_r",
                      Eigen::Map<const Eigen::VectorXd>(rolling.data(), count));
  }
}

void WriteLocal(const ProblemFile& file, const FclibRows& rows, Hdf5Writer& writer) {
  const MatrixProblem& problem = file.problem;
  const std::string group = kLocal;
  const SparseMatrix contacts = rows.SpreadContacts();
  const SparseMatrix equalities = rows.SpreadEqualities();
  const SparseMatrix delassus = ToSparse(problem.delassus, problem.compliance);
  const auto write = [&](const char* name, const SparseMatrix& left, const SparseMatrix& right) {
    WriteFclibMatrix(left.transpose() * delassus * right, FclibStorage::kColumns,
                     absl::StrCat(group, "/", name), writer);
  };
  WriteContacts(file, rows, group, writer);
  writer.AddNumbers(group + "/vectors/q", contacts.transpose() * problem.free_rows);
  write("W", contacts, contacts);
  if (rows.equality_count() == 0) return;
  writer.AddNumbers(group + "/vectors/s", equalities.transpose() * problem.free_rows);
  write("V", contacts, equalities);
  write("R", equalities, equalities);
}

void WriteGlobal(const ProblemFile& file, const FclibRows& rows, Hdf5Writer& writer) {
  const VelocityForm& form = *file.problem.velocities;
  const std::string group = kGlobal;
  const SparseMatrix contacts = rows.SpreadContacts();
  const SparseMatrix equalities = rows.SpreadEqualities();
  const auto write = [&](const char* name, const SparseMatrix& matrix) {
    WriteFclibMatrix(matrix, FclibStorage::kTriplets, absl::StrCat(group, "/", name), writer);
  };
  WriteContacts(file, rows, group, writer);
  writer.AddNumbers(group + "/vectors/f", form.free_impulse);
  writer.AddNumbers(group + "/vectors/w", contacts.transpose() * form.offset);
  write("M", form.mass);
  write("H", form.directions * contacts);
  if (rows.equality_count() == 0) return;
  writer.AddNumbers(group + "/vectors/b", equalities.transpose() * form.offset);
  write("G", form.directions * equalities);
}

absl::Status WriteSolution(const ProblemFile& file, const FclibRows& rows, FclibForm form,
                           Hdf5Writer& writer) {
  if (!file.reference_impulse || !file.reference_velocity) return absl::OkStatus();
  const SparseMatrix contacts = rows.SpreadContacts();
  writer.AddGroup("/solution");
  writer.AddNumbers("/solution/r", contacts.transpose() * *file.reference_impulse);
  writer.AddNumbers("/solution/u", contacts.transpose() * *file.reference_velocity);
  if (rows.equality_count() > 0) {
    writer.AddNumbers("/solution/l", rows.SpreadEqualities().transpose() * *file.reference_impulse);
  }
  if (form != FclibForm::kGlobal) return absl::OkStatus();
  const VelocityForm& velocities = *file.problem.velocities;
  const Eigen::SimplicialLLT<SparseMatrix> factor(velocities.mass);
  if (factor.info() != Eigen::Success) {
    return FieldError("M", "the matrix", "must be symmetric and positive definite");
  }
  writer.AddNumbers("/solution/v", factor.solve(velocities.directions * *file.reference_impulse +
                                                velocities.free_impulse));
  return absl::OkStatus();
}

// The form to write, where it can hold the problem.
absl::StatusOr<FclibForm> ChooseForm(const MatrixProblem& problem, FclibForm asked) {
  Eigen::Index compliant = 0;
  while (compliant < problem.row_count() && problem.compliance[compliant] == 0.0) ++compliant;
  const bool rigid = compliant == problem.row_count();
  if (asked == FclibForm::kAuto) {
    return problem.velocities && rigid ? FclibForm::kGlobal : FclibForm::kLocal;
  }
  if (asked == FclibForm::kGlobal && !problem.velocities) {
    return FieldError("M", "nothing", "must be given for the global form of FCLIB");
  }
  if (asked == FclibForm::kGlobal && !rigid) {
    return FieldError(absl::StrCat("compliance[", compliant, "]"),
                      FormatValue(problem.compliance[compliant]),
                      "must be 0 in the global form of FCLIB");
  }
  return asked;
}

}  // namespace

absl::StatusOr<ProblemFile> ReadFclibProblem(std::string_view bytes) {
  TALUS_ASSIGN_OR_RETURN(const std::unique_ptr<Hdf5Reader> reader, Hdf5Reader::Open(bytes));
  const bool global = reader->Has(kGlobal);
  if (!global && !reader->Has(kLocal)) {
    return FieldError(kLocal, "nothing", absl::StrCat("must be given, or ", kGlobal));
  }
  ProblemFile file;
  const ProblemGroup group(*reader, global ? kGlobal : kLocal);
  TALUS_ASSIGN_OR_RETURN(const FclibRows rows,
                         global ? ReadGlobal(group, file) : ReadLocal(group, file));
  file.problem.compliance = Eigen::VectorXd::Zero(file.problem.row_count());
  TALUS_RETURN_IF_ERROR(group.ReadTitle(file));
  TALUS_RETURN_IF_ERROR(ReadSolution(*reader, rows, file));
  TALUS_RETURN_IF_ERROR(Validate(file.problem));
  return file;
}

absl::StatusOr<std::string> WriteFclibProblem(const ProblemFile& file, FclibForm form) {
  TALUS_RETURN_IF_ERROR(Validate(file.problem));
  if (file.old_impulse) {
    return FieldError("old_impulse", "given",
                      "must be left out: FCLIB has no memory of bristles, JSON does");
  }
  TALUS_ASSIGN_OR_RETURN(const FclibRows rows, RowsOfProblem(file.problem));
  TALUS_ASSIGN_OR_RETURN(form, ChooseForm(file.problem, form));
  Hdf5Writer writer;
  form == FclibForm::kGlobal ? WriteGlobal(file, rows, writer) : WriteLocal(file, rows, writer);
  TALUS_RETURN_IF_ERROR(WriteSolution(file, rows, form, writer));
  return writer.Finish();
}

}  // namespace talus
