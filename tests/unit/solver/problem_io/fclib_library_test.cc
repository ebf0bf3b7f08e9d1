// Files of the Friction-Contact Library's own C library, and what that library reads of ours.
#include "tests/support/fclib_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "solver/base/random.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "solver/problem_io/fclib_problem.h"
#include "solver/problem_io/hdf5_reader.h"
#include "solver/problem_io/row_map.h"
#include "tests/support/problem_files.h"
#include "tests/support/scratch_file.h"
#include "tests/unit/solver/problem_io/edited_hdf5.h"

namespace talus {
namespace {

using testing::DeleteFclib;
using testing::ScratchFile;
using testing::StoredMatrix;
using testing::ToDense;
using testing::ToVector;

constexpr char kPile[] = "pl_m03r3_13_1000";

// Rows of a problem of contacts alone, as a file of so many rows a contact has them.
Eigen::VectorXi FileRows(const MatrixProblem& problem, int dimension) {
  Eigen::VectorXi rows(dimension * static_cast<int>(problem.block_count()));
  for (int i = 0; i < rows.size(); ++i) {
    rows[i] = 6 * (i / dimension) + RowsOfDimension(dimension)[static_cast<size_t>(i % dimension)];
  }
  return rows;
}

Eigen::MatrixXd RandomMatrix(Random& random, Eigen::Index row_count, Eigen::Index column_count) {
  Eigen::MatrixXd matrix(row_count, column_count);
  for (double& value : matrix.reshaped()) value = random.Uniform(-1.0, 1.0);
  return matrix;
}

class OursReadByThem : public ::testing::TestWithParam<int> {
 protected:
  // In 3 rows a contact, or 5.
  ProblemFile Load() const {
    ProblemFile file = testing::LoadProblem(kPile);
    if (GetParam() == 5) return file;
    for (BlockLaw& law : file.problem.laws) law.cone.rolling = 0.0;
    return file;
  }
  static void ExpectRolling(const ProblemFile& file, const std::string& bytes,
                            const std::string& path) {
    const auto reader = Hdf5Reader::Open(bytes);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ((*reader)->Has(path), GetParam() == 5);
    if (GetParam() != 5) return;
    const Eigen::VectorXd rolling = *(*reader)->Numbers(path);
    for (size_t i = 0; i < file.problem.block_count(); ++i) {
      EXPECT_EQ(rolling[static_cast<Eigen::Index>(i)], file.problem.laws[i].cone.rolling);
    }
  }
};

TEST_P(OursReadByThem, Local) {
  const ProblemFile file = Load();
  const std::string bytes = *WriteFclibProblem(file, FclibForm::kLocal);
  const ScratchFile scratch("local.hdf5", bytes);
  const std::unique_ptr<fclib_local, DeleteFclib> local(fclib_read_local(scratch.path().c_str()));
  ASSERT_TRUE(local);
  const Eigen::VectorXi rows = FileRows(file.problem, GetParam());
  EXPECT_EQ(local->spacedim, GetParam());
  EXPECT_STREQ(local->info->title, kPile);
  EXPECT_EQ(ToDense(*local->W), file.problem.delassus.ToDense()(rows, rows));
  EXPECT_EQ(ToVector(local->q, rows.size()), file.problem.free_rows(rows));
  for (size_t i = 0; i < file.problem.block_count(); ++i) {
    EXPECT_EQ(local->mu[i], file.problem.laws[i].cone.sliding);
  }
  EXPECT_EQ(local->V, nullptr);
  ExpectRolling(file, bytes, "/fclib_local/vectors/mu_r");
  const std::unique_ptr<fclib_solution, DeleteFclib> solution(
      fclib_read_solution(scratch.path().c_str()));
  ASSERT_TRUE(solution);
  EXPECT_EQ(ToVector(solution->r, rows.size()), (*file.reference_impulse)(rows));
  EXPECT_EQ(ToVector(solution->u, rows.size()), (*file.reference_velocity)(rows));
}

TEST_P(OursReadByThem, Global) {
  const ProblemFile file = Load();
  const VelocityForm& form = *file.problem.velocities;
  const std::string bytes = *WriteFclibProblem(file, FclibForm::kGlobal);
  const ScratchFile scratch("global.hdf5", bytes);
  const std::unique_ptr<fclib_global, DeleteFclib> global(
      fclib_read_global(scratch.path().c_str()));
  ASSERT_TRUE(global);
  const Eigen::VectorXi rows = FileRows(file.problem, GetParam());
  const Eigen::MatrixXd directions = form.directions.toDense()(Eigen::all, rows);
  EXPECT_EQ(global->spacedim, GetParam());
  EXPECT_EQ(ToDense(*global->M), form.mass.toDense());
  EXPECT_EQ(ToDense(*global->H), directions);
  EXPECT_EQ(ToVector(global->f, form.free_impulse.size()), form.free_impulse);
  EXPECT_EQ(ToVector(global->w, rows.size()), form.offset(rows));
  EXPECT_EQ(global->G, nullptr);
  ExpectRolling(file, bytes, "/fclib_global/vectors/mu_r");
  const std::unique_ptr<fclib_solution, DeleteFclib> solution(
      fclib_read_solution(scratch.path().c_str()));
  ASSERT_TRUE(solution);
  EXPECT_EQ(ToVector(solution->r, rows.size()), (*file.reference_impulse)(rows));
  // M v = H r + f with all rows of the reference, which the file of three has not.
  const Eigen::VectorXd right = form.directions * *file.reference_impulse + form.free_impulse;
  EXPECT_LE((form.mass * ToVector(solution->v, right.size()) - right).norm(), 1e-13 * right.norm());
}

INSTANTIATE_TEST_SUITE_P(Rows, OursReadByThem, ::testing::Values(3, 5));

// The library's measure of an error, ‖r − Π(r − û)‖ / (1 + √‖q‖), of what we solved.
TEST(FclibLibrary, CallsOurSolutionOne) {
  ProblemFile file = testing::LoadProblem(kPile);
  for (BlockLaw& law : file.problem.laws) law.cone.rolling = 0.0;
  const auto solved = matrix::SolveProblem(file.problem, {.tolerance = 1e-10});
  ASSERT_TRUE(solved.ok()) << solved.status();
  file.reference_impulse = solved->impulse;
  file.reference_velocity = solved->velocity;
  const ScratchFile scratch("solved.hdf5", *WriteFclibProblem(file, FclibForm::kLocal));
  const std::unique_ptr<fclib_local, DeleteFclib> local(fclib_read_local(scratch.path().c_str()));
  const std::unique_ptr<fclib_solution, DeleteFclib> solution(
      fclib_read_solution(scratch.path().c_str()));
  const double q_norm = file.problem.free_rows.norm();
  EXPECT_LE(fclib_merit_local(local.get(), MERIT_1, solution.get()), 1e-8 * q_norm);
  solution->r[0] += 0.01 * file.reference_impulse->norm();
  EXPECT_GT(fclib_merit_local(local.get(), MERIT_1, solution.get()), 1e-8 * q_norm);
}

class TheirsReadByUs : public ::testing::TestWithParam<int> {};

// Two contacts of three rows, two equalities, in each of the library's storages.
TEST_P(TheirsReadByUs, Local) {
  Random random(17);
  const Eigen::MatrixXd root = RandomMatrix(random, 8, 8);
  const Eigen::MatrixXd whole = root * root.transpose();
  StoredMatrix delassus(whole.topLeftCorner(6, 6), GetParam());
  StoredMatrix coupling(whole.topRightCorner(6, 2), GetParam());
  StoredMatrix equalities(whole.bottomRightCorner(2, 2), GetParam());
  Eigen::VectorXd q = RandomMatrix(random, 6, 1);
  Eigen::VectorXd s = RandomMatrix(random, 2, 1);
  Eigen::Vector2d mu(0.25, 0.75);
  char title[] = "theirs";
  fclib_info info{.title = title, .description = nullptr, .math_info = nullptr};
  fclib_local local{.W = delassus.get(),
                    .V = coupling.get(),
                    .R = equalities.get(),
                    .mu = mu.data(),
                    .q = q.data(),
                    .s = s.data(),
                    .spacedim = 3,
                    .info = &info};
  Eigen::VectorXd u = RandomMatrix(random, 6, 1);
  Eigen::VectorXd r = RandomMatrix(random, 6, 1);
  Eigen::VectorXd l = RandomMatrix(random, 2, 1);
  fclib_solution solution{.v = nullptr, .u = u.data(), .r = r.data(), .l = l.data()};
  const ScratchFile scratch("theirs.hdf5");
  ASSERT_EQ(fclib_write_local(&local, scratch.path().c_str()), 1);
  ASSERT_EQ(fclib_write_solution(&solution, scratch.path().c_str()), 1);

  const absl::StatusOr<ProblemFile> file = ReadFclibProblem(scratch.Bytes());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->name, "theirs");
  ASSERT_EQ(file->problem.block_count(), 3u);
  EXPECT_EQ(file->problem.laws[0].cone.sliding, 0.25);
  EXPECT_EQ(file->problem.laws[1].cone.sliding, 0.75);
  EXPECT_EQ(file->problem.laws[2].kind, BlockLawKind::kBounds);
  const Eigen::VectorXi rows = (Eigen::VectorXi(8) << 0, 1, 2, 6, 7, 8, 12, 13).finished();
  const Eigen::MatrixXd read = file->problem.delassus.ToDense();
  EXPECT_EQ(read(rows, rows), whole);
  EXPECT_EQ((read.array() != 0.0).count(), 64);
  EXPECT_EQ(file->problem.free_rows(rows), (Eigen::VectorXd(8) << q, s).finished());
  EXPECT_EQ((*file->reference_impulse)(rows), (Eigen::VectorXd(8) << r, l).finished());
  EXPECT_EQ((*file->reference_velocity)(rows.head(6)), u);
}

// H and G are not square, so that rows and columns cannot be taken for each other.
TEST_P(TheirsReadByUs, Global) {
  Random random(18);
  const Eigen::MatrixXd root = RandomMatrix(random, 9, 9);
  const Eigen::MatrixXd mass_values = root * root.transpose() + Eigen::MatrixXd::Identity(9, 9);
  const Eigen::MatrixXd contact_values = RandomMatrix(random, 9, 6);
  const Eigen::MatrixXd equality_values = RandomMatrix(random, 9, 1);
  StoredMatrix mass(mass_values, GetParam());
  StoredMatrix directions(contact_values, GetParam());
  StoredMatrix equalities(equality_values, GetParam());
  Eigen::VectorXd f = RandomMatrix(random, 9, 1);
  Eigen::VectorXd w = RandomMatrix(random, 6, 1);
  Eigen::VectorXd b = RandomMatrix(random, 1, 1);
  Eigen::Vector2d mu(0.25, 0.75);
  fclib_global global{.M = mass.get(),
                      .H = directions.get(),
                      .G = equalities.get(),
                      .mu = mu.data(),
                      .f = f.data(),
                      .b = b.data(),
                      .w = w.data(),
                      .spacedim = 3,
                      .info = nullptr};
  const ScratchFile scratch("theirs_global.hdf5");
  ASSERT_EQ(fclib_write_global(&global, scratch.path().c_str()), 1);

  const absl::StatusOr<ProblemFile> file = ReadFclibProblem(scratch.Bytes());
  ASSERT_TRUE(file.ok()) << file.status();
  const VelocityForm& form = *file->problem.velocities;
  const Eigen::VectorXi rows = (Eigen::VectorXi(7) << 0, 1, 2, 6, 7, 8, 12).finished();
  Eigen::MatrixXd all(9, 7);
  all << contact_values, equality_values;
  EXPECT_EQ(form.mass.toDense(), mass_values);
  EXPECT_EQ(form.directions.toDense()(Eigen::all, rows), all);
  EXPECT_EQ(form.free_impulse, f);
  EXPECT_EQ(form.offset(rows), (Eigen::VectorXd(7) << w, b).finished());
  EXPECT_FALSE(file->reference_impulse);
  const Eigen::MatrixXd expected = all.transpose() * mass_values.inverse() * all;
  EXPECT_LE((file->problem.delassus.ToDense()(rows, rows) - expected).norm(),
            1e-12 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Storages, TheirsReadByUs, ::testing::Values(-1, -2, 0));

// What the rows are: contacts of unit mass, pressed by 1 N s, friction against the motion. By hand:
// γ_n = 1, and the rest at its bound.
TEST(FclibLibrary, SlidingContactsInThreeRowsAndInTwo) {
  for (const int dimension : {3, 2}) {
    SCOPED_TRACE(dimension);
    StoredMatrix delassus(Eigen::MatrixXd::Identity(dimension, dimension), 0);
    double q[] = {-1.0, 2.0, 0.0};
    double mu = 0.5;
    fclib_local local{.W = delassus.get(),
                      .V = nullptr,
                      .R = nullptr,
                      .mu = &mu,
                      .q = q,
                      .s = nullptr,
                      .spacedim = dimension,
                      .info = nullptr};
    const ScratchFile scratch("sliding.hdf5");
    ASSERT_EQ(fclib_write_local(&local, scratch.path().c_str()), 1);
    const absl::StatusOr<ProblemFile> file = ReadFclibProblem(scratch.Bytes());
    ASSERT_TRUE(file.ok()) << file.status();
    const auto solved = matrix::SolveProblem(file->problem, {.tolerance = 1e-10});
    ASSERT_TRUE(solved.ok()) << solved.status();
    const Wrench impulse = (Wrench() << 1.0, -0.5, 0.0, 0.0, 0.0, 0.0).finished();
    const Wrench velocity = (Wrench() << 0.0, 1.5, 0.0, 0.0, 0.0, 0.0).finished();
    EXPECT_LE((solved->impulse - impulse).norm(), 1e-9);
    EXPECT_LE((solved->velocity - velocity).norm(), 1e-9);
  }
}

// The library writes no five rows: three contacts of five are written as five of three, and what
// differs is put in its place.
TEST(FclibLibrary, RollingContactsOfTheirsReadByUs) {
  Random random(19);
  const Eigen::MatrixXd root = RandomMatrix(random, 15, 15);
  const Eigen::MatrixXd whole = root * root.transpose();
  StoredMatrix delassus(whole, -1);
  Eigen::VectorXd q = RandomMatrix(random, 15, 1);
  Eigen::VectorXd unused = Eigen::VectorXd::Ones(5);
  fclib_local local{.W = delassus.get(),
                    .V = nullptr,
                    .R = nullptr,
                    .mu = unused.data(),
                    .q = q.data(),
                    .s = nullptr,
                    .spacedim = 3,
                    .info = nullptr};
  const ScratchFile scratch("rolling.hdf5");
  ASSERT_EQ(fclib_write_local(&local, scratch.path().c_str()), 1);
  testing::EditedHdf5 edited(scratch.Bytes());
  edited.PutIntegers("/fclib_local/spacedim", {5});
  edited.PutNumbers("/fclib_local/vectors/mu", {0.5, 0.25, 0.75});
  edited.PutNumbers("/fclib_local/vectors/mu_r", {0.01, 0.0, 0.03});
  const absl::StatusOr<ProblemFile> file = ReadFclibProblem(edited.Bytes());
  ASSERT_TRUE(file.ok()) << file.status();
  const Eigen::VectorXi rows = FileRows(file->problem, 5);
  EXPECT_EQ(file->problem.delassus.ToDense()(rows, rows), whole);
  EXPECT_EQ(file->problem.free_rows(rows), q);
  EXPECT_EQ(file->problem.laws[2].cone, (FrictionCone{.sliding = 0.75, .rolling = 0.03}));
}

// By hand again: the fourth and fifth rows are rolling about the two tangents, after the row of
// spinning, which a problem has and a file has not.
TEST(FclibLibrary, RollingRowsFollowTheTangents) {
  StoredMatrix delassus(Eigen::MatrixXd::Identity(15, 15), -1);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(15);
  q << -1, 0, 0, 3, 0, -1, 0, 0, 0, 3, -1, 0, 2, 0, 0;
  Eigen::VectorXd unused = Eigen::VectorXd::Ones(5);
  fclib_local local{.W = delassus.get(),
                    .V = nullptr,
                    .R = nullptr,
                    .mu = unused.data(),
                    .q = q.data(),
                    .s = nullptr,
                    .spacedim = 3,
                    .info = nullptr};
  const ScratchFile scratch("rolling_rows.hdf5");
  ASSERT_EQ(fclib_write_local(&local, scratch.path().c_str()), 1);
  testing::EditedHdf5 edited(scratch.Bytes());
  edited.PutIntegers("/fclib_local/spacedim", {5});
  edited.PutNumbers("/fclib_local/vectors/mu", {0.5, 0.5, 0.5});
  edited.PutNumbers("/fclib_local/vectors/mu_r", {0.25, 0.25, 0.25});
  const absl::StatusOr<ProblemFile> file = ReadFclibProblem(edited.Bytes());
  ASSERT_TRUE(file.ok()) << file.status();
  const auto solved = matrix::SolveProblem(file->problem, {.tolerance = 1e-10});
  ASSERT_TRUE(solved.ok()) << solved.status();
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(18);
  impulse << 1, 0, 0, 0, -0.25, 0, 1, 0, 0, 0, 0, -0.25, 1, 0, -0.5, 0, 0, 0;
  EXPECT_LE((solved->impulse - impulse).norm(), 1e-9);
}

// What the library's own test reads: 48 contacts of a stack of boxes, in compressed rows, with a
// solution whose impulses were never written.
TEST(FclibLibrary, StackOfBoxesIsSolved) {
  std::ifstream stored(testing::ProblemFolder() / "fclib_boxes_stack.hdf5", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stored), {}};
  const absl::StatusOr<ProblemFile> file = ReadFclibProblem(bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->name, "Boxes Stack");
  ASSERT_EQ(file->problem.block_count(), 48u);
  EXPECT_FALSE(file->reference_impulse);
  const auto solved = matrix::SolveProblem(file->problem, {.tolerance = 1e-8});
  ASSERT_TRUE(solved.ok()) << solved.status();
  EXPECT_LE(solved->certificate.residual, 1e-8);
}

}  // namespace
}  // namespace talus
