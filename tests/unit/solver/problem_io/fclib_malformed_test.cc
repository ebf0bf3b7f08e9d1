// Files that are not what they seem: taken apart dataset by dataset, cut off, and with bytes
// changed at random.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "solver/base/random.h"
#include "solver/problem_io/fclib_problem.h"
#include "solver/problem_io/json_problem.h"
#include "tests/support/problem_files.h"
#include "tests/support/special_numbers.h"
#include "tests/unit/solver/problem_io/edited_hdf5.h"

// HDF5 forgets to close a damaged file now and then, and loses some hundred bytes with it.
extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5_serial.so\n"; }

namespace talus {
namespace {

using testing::EditedHdf5;
using ::testing::HasSubstr;
using testing::kInfinity;

// 13 contacts of five rows and 96 velocities; the local form with an equality.
std::string Valid(FclibForm form) {
  ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  if (form == FclibForm::kLocal) {
    BlockLaw& last = file.problem.laws.back();
    last.kind = BlockLawKind::kBounds;
    last.lower[0] = -kInfinity;
    last.upper[0] = kInfinity;
  }
  return *WriteFclibProblem(file, form);
}

struct Damage {
  const char* name;
  FclibForm form;
  void (*edit)(EditedHdf5& file);
  const char* message;
};

class DamagedFile : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedFile, IsRefusedByName) {
  EditedHdf5 edited(Valid(GetParam().form));
  GetParam().edit(edited);
  const absl::StatusOr<ProblemFile> file = ReadFclibProblem(edited.Bytes());
  ASSERT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << file.status();
  EXPECT_THAT(std::string(file.status().message()), HasSubstr(GetParam().message));
}

// A dataset of that many zeros, made with the properties that `set` gives it.
void PutZeros(EditedHdf5& file, const char* path, hsize_t count, void (*set)(hid_t creation)) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  set(creation);
  const std::vector<double> zeros(count);
  file.Put(path, H5T_NATIVE_DOUBLE, {count}, zeros.data(), creation);
  H5Pclose(creation);
}

constexpr FclibForm kLocal = FclibForm::kLocal;
constexpr FclibForm kGlobal = FclibForm::kGlobal;

const Damage kDamages[] = {
    {"NoProblem", kLocal, [](EditedHdf5& file) { file.Remove("/fclib_local"); },
     "/fclib_local = nothing must be given, or /fclib_global"},
    {"NoMatrix", kLocal, [](EditedHdf5& file) { file.Remove("/fclib_local/W"); },
     "/fclib_local/W = nothing must be given"},
    {"NoVectors", kLocal, [](EditedHdf5& file) { file.Remove("/fclib_local/vectors"); },
     "/fclib_local/vectors = nothing must be given"},
    {"NoRolling", kLocal, [](EditedHdf5& file) { file.Remove("/fclib_local/vectors/mu_r"); },
     "/fclib_local/vectors/mu_r = nothing must be given"},
    {"RollingOfThreeRows", kGlobal,
     [](EditedHdf5& file) {
       file.PutIntegers("/fclib_global/spacedim", {3});
       file.PutNumbers("/fclib_global/vectors/w", std::vector<double>(39));
     },
     "/fclib_global/spacedim = 3 must be 5 where there is vectors/mu_r"},
    {"HalfAnEquality", kLocal, [](EditedHdf5& file) { file.Remove("/fclib_local/R"); },
     "/fclib_local/R = nothing must be given"},
    {"NoRightOfAnEquality", kLocal, [](EditedHdf5& file) { file.Remove("/fclib_local/vectors/s"); },
     "/fclib_local/vectors/s = nothing must be given"},
    {"Dimension", kLocal, [](EditedHdf5& file) { file.PutIntegers("/fclib_local/spacedim", {4}); },
     "/fclib_local/spacedim = 4 must be 2, 3 or 5"},
    {"DimensionTooLarge", kLocal,
     [](EditedHdf5& file) { file.PutIntegers("/fclib_local/spacedim", {6}); },
     "/fclib_local/spacedim = 6 must be from 2 to 5"},
    {"TwoDimensions", kLocal,
     [](EditedHdf5& file) {
       file.PutIntegers("/fclib_local/spacedim", {5, 5});
     },
     "/fclib_local/spacedim.size = 2 must be 1"},
    {"OddRows", kLocal,
     [](EditedHdf5& file) {
       file.PutNumbers("/fclib_local/vectors/q", {1.0, 2.0, 3.0});
     },
     "/fclib_local/vectors/q.size = 3 must be a multiple of spacedim, 5"},
    {"NoRows", kLocal, [](EditedHdf5& file) { file.PutNumbers("/fclib_local/vectors/q", {}); },
     "/fclib_local/vectors/q.size = 0 must be at least 1"},
    {"NoVelocities", kGlobal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_global/vectors/f", {}); },
     "/fclib_global/vectors/f.size = 0 must be at least 1"},
    {"NoEqualities", kLocal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_local/vectors/s", {}); },
     "/fclib_local/vectors/s.size = 0 must be at least 1"},
    {"TooFewCoefficients", kLocal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_local/vectors/mu", {0.5}); },
     "/fclib_local/vectors/mu.size = 1 must be 12"},
    {"NegativeFriction", kGlobal,
     [](EditedHdf5& file) {
       std::vector<double> mu(13, 0.5);
       mu[3] = -0.5;
       file.PutNumbers("/fclib_global/vectors/mu", mu);
     },
     "/fclib_global/vectors/mu[3] = -0.5 must be in [0, 1e+06]"},
    {"NotFinite", kGlobal,
     [](EditedHdf5& file) {
       std::vector<double> f(96);
       f[7] = std::numeric_limits<double>::quiet_NaN();
       file.PutNumbers("/fclib_global/vectors/f", f);
     },
     "/fclib_global/vectors/f[7] = nan must be finite"},
    {"TooRough", kLocal,
     [](EditedHdf5& file) {
       file.PutNumbers("/fclib_local/vectors/mu_r", std::vector<double>(12, 2e6));
     },
     "/fclib_local/vectors/mu_r[0] = 2e+06 must be in [0, 1e+06]"},
    {"FastRow", kLocal,
     [](EditedHdf5& file) {
       file.PutNumbers("/fclib_local/vectors/q", std::vector<double>(60, 2e20));
     },
     "/fclib_local/vectors/q[0] = 2e+20 must be in [-1e+20, 1e+20]"},
    {"LargeImpulse", kGlobal,
     [](EditedHdf5& file) {
       file.PutNumbers("/fclib_global/vectors/f", std::vector<double>(96, 2e40));
     },
     "/fclib_global/vectors/f[0] = 2e+40 must be in [-1e+40, 1e+40]"},
    {"LargeMass", kGlobal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_global/M/x", std::vector<double>(96, 2e30)); },
     "/fclib_global/M[0][0] = 2e+30 must be in [-1e+30, 1e+30]"},
    {"LargeDirection", kGlobal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_global/H/x", std::vector<double>(130, 2e15)); },
     "] = 2e+15 must be in [-1e+15, 1e+15]"},
    {"Rank", kLocal,
     [](EditedHdf5& file) {
       const std::vector<double> values(60);
       file.Put("/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, {60, 1}, values.data());
     },
     "/fclib_local/vectors/q.rank = 2 must be 1"},
    {"Type", kLocal,
     [](EditedHdf5& file) {
       const std::vector<int> values(60);
       file.Put("/fclib_local/vectors/q", H5T_NATIVE_INT, {60}, values.data());
     },
     "/fclib_local/vectors/q.type = another must be floating-point numbers"},
    {"LongDouble", kLocal,
     [](EditedHdf5& file) {
       const std::vector<long double> values(60);
       file.Put("/fclib_local/vectors/q", H5T_NATIVE_LDOUBLE, {60}, values.data());
     },
     "/fclib_local/vectors/q.type = another must be floating-point numbers"},
    {"NumberForInteger", kLocal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_local/W/nz", {-1.0}); },
     "/fclib_local/W/nz.type = another must be integers"},
    {"NumberForTitle", kLocal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_local/info/title", {1.0}); },
     "/fclib_local/info/title.type = another must be a text of fixed length"},
    {"NeverWritten", kLocal,
     [](EditedHdf5& file) { file.Put("/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, {60}, nullptr); },
     "/fclib_local/vectors/q.size = 60 must be the values that the file holds"},
    {"Huge", kLocal,
     [](EditedHdf5& file) {
       file.Put("/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, {hsize_t{1} << 60}, nullptr);
     },
     "/fclib_local/vectors/q.size = 1152921504606846976 must be the values that the file holds"},
    {"Chunks", kLocal,
     [](EditedHdf5& file) {
       PutZeros(file, "/fclib_local/vectors/q", 60, [](hid_t creation) {
         const hsize_t chunk = 10;
         H5Pset_chunk(creation, 1, &chunk);
       });
     },
     "/fclib_local/vectors/q.storage = in chunks, compressed or elsewhere must be contiguous"},
    {"AnotherFile", kLocal,
     [](EditedHdf5& file) {
       PutZeros(file, "/fclib_local/vectors/q", 60,
                [](hid_t creation) { H5Pset_external(creation, "/dev/null", 0, H5F_UNLIMITED); });
     },
     "/fclib_local/vectors/q.storage = in chunks, compressed or elsewhere must be contiguous"},
    {"SoftLink", kLocal,
     [](EditedHdf5& file) {
       file.Remove("/fclib_local/vectors/q");
       H5Lcreate_soft("/fclib_local/vectors/mu", file.file(), "/fclib_local/vectors/q", H5P_DEFAULT,
                      H5P_DEFAULT);
     },
     "/fclib_local/vectors/q = a link to another place must stand in the file itself"},
    {"ExternalLink", kLocal,
     [](EditedHdf5& file) {
       file.Remove("/fclib_local/W");
       H5Lcreate_external("other.hdf5", "/fclib_local/W", file.file(), "/fclib_local/W",
                          H5P_DEFAULT, H5P_DEFAULT);
     },
     "/fclib_local/W = a link to another place must stand in the file itself"},
    {"GroupForDataset", kLocal,
     [](EditedHdf5& file) {
       file.Remove("/fclib_local/vectors/q");
       H5Gclose(H5Gcreate2(file.file(), "/fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT));
     },
     "/fclib_local/vectors/q = something that HDF5 cannot read must be a dataset"},
    {"MatrixShape", kLocal, [](EditedHdf5& file) { file.PutIntegers("/fclib_local/W/m", {61}); },
     "/fclib_local/W/m = 61 must be 60"},
    {"Storage", kLocal, [](EditedHdf5& file) { file.PutIntegers("/fclib_local/W/nz", {-3}); },
     "/fclib_local/W/nz = -3 must be from -2 to "},
    {"NegativeCount", kLocal,
     [](EditedHdf5& file) { file.PutIntegers("/fclib_local/W/nzmax", {-1}); },
     "/fclib_local/W/nzmax = -1 must be from 0 to 2147483647"},
    {"MoreTripletsThanRoom", kGlobal,
     [](EditedHdf5& file) { file.PutIntegers("/fclib_global/H/nz", {131}); },
     "/fclib_global/H/nz = 131 must be from -2 to 130"},
    {"TooFewTriplets", kGlobal,
     [](EditedHdf5& file) { file.PutIntegers("/fclib_global/H/p", std::vector<int>(129)); },
     "/fclib_global/H/p.size = 129 must be 130"},
    {"RowOutside", kGlobal,
     [](EditedHdf5& file) {
       std::vector<int> rows(130);
       rows[129] = 96;
       file.PutIntegers("/fclib_global/H/i", rows);
     },
     "/fclib_global/H/i[129] = 96 must be from 0 to 95"},
    {"ColumnOutside", kGlobal,
     [](EditedHdf5& file) {
       std::vector<int> columns(130);
       columns[5] = -1;
       file.PutIntegers("/fclib_global/H/p", columns);
     },
     "/fclib_global/H/p[5] = -1 must be from 0 to 64"},
    {"BeginOfColumns", kLocal,
     [](EditedHdf5& file) {
       file.PutIntegers("/fclib_local/R/p", {1, 1});
     },
     "/fclib_local/R/p[0] = 1 must be 0"},
    {"ColumnsBeyondTheEnd", kLocal,
     [](EditedHdf5& file) {
       file.PutIntegers("/fclib_local/R/p", {0, 2});
     },
     "/fclib_local/R/p[1] = 2 must be from 0 to 1"},
    {"ColumnsBackwards", kLocal,
     [](EditedHdf5& file) {
       std::vector<int> begins(61, 1);
       begins[0] = begins[9] = 0;
       file.PutIntegers("/fclib_local/W/p", begins);
     },
     "/fclib_local/W/p[9] = 0 must be from 1 to "},
    {"NotSymmetric", kLocal,
     [](EditedHdf5& file) {
       file.PutIntegers("/fclib_local/W/nz", {2});
       file.PutIntegers("/fclib_local/W/nzmax", {2});
       file.PutIntegers("/fclib_local/W/i", {0, 0});
       file.PutIntegers("/fclib_local/W/p", {0, 5});
       file.PutNumbers("/fclib_local/W/x", {1.0, 1.0});
     },
     "must differ from its transpose by at most"},
    {"MassNotSymmetric", kGlobal,
     [](EditedHdf5& file) {
       std::vector<int> columns(96);
       file.PutIntegers("/fclib_global/M/p", columns);
     },
     "/fclib_global/M = "},
    {"MassNotPositive", kGlobal,
     [](EditedHdf5& file) { file.PutNumbers("/fclib_global/M/x", std::vector<double>(96, -1.0)); },
     "M = the part of row 0 must be positive definite"},
    {"NoMobility", kLocal,
     [](EditedHdf5& file) {
       file.PutIntegers("/fclib_local/W/p", std::vector<int>(61));
       file.PutIntegers("/fclib_local/V/p", std::vector<int>(2));
     },
     "W[0][0] = 0 must be > 0"},
    {"ShortSolution", kLocal, [](EditedHdf5& file) { file.PutNumbers("/solution/r", {1.0}); },
     "/solution/r.size = 1 must be 60"},
    {"SolutionWithoutMultipliers", kLocal, [](EditedHdf5& file) { file.Remove("/solution/l"); },
     "/solution/l = nothing must be given"},
};
INSTANTIATE_TEST_SUITE_P(Files, DamagedFile, ::testing::ValuesIn(kDamages),
                         [](const auto& damage) { return std::string(damage.param.name); });

// Whatever it says: an error of the one kind, or a problem that can be written and read again.
void ExpectAnswer(const std::string& bytes) {
  const std::string before = bytes;
  const absl::StatusOr<ProblemFile> file = ReadFclibProblem(bytes);
  ASSERT_TRUE(bytes == before);
  if (!file.ok()) {
    ASSERT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << file.status();
    return;
  }
  EXPECT_TRUE(Validate(file->problem).ok());
  EXPECT_TRUE(ReadJsonProblem(WriteJsonProblem(*file)).ok());
}

// 2001 contacts and something in each block of W: they are counted before they are made.
TEST(FclibProblem, RefusesMoreBlocksThanThereMayBe) {
  constexpr int kContacts = 2001;
  ProblemFile file;
  file.problem.laws.resize(kContacts);
  std::vector<BlockMatrix::Entry> entries;
  for (uint32_t i = 0; i < kContacts; ++i) entries.push_back({i, i, Matrix6::Identity()});
  file.problem.delassus = BlockMatrix(kContacts, std::move(entries));
  file.problem.free_rows = file.problem.compliance = Eigen::VectorXd::Zero(6 * kContacts);
  EditedHdf5 edited(*WriteFclibProblem(file));
  std::vector<int> begins(3 * kContacts + 1);
  std::vector<int> rows;
  for (int column = 0; column < 3 * kContacts; ++column) {
    for (int row = 0; column % 3 == 0 && row < kContacts; ++row) rows.push_back(3 * row);
    begins[static_cast<size_t>(column) + 1] = static_cast<int>(rows.size());
  }
  edited.PutIntegers("/fclib_local/W/nzmax", {static_cast<int>(rows.size())});
  edited.PutIntegers("/fclib_local/W/p", begins);
  edited.PutIntegers("/fclib_local/W/i", rows);
  edited.PutNumbers("/fclib_local/W/x", std::vector<double>(rows.size(), 1.0));
  const absl::Status status = ReadFclibProblem(edited.Bytes()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("must have at most 4000000"));
}

class AnyBytes : public ::testing::TestWithParam<FclibForm> {};

TEST_P(AnyBytes, CutOffFilesAreRefused) {
  const std::string valid = Valid(GetParam());
  for (size_t size = 0; size < valid.size(); size += size < 1024 ? 16 : 997) {
    const auto file = ReadFclibProblem(std::string_view(valid).substr(0, size));
    ASSERT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << size;
  }
  ExpectAnswer(valid.substr(0, valid.size() - 1));
}

TEST_P(AnyBytes, ChangedBytesGiveAnErrorOrAProblem) {
  const std::string valid = Valid(GetParam());
  ASSERT_TRUE(ReadFclibProblem(valid).ok());
  int refused = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::string changed = valid;
    for (uint64_t i = 0; i < seed % 8 + 1; ++i) {
      char& byte = changed[random.Next() % changed.size()];
      byte = static_cast<char>(random.Next() % 2 == 0 ? random.Next() : byte ^ (1 << seed % 8));
    }
    ExpectAnswer(changed);
    refused += ReadFclibProblem(changed).ok() ? 0 : 1;
  }
  // Neither all of the changes are seen nor none: some hit values, some what describes them.
  EXPECT_GT(refused, 20);
  EXPECT_LT(refused, 380);
}

INSTANTIATE_TEST_SUITE_P(Forms, AnyBytes, ::testing::Values(kLocal, kGlobal), [](const auto& form) {
  return form.param == kLocal ? "Local" : "Global";
});

TEST(FclibProblem, RefusesWhatIsNotHdf5) {
  for (const std::string bytes : {"", "{}", "\x89HDF", "\x89HDF\r\n\x1a\n"}) {
    EXPECT_EQ(ReadFclibProblem(bytes).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace talus
