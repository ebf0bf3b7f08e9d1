#include "solver/problem_io/stored_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "solver/problem_io/fclib_problem.h"
#include "solver/problem_io/json_problem.h"
#include "tests/support/problem_files.h"
#include "tests/support/scratch_file.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFile;

class EveryExtension : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryExtension, IsWrittenAndRead) {
  const ProblemFile file = testing::LoadProblem("mf_multi_full_4");
  const ScratchFile scratch(GetParam());
  ASSERT_TRUE(WriteProblemFile(scratch.path(), file).ok());
  const absl::StatusOr<ProblemFile> again = ReadProblemFile(scratch.path());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->name, file.name);
  EXPECT_EQ(again->problem.free_rows, file.problem.free_rows);
  EXPECT_EQ(again->problem.delassus.ToDense(), file.problem.delassus.ToDense());
  // Over the file that is there.
  ASSERT_TRUE(WriteProblemFile(scratch.path(), *again).ok());
  EXPECT_FALSE(std::filesystem::exists(scratch.path() + ".partial"));
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryExtension,
                         ::testing::Values("problem.json", "problem.h5", "problem.hdf5"));

// What the bytes are decides, not what the file is called.
TEST(StoredProblem, FormatIsThatOfTheBytes) {
  const ProblemFile file = testing::LoadProblem("mf_multi_full_4");
  const ScratchFile hdf5("named.json", *WriteFclibProblem(file));
  const ScratchFile json("named.h5", WriteJsonProblem(file));
  EXPECT_TRUE(ReadProblemFile(hdf5.path()).ok());
  EXPECT_TRUE(ReadProblemFile(json.path()).ok());
}

TEST(StoredProblem, RefusesOtherExtensions) {
  const ProblemFile file = testing::LoadProblem("mf_multi_full_4");
  for (const char* name : {"problem", "problem.txt", "problem.h5.gz", ".json"}) {
    const ScratchFile scratch("folder");
    const absl::Status status = WriteProblemFile(scratch.path() + "/" + name, file);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(std::string(status.message()), HasSubstr("must end in .json, .h5 or .hdf5"));
  }
}

TEST(StoredProblem, LeavesNothingWhereItCannotWrite) {
  ProblemFile file = testing::LoadProblem("mf_multi_full_4");
  const ScratchFile scratch("missing");
  EXPECT_EQ(WriteProblemFile(scratch.path() + "/problem.json", file).code(),
            absl::StatusCode::kUnavailable);
  file.problem.laws[0].cone.spinning = 1.0;
  const ScratchFile spinning("spinning.h5");
  EXPECT_EQ(WriteProblemFile(spinning.path(), file).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(spinning.path()));
}

TEST(StoredProblem, RefusesWhatIsNoProblemFile) {
  const ScratchFile missing("missing.json");
  EXPECT_EQ(ReadProblemFile(missing.path()).status().code(), absl::StatusCode::kNotFound);
  const absl::Status folder = ReadProblemFile(::testing::TempDir()).status();
  EXPECT_EQ(folder.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(folder.message()), HasSubstr("must name a regular file"));
  EXPECT_EQ(ReadProblemFile("/dev/zero").status().code(), absl::StatusCode::kInvalidArgument);
  const ScratchFile text("text.json", "Talus");
  EXPECT_THAT(std::string(ReadProblemFile(text.path()).status().message()),
              HasSubstr("the file is not JSON"));
}

// HDF5 is not made for several threads: they take turns.
TEST(StoredProblem, ThreadsReadAtTheSameTime) {
  const ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  const std::string bytes = *WriteFclibProblem(file);
  int equal[4] = {};
  {
    std::vector<std::jthread> threads;
    for (int& count : equal) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          const absl::StatusOr<ProblemFile> again = ReadProblem(bytes);
          const absl::StatusOr<std::string> written = WriteFclibProblem(*again);
          count += written.ok() && *written == bytes ? 1 : 0;
        }
      });
    }
  }
  EXPECT_THAT(equal, ::testing::Each(20));
}

// A file of holes: it takes no room on the disk.
TEST(StoredProblem, RefusesFilesBeyondTheLimit) {
  const ScratchFile scratch("large.h5", "\x89HDF\r\n\x1a\n");
  std::filesystem::resize_file(scratch.path(), kMaxProblemFileBytes + 1);
  const absl::Status status = ReadProblemFile(scratch.path()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("size = 268435457 must be at most 268435456 bytes"));
}

}  // namespace
}  // namespace talus
